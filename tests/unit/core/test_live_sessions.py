"""A live session between a caller and a worker: which design is computed, what a lost worker costs, and what ends it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from catenary_core.call.call import Identity
from catenary_core.call.errors import DomainError
from catenary_core.jobs import sessions
from catenary_core.jobs.designs import Computed, Design, GeometryFiles, RefusedDesign, Superseded
from catenary_core.jobs.queue import Artefact, JobEnd
from catenary_core.jobs.sessions import ExploredVersion, LiveSession, LiveSessions

CALLER = Identity("u", "person")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def _session(clock: Any = None) -> LiveSession:
    return LiveSession(CALLER, ExploredVersion("p", "v", {}), [], clock or Clock())


def _design(number: int, *, geometry: bool = False) -> Design:
    return Design(number, {}, geometry)


def _ended(duration_ms: float = 1.0, artefacts: tuple[Artefact, ...] = ()) -> JobEnd:
    return JobEnd("completed", None, None, None, {}, {}, {}, artefacts, duration_ms, "r")


async def _computed(session: LiveSession, duration_ms: float = 1.0) -> None:
    assert await session.compute(_ended(duration_ms)) is not None
    session.complete()


async def test_the_newest_of_the_waiting_designs_is_handed_out() -> None:
    session = _session()
    for number in (1, 2, 3):
        await session.ask(_design(number))
    with session.attached():
        assert await session.next_design() == _design(3)
        await session.ask(_design(4))
        await _computed(session)
        assert await session.next_design() == _design(4)
    assert [await session.answer() for _ in range(3)] == [
        Superseded(1),
        Superseded(2),
        Computed(_design(3), _ended()),
    ]


async def test_a_design_is_handed_out_once_and_an_outcome_without_one_is_refused() -> None:
    session = _session()
    with session.attached():
        assert await session.compute(_ended()) is None
        await session.ask(_design(1))
        await session.next_design()
        waiting = asyncio.create_task(session.next_design())
        await asyncio.sleep(0)
        assert not waiting.done()
        assert await session.compute(_ended()) == _design(1)
        assert await session.compute(_ended()) is None, "the second outcome of one design"
        session.leave()
        assert await waiting is None


async def test_the_next_worker_gets_the_design_of_a_lost_one_and_after_two_it_is_refused() -> None:
    session = _session()
    await session.ask(_design(1))
    for _ in range(sessions.ATTEMPTS):
        with session.attached():
            assert await session.next_design() == _design(1)
    refused = await session.answer()
    assert isinstance(refused, RefusedDesign)
    assert (refused.design_id, refused.error.reason) == (1, "UNAVAILABLE")
    assert not session.vacant.is_set(), "nothing waits for a worker"
    await session.ask(_design(2))
    assert session.vacant.is_set()
    with session.attached():
        assert await session.next_design() == _design(2)
        await _computed(session)


async def test_a_worker_lost_within_an_answer_ends_the_session() -> None:
    session = _session()
    await session.ask(_design(1, geometry=True))
    with session.attached():
        await session.next_design()
        await session.compute(_ended(), is_computing=True)
        assert await session.add_geometry(_ended())
    with pytest.raises(DomainError) as ended:
        await session.answer()
    assert ended.value.reason == "UNAVAILABLE"


async def _told(session: LiveSession, number: int, duration_ms: float = 1.0) -> None:
    """Let the attached worker tell the result of a design whose geometry it goes on with."""
    await session.ask(_design(number, geometry=True))
    await session.next_design()
    assert await session.compute(_ended(duration_ms), is_computing=True) is not None
    assert isinstance(await session.answer(), Computed)


async def test_a_newer_design_drops_a_geometry_that_is_not_announced() -> None:
    session = _session()
    with session.attached():
        await _told(session, 1)
        await session.ask(_design(2))
        await session.ask(_design(3))
        assert not await session.add_geometry(_ended()), "nobody wants its bytes"
        session.complete()
        assert await session.next_design() == _design(3)
    assert [await session.answer() for _ in range(2)] == [Superseded(1), Superseded(2)]


async def test_a_newer_design_leaves_an_announced_geometry_alone() -> None:
    session = _session()
    with session.attached():
        await _told(session, 1)
        assert await session.add_geometry(_ended())
        await session.ask(_design(2))
        session.complete()
        assert await session.next_design() == _design(2)
        assert await session.answer() == GeometryFiles(1, ())
        await _computed(session)
        assert isinstance(await session.answer(), Computed)


async def test_the_loss_of_a_worker_before_a_geometry_is_its_error() -> None:
    session = _session()
    with session.attached():
        await _told(session, 1)
    refused = await session.answer()
    assert isinstance(refused, RefusedDesign)
    assert (refused.design_id, refused.error.reason) == (1, "UNAVAILABLE")
    with session.attached():
        await _told(session, 2)
        await session.ask(_design(3))
    assert await session.answer() == Superseded(2)
    with session.attached():
        assert await session.next_design() == _design(3)


@pytest.mark.parametrize("ended", ["geometry", "dropped", "the worker"])
async def test_the_seconds_of_a_geometry_count_once(ended: str) -> None:
    clock = Clock()
    session = _session(clock)
    with session.attached():
        await session.ask(_design(1, geometry=True))
        await session.next_design()
        clock.now += 1.0
        await session.compute(_ended(1000.0), is_computing=True)
        assert session.seconds == 1.0
        clock.now += 2.0
        if ended == "dropped":
            await session.ask(_design(2))
        if ended != "the worker":
            await session.add_geometry(_ended(3000.0))
            session.complete()
    assert session.seconds == 3.0


async def test_designs_without_a_worker_are_refused() -> None:
    session = _session()
    await session.ask(_design(1))
    assert not await session.staffed(0.01)
    await session.give_up()
    assert isinstance(await session.answer(), RefusedDesign)


async def test_a_slow_reader_holds_up_the_worker_and_the_caller() -> None:
    session = _session()
    for _ in range(sessions.MOST_ANSWERS):
        await session.put(Superseded(0))
    asked = asyncio.create_task(session.put(GeometryFiles(1, [])))
    await asyncio.sleep(0)
    assert not asked.done()
    await session.answer()
    await asked


async def test_no_design_is_computed_while_results_wait_for_their_reader() -> None:
    session = _session()
    with session.attached():
        for number in range(sessions.MOST_RESULTS):
            await session.ask(_design(number))
            assert await session.next_design() == _design(number)
            await _computed(session)
        await session.ask(_design(8))
        waiting = asyncio.create_task(session.next_design())
        await asyncio.sleep(0)
        await session.ask(_design(9))
        await asyncio.sleep(0)
        assert not waiting.done()
        await session.answer()
        assert await waiting == _design(9), "the newest of the moment in which there is room"


async def test_without_its_bound_the_answers_of_a_slow_reader_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def flood(session: LiveSession) -> int:
        asking = asyncio.create_task(_ask_many(session))
        for _ in range(2_000):
            await asyncio.sleep(0)
        asking.cancel()
        return len(session._answers)

    assert await flood(_session()) == sessions.MOST_ANSWERS
    monkeypatch.setattr(sessions, "MOST_ANSWERS", 10**9)
    assert await flood(_session()) > 900


async def _ask_many(session: LiveSession) -> None:
    for number in range(1_000):
        await session.ask(_design(number))
        await asyncio.sleep(0)


async def test_an_end_frees_who_waits_for_a_slow_reader() -> None:
    session = _session()
    for _ in range(sessions.MOST_ANSWERS):
        await session.put(Superseded(0))
    asked = asyncio.create_task(session.put(Superseded(1)))
    await asyncio.sleep(0)
    session.end(DomainError("TIMEOUT", "Too late."))
    await asked
    with pytest.raises(DomainError, match="Too late"):
        await session.answer()
    with session.attached():
        assert await session.next_design() is None


@pytest.mark.parametrize(("passed", "text"), [(sessions.IDLE_SECONDS, "ten minutes"), (3600.0, "hour")])
async def test_time_ends_a_session(passed: float, text: str) -> None:
    clock = Clock()
    session = _session(clock)
    clock.now += passed - 1
    if text == "hour":
        session.note_message()
    session.check_times()
    assert not session.is_over
    clock.now += 1
    session.check_times()
    with pytest.raises(DomainError, match=text):
        await session.answer()


async def test_a_worker_can_claim_no_more_seconds_than_have_passed() -> None:
    clock = Clock()
    session = _session(clock)
    await session.ask(_design(1))
    with session.attached():
        await session.next_design()
        clock.now += 2.0
        await _computed(session, 1e12)
    assert session.seconds == 2.0


@pytest.mark.parametrize("ended", ["the session", "the worker", "both"])
async def test_a_design_that_ends_without_a_result_counts_the_time_since_it_was_handed_out(ended: str) -> None:
    clock = Clock()
    session = _session(clock)
    await session.ask(_design(1))
    with session.attached():
        await session.next_design()
        clock.now += 2.0
        if ended != "the worker":
            session.end(None)
        if ended == "both":
            assert await session.compute(_ended(1e12)) is None, "its time is counted already"
    assert session.seconds == 2.0


def test_a_user_has_a_number_of_sessions_and_a_stopping_process_opens_none() -> None:
    open_ones = LiveSessions()
    first = _session()
    with open_ones.holding(first, 1):
        with pytest.raises(DomainError, match="1 live session open") as refused, open_ones.holding(_session(), 1):
            pass
        assert refused.value.reason == "RATE_LIMIT_EXCEEDED"
        open_ones.close()
        assert first.is_over
    with pytest.raises(DomainError, match="stopping"), open_ones.holding(_session(), 1):
        pass


def test_a_session_that_opens_has_its_place() -> None:
    open_ones = LiveSessions()
    user_id = _session().identity.user_id
    with open_ones.opening(user_id, 1):
        with pytest.raises(DomainError, match="1 live session open"), open_ones.opening(user_id, 1):
            pass
        assert not list(open_ones)
    with open_ones.holding(_session(), 1):
        assert len(list(open_ones)) == 1
