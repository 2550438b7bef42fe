"""What `/metrics` tells of live sessions."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client import REGISTRY

from catenary.platform.v1 import explore_service_pb2 as pb
from factories.installations.serving import working
from factories.sessions.explorer import exploring
from integration.sessions.conftest import Place

pytestmark = pytest.mark.sampled

SESSIONS, DESIGNS = "catenary_live_sessions", "catenary_live_design_seconds"


def _sample(name: str) -> float:
    return REGISTRY.get_sample_value(name) or 0.0


async def test_open_sessions_are_counted_and_ended_ones_not(place: Place) -> None:
    before = _sample(SESSIONS)
    async with exploring(place.here, place.owner, place.project_id) as first:
        await first.receive()
        async with exploring(place.here, place.owner, place.project_id) as second:
            await second.receive()
            assert _sample(SESSIONS) == before + 2
        await _until(before + 1)
    await _until(before)


async def _until(number: float) -> None:
    async with asyncio.timeout(60):
        while _sample(SESSIONS) != number:  # noqa: ASYNC110 (the registry has no event)
            await asyncio.sleep(0.01)


async def test_a_refused_session_is_not_counted(place: Place) -> None:
    before, outsider = _sample(SESSIONS), await place.here.caller("Outsider")
    async with exploring(place.here, outsider, place.project_id) as explorer:
        assert (await explorer.ended())[1] == "NOT_FOUND"
    assert _sample(SESSIONS) == before


async def test_only_designs_with_numbers_have_a_latency(place: Place) -> None:
    before = _sample(f"{DESIGNS}_count")
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await explorer.send(1, {"pause": 0.5})
        await explorer.send(2, {"span": 10})
        await explorer.send(3, {"spam": 3})
        answers = [await explorer.receive() for _ in range(3)]
        assert any(answer.error.code == "UNKNOWN_PARAMETER" for answer in answers)
        computed = sum(bool(answer.evaluation.metrics) for answer in answers)
        assert computed >= 1
        assert computed + sum(answer.superseded for answer in answers) == 2
        assert _sample(f"{DESIGNS}_count") == before + computed
        await explorer.send(4, {"act": "raise"})
        assert (await explorer.receive()).evaluation.error.code == "MODEL_FAILED"
        assert _sample(f"{DESIGNS}_count") == before + computed
        began = asyncio.get_running_loop().time()
        seconds = _sample(f"{DESIGNS}_sum")
        await explorer.send(5, {"pause": 0.5})
        await explorer.receive()
        spent = asyncio.get_running_loop().time() - began
    assert _sample(f"{DESIGNS}_count") == before + computed + 1
    assert 0.5 <= _sample(f"{DESIGNS}_sum") - seconds <= spent


async def test_a_geometry_that_is_dropped_leaves_its_numbers_counted(place: Place) -> None:
    before = _sample(f"{DESIGNS}_count")
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await explorer.send(1, {"act": "late sleep"}, geometry=True)
        assert (await explorer.receive()).evaluation.metrics
        await explorer.send(2, {"span": 10})
        assert await explorer.receive() == pb.ExploreResponse(id=1, superseded=True)
        assert (await explorer.receive()).id == 2
    assert _sample(f"{DESIGNS}_count") == before + 2
