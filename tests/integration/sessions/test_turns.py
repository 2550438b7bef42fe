"""The turns of users at a worker: sessions that send designs back to back, and another user's work beside them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count

import pytest

from catenary_worker.turns import WorkTurns
from factories.events.world import Caller
from factories.installations.serving import working
from factories.sessions.explorer import Explorer, exploring
from integration.sessions.conftest import Place

pytestmark = pytest.mark.sampled

SESSIONS = 6
"""Sessions of the busy user at the one worker."""
PAUSE = 0.08
"""Seconds of a design."""


class Busy:
    """A user whose sessions send designs back to back."""

    def __init__(self) -> None:
        self.computed = 0

    async def drag(self, explorer: Explorer) -> None:
        """Send one design after the other."""
        for number in count(1):
            await explorer.send(number, {"pause": PAUSE})
            answer = await explorer.receive()
            assert "mass" in answer.evaluation.metrics, answer
            self.computed += 1


@asynccontextmanager
async def _busy(place: Place, caller: Caller) -> AsyncIterator[Busy]:
    """Keep the one worker busy while the block runs; every session has had designs computed."""
    busy = Busy()
    async with AsyncExitStack() as stack:
        explorers = [
            await stack.enter_async_context(exploring(place.here, caller, place.project_id)) for _ in range(SESSIONS)
        ]
        for explorer in explorers:
            await explorer.receive()
            await explorer.send(0)
            await explorer.receive()
        dragging = [asyncio.create_task(busy.drag(explorer)) for explorer in explorers]
        try:
            while busy.computed < SESSIONS:
                await asyncio.wait(dragging, timeout=0.01, return_when=asyncio.FIRST_COMPLETED)
                for task in dragging:
                    if task.done():
                        task.result()
            yield busy
        finally:
            for task in dragging:
                task.cancel()
            await asyncio.gather(*dragging, return_exceptions=True)


async def _member(place: Place, name: str) -> Caller:
    member = await place.here.caller(name)
    path = f"/v1/projects/{place.project_id}/members/{member.user_id}"
    await place.here.call(place.owner, "PUT", path, json={"role": "evaluator"})
    return member


@pytest.fixture
def behind(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[int]]:
    """Return, by user as the worker names them, the work that began while each of theirs waited."""
    found: dict[str, list[int]] = defaultdict(list)
    turn, begun = WorkTurns.turn, 0

    @asynccontextmanager
    async def counted(self: WorkTurns, user: str = "", project: str = "") -> AsyncIterator[None]:
        nonlocal begun
        before = begun
        async with turn(self, user, project):
            found[user].append(begun - before)
            begun += 1
            yield

    monkeypatch.setattr(WorkTurns, "turn", counted)
    return found


@pytest.mark.parametrize("guarded", [True, pytest.param(False, marks=pytest.mark.slow)])
async def test_designs_back_to_back_delay_another_user_by_one_design_each(
    place: Place, monkeypatch: pytest.MonkeyPatch, behind: dict[str, list[int]], guarded: bool
) -> None:
    """With the turns, the other user's work waits for the design that runs; without, for one of each session."""
    if not guarded:
        monkeypatch.setattr(WorkTurns, "_place", lambda self, waiter: (0.0, 0.0))
    other = await _member(place, "Other")
    async with (
        working(place.here.node),
        _busy(place, place.owner),
        exploring(place.here, other, place.project_id) as session,
    ):
        known = set(behind)
        await session.receive()
        await session.send(1)
        assert "mass" in (await session.receive()).evaluation.metrics  # the worker has come
        (own,) = behind.keys() - known
        behind[own].clear()
        for number in range(2, 4):
            await session.send(number)
            assert "mass" in (await session.receive()).evaluation.metrics
        body = {"parameters": {"span": 30}, "geometry": False}
        path = f"/v1/projects/{place.project_id}/evaluate"
        answer = await place.here.call(other, "POST", path, json=body)
        assert answer["data"]["evaluation"]["status"] == "completed"
        passed = behind[own]
        assert len(passed) == 3
        assert max(passed) <= 1 if guarded else max(passed) >= SESSIONS - 3, passed
