"""The world of the isolation matrix, for the modules that hold writes and reads against it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from factories.isolation.world import World, running_world


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(module_started_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """Yield a node with both sides; a test's changes there stay for the module's next tests."""
    async with running_world(module_started_dsn, tmp_path_factory.mktemp("world")) as made:
        await made.add_common()
        await made.add_side("open")
        await made.add_side("hidden")
        await made.add_deleted("hidden")
        await made.add_links()
        yield made
