"""Metrics of a live session come before the geometry is computed, whose fault is an answer of its own."""

from __future__ import annotations

import time

import pytest

from catenary.platform.v1 import evaluation_pb2
from catenary.platform.v1 import explore_service_pb2 as pb
from factories.installations.serving import working
from factories.services.evaluations import run_sql
from factories.sessions.explorer import Explorer, exploring
from integration.sessions.conftest import Place

pytestmark = pytest.mark.sampled


async def _mass(explorer: Explorer, number: int) -> str:
    """Wait for the completed result of a design; return its metric."""
    answer = await explorer.receive()
    assert (answer.id, answer.evaluation.status) == (number, evaluation_pb2.EVALUATION_STATUS_COMPLETED)
    return answer.evaluation.metrics["mass"].value.text


async def _set_repeatable(place: Place) -> None:
    await run_sql(place.here.core.frame.db, "UPDATE models.model_version SET repeatable = true")


async def test_metrics_arrive_while_the_geometry_is_computed(place: Place) -> None:
    await _set_repeatable(place)
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        for number in (1, 2):
            await explorer.send(number, {"act": "late sleep"}, geometry=True)
            assert await _mass(explorer, number) == "2400.0"
            began = time.monotonic()
            told, content = await explorer.geometry()
            assert time.monotonic() - began >= 0.4, "the sleep of the geometry comes after the metrics"
            assert (told.id, content.count(b"glTF")) == (number, 3)
        (session,) = place.here.core.frame.sessions
        assert session.seconds >= 1.0, "the seconds of the geometry count"


FAULTS = {
    "no shape": "geometry line: 'a line' is not a shape",
    "late raise": "ValueError: no such line",
    "late exit": "The model ended its own process without returning a result.",
}


@pytest.mark.parametrize("repeatable", [False, True], ids=["a process a design", "one process"])
async def test_a_fault_of_the_geometry_is_an_error_after_the_metrics(place: Place, *, repeatable: bool) -> None:
    if repeatable:
        await _set_repeatable(place)
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await explorer.send(0, {"span": 10})
        assert await _mass(explorer, 0) == "1000.0"
        for number, (act, text) in enumerate(FAULTS.items(), 1):
            await explorer.send(number, {"act": act}, geometry=True)
            assert await _mass(explorer, number) == "2400.0"
            answer = await explorer.receive()
            assert (answer.id, answer.error.code) == (number, "MODEL_FAILED")
            assert answer.error.message.startswith(text)
        await explorer.send(9, geometry=True)
        assert await _mass(explorer, 9) == "2400.0"
        told, _ = await explorer.geometry()
        assert [file.name for file in told.geometry.files] == ["plate", "slab"]
    rows = await run_sql(place.here.core.frame.db, "SELECT repeatable FROM models.model_version")
    assert {bool(row["repeatable"]) for row in rows} == {repeatable}, "the finding stays"


async def test_a_newer_design_drops_the_geometry_that_is_still_computed(place: Place) -> None:
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await explorer.send(1, {"act": "late sleep"}, geometry=True)
        assert await _mass(explorer, 1) == "2400.0"
        await explorer.send(2, {"span": 10}, geometry=True)
        assert await explorer.receive() == pb.ExploreResponse(id=1, superseded=True)
        assert await _mass(explorer, 2) == "1000.0"
        told, _ = await explorer.geometry()
        assert told.id == 2


@pytest.mark.slow
async def test_a_geometry_that_takes_too_long_is_an_error_after_the_metrics(place: Place) -> None:
    place.here.core.frame.settings.evaluation_timeout = 1.0
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await explorer.send(1, {"act": "late sleep", "pause": 0.8}, geometry=True)
        assert await _mass(explorer, 1) == "2400.0"
        answer = await explorer.receive()
        assert (answer.error.code, answer.error.message) == ("EVALUATION_TIMEOUT", "The model took longer than 1 s.")


@pytest.mark.slow
async def test_a_design_that_takes_too_long_is_told_and_the_next_computed(place: Place) -> None:
    place.here.core.frame.settings.evaluation_timeout = 1.0
    await _set_repeatable(place)
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await explorer.send(1, {"pause": 10})
        answer = await explorer.receive()
        assert (answer.id, answer.evaluation.status) == (1, evaluation_pb2.EVALUATION_STATUS_TIMED_OUT)
        assert answer.evaluation.error.message == "The model took longer than 1 s."
        await explorer.send(2, {"span": 10})
        assert await _mass(explorer, 2) == "1000.0"
