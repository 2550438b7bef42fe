"""A session at one node, and a worker that waits at another one."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from catenary_cli.server.node import open_grpc
from catenary_worker.jobs import sessions
from factories.installations.serving import serving, working
from factories.sessions.explorer import exploring
from integration.sessions.conftest import Place

pytestmark = pytest.mark.slow


async def test_a_worker_of_another_node_comes_to_the_node_of_the_session(
    place: Place, started_dsn: str, tmp_path: Path, data_root: Path
) -> None:
    core = place.here.core
    door = await open_grpc(core, f"unix:{data_root}/door-{core.frame.settings.data_dir.name}.sock")  # type: ignore[union-attr]
    core.frame.sessions.door = f"unix:{data_root}/door-{core.frame.settings.data_dir.name}.sock"  # type: ignore[union-attr]
    try:
        async with (
            serving(started_dsn, tmp_path) as other,
            working(other),
            exploring(place.here, place.owner, place.project_id) as explorer,
        ):
            await explorer.receive()
            await explorer.send(1)
            assert (await explorer.receive()).evaluation.metrics["mass"].value.text == "2400.0"
    finally:
        await door.close(0)


async def test_without_the_address_of_the_node_the_worker_does_not_find_it(
    place: Place, started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "DIALS", 2)
    monkeypatch.setattr("catenary_core.services.evaluations.sessions.staffing.WORKER_SECONDS", 3.0)
    async with (
        serving(started_dsn, tmp_path) as other,
        working(other),
        exploring(place.here, place.owner, place.project_id) as explorer,
    ):
        await explorer.receive()
        await explorer.send(1)
        assert (await explorer.receive()).error.code == "UNAVAILABLE"
        async with working(place.here.node):  # one that waits at this node
            for number in count(2):
                await explorer.send(number)
                if not (answer := await explorer.receive()).error.code:
                    break
            assert answer.evaluation.metrics["mass"].value.text == "2400.0"
