"""Names, notes and the reason of an algorithm of studies, and the rules by which they end before their budget."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest

from catenary_core.services.evaluations.studies import course
from catenary_core.services.evaluations.studies.course import EVENT_SECONDS
from factories.services import batches
from factories.services.calls import events_of
from factories.services.evaluations import Node, run_sql
from factories.services.studies import beam, begin, call, deployed, driven, ended, get, led, listed, refused, told

pytestmark = pytest.mark.sampled


@pytest.fixture
async def project(node: Node) -> str:
    return await deployed(node)


def flat(_: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the same outcome for every point."""
    return beam({"span": 10.0, "bays": 4, "braced": True})


STALLS = {"stop": {"stalled_generations": 2}}


async def test_a_study_ends_when_its_generations_stall(node: Node, project: str) -> None:
    references = [{"metric": "mass", "reference": 1000.0}, {"metric": "sag", "reference": 1000.0}]
    study_id = await begin(node, project, objectives=references, budget=120, **STALLS)
    assert (await get(node, study_id))["stop"] == {"seconds": None, "stalled_generations": 2}
    async with driven(node, flat):
        done = await ended(node, study_id)
    assert (done["status"], done["stopped_by"], done["error"]) == ("completed", "stalled_generations", None)
    assert (done["generation"], done["counts"]["total"]) == (3, 36)
    results = await listed(node, "ListStudyResults", study_id)
    assert {one["rank"] for one in results} == {1}, "the ranks of a completed study"


async def test_a_stopped_study_is_resumed_with_other_rules_and_its_own_points(node: Node, project: str) -> None:
    whole = await begin(node, project, budget=48)
    stopped = await begin(node, await deployed(node), budget=48, **STALLS)
    async with driven(node, flat):
        assert (await ended(node, stopped))["stopped_by"] == "stalled_generations"
        resumed = (await call(node, "ResumeStudy", study_id=stopped, stop={}))["study"]
        assert (resumed["status"], resumed["stop"], resumed["stopped_by"]) == ("queued", None, None)
        assert (await ended(node, stopped))["counts"]["completed"] == 48
        await ended(node, whole)
    results = [told(await listed(node, "ListStudyResults", study)) for study in (stopped, whole)]
    assert results[0] == results[1]
    again = await refused(node, "ResumeStudy", study_id=stopped)
    assert (again.reason, "used its budget" in again.message) == ("CONFLICT", True)


async def test_stalled_generations_are_counted_anew_after_a_resumption(node: Node, project: str) -> None:
    study_id = await begin(node, project, budget=120, **STALLS)
    async with driven(node, flat):
        first = await ended(node, study_id)
        await call(node, "ResumeStudy", study_id=study_id)
        second = await ended(node, study_id)
    assert (first["stopped_by"], second["stopped_by"]) == ("stalled_generations", "stalled_generations")
    assert second["generation"] == first["generation"] + 3


async def test_a_growing_front_does_not_stall(node: Node, project: str) -> None:
    """Each generation is better than the one before, by more than a thousandth."""
    best = 1000.0

    def better(at: Mapping[str, Any]) -> Mapping[str, Any]:
        nonlocal best
        best -= 1
        return {**beam(at), "metrics": {"mass": {"value": best, "unit": "kg"}, "sag": {"value": best, "unit": "mm"}}}

    study_id = await begin(node, project, stop={"stalled_generations": 1})
    async with driven(node, better):
        done = await ended(node, study_id)
    assert (done["counts"]["completed"], done["stopped_by"]) == (36, None)


async def test_a_study_ends_when_its_time_is_over(node: Node, project: str) -> None:
    """The points of the generation under way go; what ended of it keeps its result and has no rank."""
    study_id = await begin(node, project, stop={"seconds": 600})
    worker = node.worker()
    async with led(node):
        for _ in range(5):
            job = await worker.lease(5)
            assert job is not None
            await worker.complete_points(job, *[flat({}) for _ in job.points])
        assert await worker.lease(5) is not None, "a worker that never answers"
        shown = await get(node, study_id)
        assert shown["expected_end"] is not None
        earlier = "UPDATE evaluations.batch SET started_at = started_at - interval '600 s' WHERE batch_id = :s"
        await run_sql(node.frame.db, earlier, s=UUID(study_id))
        done = await ended(node, study_id)
    assert (done["status"], done["stopped_by"], done["error"]) == ("completed", "seconds", None)
    assert 0 < done["counts"]["total"] == done["counts"]["completed"] < 36
    results = await listed(node, "ListStudyResults", study_id)
    assert [one["rank"] for one in results if one["generation"] is None] == [None] * (
        done["counts"]["total"] - 12 * done["generation"]
    )
    assert await run_sql(node.frame.db, "SELECT * FROM jobs.job WHERE lease_until IS NULL") == []
    async with driven(node, flat):
        await call(node, "ResumeStudy", study_id=study_id, stop={"seconds": 3600})
        resumed = await ended(node, study_id)
    assert (resumed["counts"]["completed"], resumed["stopped_by"]) == (36, None)


