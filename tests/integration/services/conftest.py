"""The fixtures of modules about evaluations; a module whose node has settings of its own defines that node itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from factories.services.evaluations import Node, deploy, open_node


@pytest.fixture
async def node(dsn: str, tmp_path: Path) -> AsyncIterator[Node]:
    async with open_node(dsn, tmp_path) as opened:
        yield opened


@pytest.fixture
async def project(node: Node) -> str:
    return (await deploy(node.frame.db, node.frame.objects))[0]
