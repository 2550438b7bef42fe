"""A world with a deployed model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from factories.events.world import Caller, World, world
from factories.sessions.explorer import deployed


@dataclass(frozen=True)
class Place:
    """A project with a deployed model, and its owner."""

    here: World
    owner: Caller
    project_id: str
    version: str


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["in one process", "over gRPC"])
async def place(
    request: pytest.FixtureRequest, started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Place]:
    async with world(started_dsn, tmp_path, remote=request.param) as here:
        owner = await here.caller("Owner")
        project_id = await here.project(owner)
        yield Place(here, owner, project_id, await deployed(here, monkeypatch, project_id))