async def test_a_sensitivity_takes_no_rules(node: Node, project: str) -> None:
    found = await refused(
        node,
        "CreateStudy",
        project_id=project,
        kind="STUDY_KIND_SENSITIVITY",
        objectives=[{"metric": "mass"}],
        budget=100,
        stop={"seconds": 60},
    )
    assert found.reason == "VALIDATION_ERROR"
    assert "takes its whole sample" in found.message


async def test_a_study_and_a_batch_show_their_names_and_notes(node: Node, project: str) -> None:
    study_id = await begin(node, project, name="Slender beams", note="First try.\nFor Friday.")
    shown = await get(node, study_id)
    assert (shown["name"], shown["note"]) == ("Slender beams", "First try.\nFor Friday.")
    made = await batches.call(
        node, "CreateBatch", project_id=project, evaluations=batches.spans(2), name="Spans", note="All of them."
    )
    batch = await batches.get(node, made["batch"]["batch_id"])
    assert (batch["name"], batch["note"], batch["error"], batch["expected_end"]) == (
        "Spans",
        "All of them.",
        None,
        None,
    )


async def test_a_running_batch_tells_when_it_will_end(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 8)
    worker = node.worker()
    job = await worker.lease()
    assert job is not None
    await asyncio.sleep(0.05)
    await worker.complete_points(job, *[batches.MASS for _ in job.points])
    found = await batches.get(node, batch_id)
    assert found["expected_end"] > found["updated_at"] > found["started_at"]


@pytest.mark.parametrize(
    ("given", "algorithm", "words"),
    [
        ({}, "nsga2", "two objectives"),
        ({"objectives": [{"metric": "mass"}]}, "tpe", "one objective and fewer than 300 points"),
        ({"objectives": [{"metric": "mass"}], "budget": 300, "population": 50}, "nsga2", "300 points or more"),
        ({"objectives": [{"metric": "mass"}], "budget": 200, "population": 60}, "nsga2", "over 50 points"),
        ({"algorithm": "STUDY_ALGORITHM_NSGA2"}, "nsga2", None),
    ],
)
async def test_a_chosen_algorithm_has_its_reason(
    node: Node, project: str, given: Mapping[str, Any], algorithm: str, words: str | None
) -> None:
    shown = await get(node, await begin(node, project, **given))
    assert shown["algorithm"] == algorithm
    assert (shown["algorithm_reason"] is None) if words is None else (words in shown["algorithm_reason"])


@pytest.mark.slow
async def test_points_that_run_too_long_are_infeasible_and_the_study_goes_on(node: Node) -> None:
    late = {"status": "timed_out", "error": {"code": "EVALUATION_TIMEOUT", "message": "took too long", "line": None}}

    def often(at: Mapping[str, Any]) -> Mapping[str, Any]:
        return late if at["braced"] else beam(at)

    study_id = await begin(node, await deployed(node), on_failure="STUDY_FAILURE_INFEASIBLE")
    async with driven(node, often):
        done = await ended(node, study_id)
    points = await listed(node, "ListStudyResults", study_id)
    counts = Counter(point["status"] for point in points)
    assert (done["status"], counts["completed"] > 0) == ("completed", True)
    assert done["counts"]["timed_out"] == counts["timed_out"] > 0
    assert all((point["status"] == "timed_out") == point["parameters"]["braced"] for point in points)
    assert not any(point["feasible"] for point in points if point["status"] == "timed_out")
    front = await listed(node, "ListStudyFront", study_id)
    assert front
    assert not any(point["parameters"]["braced"] for point in front)


@pytest.mark.slow
async def test_progress_is_told_twice_a_second_at_most(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three generations end in less than the shortest time between two events, which the test makes longer or nothing."""
    for seconds, events in ((3600.0, 1), (0.0, 3)):
        monkeypatch.setattr(course, "EVENT_SECONDS", seconds)
        study_id = await begin(node, await deployed(node))
        async with driven(node, beam):
            await ended(node, study_id)
        told = [one for one in await events_of(node.frame.db) if one["type"] == "model.study.progressed"]
        assert len([one for one in told if study_id in one["subject"]]) == events
    assert EVENT_SECONDS == 0.5
