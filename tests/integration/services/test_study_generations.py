"""A generation of a study begins in the transaction that stores the one before."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from catenary_core.call.errors import DomainError
from catenary_core.database.transactions import Transaction
from catenary_core.limits import accounts
from catenary_core.services.evaluations.studies import driver
from catenary_core.services.evaluations.studies.course import Course
from catenary_core.studies import engine_process, prepared_engine
from catenary_core.studies.prepared_engine import PreparedEngine
from factories.services.evaluations import Node, run_sql
from factories.services.studies import WAIT_SECONDS, beam, begin, call, deployed, driven, ended

_TOLD = "SELECT told FROM evaluations.study WHERE study_id = CAST(:s AS uuid)"


@pytest.mark.parametrize(
    ("stop", "looked_for"), [({}, 1), pytest.param({"stop": {"seconds": 600}}, 3, marks=pytest.mark.slow)]
)
async def test_a_study_without_a_time_limit_looks_for_no_missing_points(
    node: Node, monkeypatch: pytest.MonkeyPatch, stop: Mapping[str, Any], looked_for: int
) -> None:
    """A study whose time may be over begins no generation before it has looked at the clock."""
    paid, looks = Course._paid, []

    async def counted(self: Course, new: Mapping[int, Any], definition: Any) -> bool:
        looks.append(len(new))
        return await paid(self, new, definition)

    monkeypatch.setattr(Course, "_paid", counted)
    study_id = await begin(node, await deployed(node), **stop)
    async with driven(node, beam):
        done = await ended(node, study_id)
    assert (done["status"], done["counts"]["completed"], looks) == ("completed", 36, [12] * looked_for)


async def test_two_leaders_of_one_study_compute_each_point_once(node: Node) -> None:
    """A leader that was frozen goes on beside the one that took its place."""
    fronts = []
    for beside in (False, True):
        study_id, seen = await begin(node, await deployed(node)), Counter[int]()
        async with driven(node, beam, seen), PreparedEngine() as prepared:
            other = asyncio.create_task(Course(node.frame, study_id, prepared).run()) if beside else None
            done = await ended(node, study_id)
            if other is not None:
                await other
        assert (done["status"], done["counts"]["total"]) == ("completed", 36)
        assert {*seen.values()} == {1}
        front = await call(node, "ListStudyFront", study_id=study_id, limit=36)
        fronts.append([one["parameters"] for one in front["points"]])
    assert fronts[0] == fronts[1] != []


async def test_a_refused_generation_leaves_the_one_before_stored(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    spend, calls = accounts.spend, []

    async def refused(tx: Transaction, tiers: Any, project_id: str, evaluations: int) -> None:
        calls.append(evaluations)
        if len(calls) > 1:
            raise DomainError("QUOTA_EXCEEDED", "The month's evaluations are used.")
        await spend(tx, tiers, project_id, evaluations)

    monkeypatch.setattr(accounts, "spend", refused)
    study_id = await begin(node, await deployed(node))
    async with driven(node, beam):
        done = await ended(node, study_id)
    assert (done["counts"]["completed"], calls) == (12, [12] * 3), "the points of the second are undone"
    assert (done["status"], done["error"], done["generation"]) == ("cancelled", "The month's evaluations are used.", 1)


@pytest.mark.slow
async def test_a_failure_between_two_generations_stores_neither(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the first one counted as progress, the study would be driven for ever."""
    monkeypatch.setattr(driver, "PAUSE_SECONDS", 0.01)
    add = Course._add

    async def broken(self: Course, new: Mapping[int, Any], definition: Any) -> bool:
        if 0 in new:
            return await add(self, new, definition)
        raise ZeroDivisionError

    monkeypatch.setattr(Course, "_add", broken)
    study_id = await begin(node, await deployed(node))
    async with driven(node, beam):
        assert (await ended(node, study_id))["status"] == "failed"
    assert await run_sql(node.frame.db, _TOLD, s=study_id) == [{"told": 0}]


@pytest.mark.slow
async def test_a_study_after_another_takes_the_prepared_engine(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new process loads its libraries for half a second, in which no slot has points."""
    monkeypatch.setattr(prepared_engine, "PAUSE_SECONDS", 0.0)
    start, prepared = engine_process.start, asyncio.Event()
    started: list[tuple[str, ...]] = []

    async def counted(*options: str) -> asyncio.subprocess.Process:
        started.append(options)
        process = await start(*options)
        if options:
            asyncio.get_running_loop().call_soon(prepared.set)
        return process

    monkeypatch.setattr(engine_process, "start", counted)
    project = await deployed(node)
    async with driven(node, beam):
        first = await ended(node, await begin(node, project))
        async with asyncio.timeout(WAIT_SECONDS):
            await prepared.wait()
        second = await ended(node, await begin(node, project, seed=2))
    assert (first["status"], second["status"]) == ("completed", "completed")
    assert started[:2] == [(), ("--prepared",)]
    assert () not in started[1:], "the second study started no process of its own"
