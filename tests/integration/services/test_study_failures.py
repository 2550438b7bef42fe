"""Failures of the platform itself while it drives a study."""

from __future__ import annotations

from collections import Counter
from typing import Any

import psycopg
import pytest

from catenary_core.services.evaluations.studies import driver
from catenary_core.services.evaluations.studies.course import Course
from catenary_core.services.evaluations.studies.driver import Failures
from factories.services.evaluations import Node
from factories.services.studies import beam, begin, call, deployed, driven, ended

pytestmark = pytest.mark.slow


def test_pauses_grow_up_to_a_bound() -> None:
    failures = Failures()
    pauses = []
    while failures.reason is None:
        failures.add(of_engine=False)
        pauses.append(failures.pause)
    assert pauses == [5, 10, 20, 40, 80, 160, 300, 300]


def test_the_engine_has_fewer_tries_than_the_platform() -> None:
    failures = Failures()
    for _ in range(driver.ENGINE_TRIES - 1):
        failures.add(of_engine=True)
    assert failures.reason is None
    failures.add(of_engine=True)
    assert "engine" in str(failures.reason)


async def test_a_study_at_which_the_platform_fails_ends_and_is_resumed(
    node: Node, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Without a bound it would be driven for ever."""
    monkeypatch.setattr(driver, "PAUSE_SECONDS", 0.01)
    advance, tries = Course._advance, []

    async def broken(self: Course, *given: Any) -> bool:
        tries.append(given)
        raise ZeroDivisionError("a value of a row")

    monkeypatch.setattr(Course, "_advance", broken)
    study_id = await begin(node, await deployed(node))
    seen: Counter[int] = Counter()
    async with driven(node, beam, seen):
        failed = await ended(node, study_id)
        assert (failed["status"], len(tries)) == ("failed", driver.TRIES)
        assert failed["error"].startswith("The platform failed again and again")
        assert "row" not in failed["error"]
        assert "Division" not in failed["error"]
        logged = "".join(capfd.readouterr())
        assert study_id in logged
        assert "ZeroDivisionError" in logged
        assert "in broken" in logged or "broken" in logged
        assert "a value of a row" not in logged
        monkeypatch.setattr(Course, "_advance", advance)
        await call(node, "ResumeStudy", study_id=study_id)
        done = await ended(node, study_id)
    assert (done["status"], done["error"]) == ("completed", None)
    assert seen == dict.fromkeys(range(36), 1)


async def test_failures_with_a_generation_between_them_end_no_study(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(driver, "TRIES", 2)
    advance = Course._advance
    failed: set[int] = set()

    async def once(self: Course, asked: Any, told: Any) -> bool:
        if asked["generation"] not in failed:
            failed.add(asked["generation"])
            raise ZeroDivisionError
        return await advance(self, asked, told)

    monkeypatch.setattr(Course, "_advance", once)
    study_id = await begin(node, await deployed(node))
    async with driven(node, beam):
        done = await ended(node, study_id)
    assert (done["status"], failed) == ("completed", {1, 2, 3})


@pytest.mark.parametrize(
    ("error", "longest", "status"),
    [
        (psycopg.OperationalError, 300.0, "completed"),
        (psycopg.errors.QueryCanceled, 300.0, "failed"),
        (ZeroDivisionError, 0.0, "completed"),
    ],
)
async def test_an_outage_or_failures_far_between_end_no_study(
    node: Node, monkeypatch: pytest.MonkeyPatch, error: type[Exception], longest: float, status: str
) -> None:
    monkeypatch.setattr(driver, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(driver, "LONGEST_PAUSE_SECONDS", longest)
    monkeypatch.setattr(driver, "TRIES", 2)
    advance, tries = Course._advance, []

    async def twice(self: Course, asked: Any, told: Any) -> bool:
        tries.append(asked)
        if len(tries) <= 2:
            raise error
        return await advance(self, asked, told)

    monkeypatch.setattr(Course, "_advance", twice)
    study_id = await begin(node, await deployed(node))
    async with driven(node, beam):
        assert (await ended(node, study_id))["status"] == status


async def test_a_study_that_pauses_leaves_its_place(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "AT_ONCE", 1)
    run = Course.run

    async def broken(self: Course) -> None:
        if self._study_id == first:
            raise ZeroDivisionError
        await run(self)

    monkeypatch.setattr(Course, "run", broken)
    project = await deployed(node)
    first, second = await begin(node, project), await begin(node, project, budget=12)
    monkeypatch.setattr(driver, "PAUSE_SECONDS", 300.0)
    async with driven(node, beam):
        assert (await ended(node, second))["status"] == "completed"
