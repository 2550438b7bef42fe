"""A world in both modes: the edge beside the core, and behind gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from factories.events.world import World, world


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["in one process", "over gRPC"])
async def here(request: pytest.FixtureRequest, started_dsn: str, tmp_path: Path) -> AsyncIterator[World]:
    async with world(started_dsn, tmp_path, remote=request.param) as made:
        yield made
