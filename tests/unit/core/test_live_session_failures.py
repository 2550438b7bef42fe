"""An unforeseen failure ends a live session with an error; no caller waits for an answer that never comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, cast

import pytest

from catenary.platform.v1 import explore_service_pb2
from catenary.type.v1 import json_pb2
from catenary.worker.v1 import worker_service_pb2 as pb
from catenary_core.call.call import Identity
from catenary_core.call.errors import DomainError
from catenary_core.jobs.designs import Answer, Computed, Design, FailedGeometry
from catenary_core.jobs.sessions import ExploredVersion, LiveSession, LiveSessions
from catenary_core.jobs.submitter import Submitter
from catenary_core.limits import accounts
from catenary_core.services.evaluations.sessions import designs
from catenary_core.services.evaluations.sessions.input_files import SessionFiles
from catenary_core.services.evaluations.sessions.staffing import Staffing
from catenary_core.services.evaluations.sessions.watch import SessionWatch
from catenary_core.services.worker import conversation

DIGEST = "d"


def _session() -> LiveSession:
    return LiveSession(Identity("u", "person"), ExploredVersion("p", "v", {}), [])


class Database:
    """A database whose transactions fail while `is_lost`, and else commit when they may."""

    def __init__(self, *, is_lost: bool) -> None:
        self.is_lost = is_lost
        self.may_commit = asyncio.Event()
        self.may_commit.set()
        self.counted: list[float] = []

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[list[float]]:
        found: list[float] = []
        yield found
        await self.may_commit.wait()
        if self.is_lost:
            raise OSError("the database is lost")
        self.counted += found


async def test_a_database_error_ends_a_session_that_looks_for_a_worker() -> None:
    session, frame = _session(), SimpleNamespace(db=Database(is_lost=True), sessions=LiveSessions())
    await session.ask(Design(1, {}, geometry=False))
    async with asyncio.timeout(60):
        await Staffing(cast("Any", frame)).keep(session, Submitter("u", "p", "r"))
        with pytest.raises(DomainError, match="open a new one") as ended:
            await session.answer()
    assert ended.value.reason == "UNAVAILABLE"


async def test_an_unforeseen_failure_of_a_message_ends_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    async def none() -> AsyncGenerator[explore_service_pb2.ExploreRequest, None]:
        return
        yield

    def fails(*_: object) -> Design:
        raise ZeroDivisionError

    monkeypatch.setattr(designs, "_design", fails)
    session, files = _session(), SessionFiles(cast("Any", None), "")
    await designs.read(session, explore_service_pb2.ExploreRequest(id=1), none(), files)
    with pytest.raises(DomainError, match="open a new one"):
        await session.answer()


def _watch(db: Database, monkeypatch: pytest.MonkeyPatch) -> SessionWatch:
    async def count(tx: list[float], project_id: str, *, seconds: float) -> None:
        tx.append(seconds)

    monkeypatch.setattr(accounts, "count", count)
    frame = SimpleNamespace(db=db, settings=SimpleNamespace(tiers={}), sessions=LiveSessions())
    return SessionWatch(cast("Any", frame), cast("Any", SimpleNamespace(recheck=None, role_of=None)))


async def test_seconds_that_could_not_be_counted_are_counted_later(monkeypatch: pytest.MonkeyPatch) -> None:
    db, session = Database(is_lost=True), _session()
    watch = _watch(db, monkeypatch)
    session.seconds = 3.0
    with pytest.raises(OSError, match="lost"):
        await watch.count_of([session])
    db.is_lost = False
    await watch.count_of([session])
    assert (db.counted, session.seconds) == ([3.0], 0.0)


async def test_seconds_are_counted_once_by_two_who_count_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    db, session = Database(is_lost=False), _session()
    watch = _watch(db, monkeypatch)
    session.seconds = 3.0
    db.may_commit.clear()
    counting = [asyncio.create_task(watch.count_of([session])) for _ in range(2)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    session.seconds += 1.0
    counting[0].cancel()  # as at a stop: what is being written is written
    await asyncio.sleep(0)
    db.may_commit.set()
    await asyncio.wait(counting)
    assert (sum(db.counted), session.seconds) == (4.0, 0.0)


def _outcome(metrics: str) -> pb.SessionRequest:
    empty = json_pb2.Json(text="{}")
    outcome = pb.Outcome(status="completed", metrics=json_pb2.Json(text=metrics), constraints=empty, tables=empty)
    return pb.SessionRequest(outcome=outcome)


def _geometry() -> pb.SessionRequest:
    geometry = pb.Outcome(status="completed")
    geometry.artefacts.add(name="plate", format="glb", size=3, sha256="0" * 64, parts=json_pb2.Json(text="[]"))
    return pb.SessionRequest(geometry=geometry)


async def test_a_geometry_that_breaks_a_rule_is_an_error_after_the_result() -> None:
    session, bad = _session(), _geometry()
    bad.geometry.artefacts[0].format = "exe"
    await session.ask(Design(1, {}, geometry=True))
    answers = await _answers(session, _outcome("{}"), bad, pb.SessionRequest(chunk=b"abc"))
    assert isinstance(answers[0], Computed)
    assert isinstance(answers[1], FailedGeometry)
    assert "The platform does not take the result" in answers[1].error["message"]


ORDERS = {
    "a geometry without an outcome": [_geometry()],
    "two geometries": [_outcome("{}"), _geometry(), _geometry()],
    "an outcome before the geometry": [_outcome("{}"), _outcome("{}")],
    "an outcome before the bytes": [_outcome("{}"), _geometry(), _outcome("{}")],
    "more bytes than announced": [_outcome("{}"), _geometry(), pb.SessionRequest(chunk=b"abcd")],
}


@pytest.mark.parametrize("requests", ORDERS.values(), ids=ORDERS)
async def test_a_worker_that_breaks_the_order_of_messages_is_lost(requests: list[pb.SessionRequest]) -> None:
    session = _session()
    await session.ask(Design(1, {}, geometry=True))
    with pytest.raises(DomainError) as refused:
        await _answers(session, *requests)
    assert refused.value.violations[0].constraint == "order"


async def _answers(session: LiveSession, *requests: pb.SessionRequest) -> list[Answer]:
    """Return the answers to the design that waits, which a worker gives."""

    async def sent() -> AsyncGenerator[pb.SessionRequest, None]:
        for request in requests:
            yield request
            await asyncio.sleep(0)

    async def revoke(reason: str) -> None:
        raise AssertionError(reason)

    async with asyncio.timeout(60):
        async for _ in conversation.hold(session, sent(), DIGEST, revoke):
            pass
    return list(session._answers)


async def test_a_result_that_breaks_a_rule_is_a_failed_design_and_the_worker_goes_on() -> None:
    session, sent = _session(), asyncio.Queue[pb.SessionRequest]()

    async def requests() -> AsyncGenerator[pb.SessionRequest, None]:
        while True:
            yield await sent.get()

    async def revoke(reason: str) -> None:
        raise AssertionError(reason)

    found = conversation.hold(session, requests(), DIGEST, revoke)
    await session.ask(Design(1, {}, geometry=True))
    async with asyncio.timeout(60):
        await anext(found)
        bad = _outcome('{"mass": {"value": "heavy", "unit": null}}')
        sent.put_nowait(bad)
        sent.put_nowait(_geometry())
        sent.put_nowait(pb.SessionRequest(chunk=b"abc"))
        await session.ask(Design(2, {}, geometry=False))
        await anext(found)
        sent.put_nowait(_outcome('{"mass": {"value": 2, "unit": null}}'))
        refused, taken = await session.answer(), await session.answer()
    assert isinstance(refused, Computed)
    assert isinstance(taken, Computed)
    assert (refused.design.id, refused.ended.status) == (1, "failed")
    assert refused.ended.error is not None
    assert refused.ended.error["message"] == (
        "The platform does not take the result: outcome.metrics.mass.value must be a number."
        " Change what the model returns."
    )
    assert (taken.design.id, taken.ended.status) == (2, "completed")
    await found.aclose()
