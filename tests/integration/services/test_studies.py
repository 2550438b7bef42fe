"""Studies over the dispatcher, driven by a leader, with scripted workers over the gRPC door."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest

from catenary_core.call.errors import CallError
from catenary_core.settings import Tier
from catenary_core.studies import engine_process
from catenary_core.studies.engine_process import EngineFailedError, EngineProcess
from factories.services.calls import events_of
from factories.services.evaluations import USER, Node, open_node, refusal, run_sql
from factories.services.studies import (
    FAILED,
    OBJECTIVES,
    beam,
    begin,
    call,
    deployed,
    driven,
    ended,
    get,
    listed,
    refused,
    told,
    until,
)

BATCHES = "/catenary.platform.v1.BatchService/"


@pytest.fixture
async def project(node: Node) -> str:
    return await deployed(node)


async def test_a_study_without_a_budget_has_a_thousand_points(node: Node, project: str) -> None:
    many = {"kind": "STUDY_KIND_OPTIMIZATION", "objectives": OBJECTIVES, "project_id": project}
    begun = (await call(node, "CreateStudy", **many))["study"]
    assert (begun["budget"], begun["population"]) == (1_000, 100)


async def test_a_study_runs_to_its_budget_and_shows_its_front(node: Node, project: str) -> None:
    study_id = await begin(node, project)
    begun = await get(node, study_id)
    assert (begun["status"], begun["algorithm"], begun["population"], begun["budget"]) == ("queued", "nsga2", 12, 36)
    seen: Counter[int] = Counter()
    async with driven(node, beam, seen):
        done = await ended(node, study_id)
    assert done["status"] == "completed"
    assert (done["counts"]["total"], done["counts"]["completed"]) == (36, 36)
    assert seen == dict.fromkeys(range(36), 1)
    assert [one["generation"] for one in done["hypervolume"]] == [1, 2, 3] == list(range(1, done["generation"] + 1))
    assert [one["hypervolume"] for one in done["hypervolume"]] == sorted(
        one["hypervolume"] for one in done["hypervolume"]
    )
    assert len(done["reference"]) == 2
    assert done["created_by"] == {"user_id": USER, "staff_name": ""}

    results = await listed(node, "ListStudyResults", study_id, limit=10)
    assert [one["index"] for one in results] == list(range(36))
    for one in results:
        assert one["feasible"] == one["constraints"]["stiff"]["satisfied"]
        assert [value["value"] for value in one["objectives"]] == [
            one["metrics"]["mass"]["value"],
            one["metrics"]["sag"]["value"],
        ]
        assert (one["rank"] is None) == (not one["feasible"])
    front = await listed(node, "ListStudyFront", study_id, limit=3)
    assert front == [one for one in results if one["rank"] == 1]
    assert len(front) == done["front_size"] > 0
    shown = await call(node, "ListStudyFront", "viewer", study_id=study_id, representatives=2)
    assert shown["knee"] == shown["representatives"][0]
    assert set(shown["representatives"]) <= {one["index"] for one in front}
    first = await call(node, "ListStudyFront", "viewer", study_id=study_id, representatives=2, limit=1)
    assert (first["knee"], first["representatives"]) == (shown["knee"], shown["representatives"])
    more = {"representatives": 2, "limit": 1, "cursor": first["next_cursor"]}
    second = await call(node, "ListStudyFront", "viewer", study_id=study_id, **more)
    assert (second["points"], second["knee"], second["representatives"]) == (front[1:2], None, [])

    ends = [event for event in await events_of(node.frame.db) if event["type"] == "model.study.completed"]
    assert [event["subject"] for event in ends] == [f"/v1/studies/{study_id}"]
    told_of = {name: value for name, value in done.items() if name != "note"}
    assert ends[0]["data"] == {"study": told_of | {"created_by": {"user_id": USER}}}
    progressed = [event for event in await events_of(node.frame.db) if event["type"] == "model.study.progressed"]
    assert progressed
    assert {event["project_id"] for event in progressed} == {project}
    assert progressed[0]["data"]["study"]["hypervolume"] == done["hypervolume"][:1]
    constant = {"objectives", "constraints", "parameters", "start_from", "derived_metrics", "note", "stop"}
    constant.add("algorithm_reason")
    assert done.keys() - progressed[0]["data"]["study"].keys() == constant
    assert (await run_sql(node.frame.db, "SELECT count(*) AS n FROM jobs.job"))[0]["n"] == 0
    assert (await call(node, "ListStudies", "viewer", project_id=project))["studies"] == [done]


@pytest.mark.parametrize("repeatable", [True, False])
async def test_points_of_a_study_share_a_process_as_those_of_batches(
    node: Node, project: str, repeatable: bool
) -> None:
    await run_sql(node.frame.db, "UPDATE models.model_version SET repeatable = :repeatable", repeatable=repeatable)
    await begin(node, project)
    (row,) = await run_sql(node.frame.db, "SELECT payload FROM evaluations.study")
    assert row["payload"]["repeatable"] == repeatable


async def test_a_study_shows_how_each_parameter_is_spread(node: Node, project: str) -> None:
    given = {"span": {"min": 10.0, "distribution": "STUDY_DISTRIBUTION_UNIFORM"}, "braced": {}}
    shown = (await get(node, await begin(node, project, parameters=given)))["parameters"]
    assert {name: (one["min"], one["distribution"]) for name, one in shown.items()} == {
        "span": (10.0, "uniform"),
        "braced": (None, "uniform"),
    }


async def test_the_batch_of_a_study_is_none_of_the_batches(node: Node, project: str) -> None:
    study_id = await begin(node, project)
    request = node.dispatch.bindings[BATCHES + "ListBatches"].request(project_id=project)
    shown = await node.dispatch.call(BATCHES + "ListBatches", request, {"authorization": "viewer"})
    assert shown.body["batches"] == []
    for method in ("GetBatch", "DeleteBatch", "ListBatchResults"):
        one = node.dispatch.bindings[BATCHES + method].request(batch_id=study_id)
        with pytest.raises(CallError) as caught:
            await node.dispatch.call(BATCHES + method, one, {"authorization": "evaluator"})
        assert refusal(caught.value).reason == "NOT_FOUND"


@pytest.mark.slow
@pytest.mark.parametrize("points", [3, 17, 30])
async def test_a_study_goes_on_in_another_process_without_repeating_a_point(
    dsn: str, tmp_path: Path, points: int
) -> None:
    """The first node is gone in the middle: its engine is killed, its leader's connection closed, its lease never ends."""
    async with open_node(dsn, tmp_path) as node:
        whole = await begin(node, project := await deployed(node))
        async with driven(node, beam):
            await ended(node, whole)
        other = await deployed(node)
        cut = await begin(node, other)
        before_cut: Counter[int] = Counter()
        async with driven(node, beam, before_cut):
            await until(node, cut, lambda study: sum(before_cut.values()) >= points)
    after_cut: Counter[int] = Counter()
    async with open_node(dsn, tmp_path) as node:
        # Only now: the first node stores what had reached it until its end.
        results = await listed(node, "ListStudyResults", cut)
        finished = {one["index"] for one in results if one["status"] == "completed"}
        async with driven(node, beam, after_cut):
            done = await ended(node, cut)
        assert done["counts"]["completed"] == 36
        # What the first worker held and did not finish is leased again.
        assert after_cut == dict.fromkeys(set(range(36)) - finished, 1)
        first, second = [await listed(node, "ListStudyResults", one) for one in (whole, cut)]
        assert told(second) == told(first)
        before, after = await get(node, whole), await get(node, cut)
        assert (after["hypervolume"], after["reference"]) == (before["hypervolume"], before["reference"])
        assert project != other


@pytest.mark.slow
async def test_a_cancelled_study_is_resumed_where_it_ended(node: Node, project: str) -> None:
    whole = await begin(node, project)
    async with driven(node, beam):
        await ended(node, whole)
    other = await deployed(node)
    study_id = await begin(node, other)
    async with driven(node, beam):
        await until(node, study_id, lambda study: study["counts"]["completed"] >= 14)
        cancelled = (await call(node, "CancelStudy", study_id=study_id))["study"]
        assert cancelled["status"] == "cancelled"
        assert cancelled["counts"]["queued"] == cancelled["counts"]["running"] == 0
        again = (await call(node, "CancelStudy", study_id=study_id))["study"]
        assert again == cancelled
        resumed = (await call(node, "ResumeStudy", study_id=study_id))["study"]
        assert (resumed["status"], resumed["completed_at"]) == ("queued", None)
        assert (await refused(node, "ResumeStudy", study_id=study_id)).reason == "CONFLICT"
        done = await ended(node, study_id)
    assert done["status"] == "completed"
    first, second = [await listed(node, "ListStudyResults", one) for one in (whole, study_id)]
    assert told(second) == told(first)


@pytest.mark.slow
async def test_a_budget_may_grow(node: Node, project: str) -> None:
    short = await begin(node, project, budget=17)
    long = await begin(node, await deployed(node), budget=36)
    async with driven(node, beam):
        await ended(node, short)
        assert (await refused(node, "ResumeStudy", study_id=short)).reason == "CONFLICT"
        assert (await refused(node, "ResumeStudy", study_id=short, budget=16)).reason == "VALIDATION_ERROR"
    assert any(one["rank"] for one in await listed(node, "ListStudyResults", short))
    await call(node, "ResumeStudy", study_id=short, budget=36)
    assert not any(one["rank"] for one in await listed(node, "ListStudyResults", short))
    async with driven(node, beam):
        done = await ended(node, short)
        await ended(node, long)
    assert (done["budget"], done["counts"]["completed"]) == (36, 36)
    first, second = [await listed(node, "ListStudyResults", one) for one in (long, short)]
    assert told(second) == told(first)


@pytest.mark.slow
async def test_a_budget_that_grows_while_the_engine_is_asked_is_used(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine that has no more points was begun with the budget before."""
    study_id = await begin(node, project, budget=17)
    ask = EngineProcess.ask
    resumed = []

    async def late(self: EngineProcess) -> dict[str, Any]:
        asked = await ask(self)
        if not asked["points"] and not resumed:
            await call(node, "CancelStudy", study_id=study_id)
            resumed.append(await call(node, "ResumeStudy", study_id=study_id, budget=36))
        return asked

    monkeypatch.setattr(EngineProcess, "ask", late)
    async with driven(node, beam):
        await until(node, study_id, lambda _: bool(resumed))
        done = await ended(node, study_id)
    assert (done["status"], done["budget"], done["counts"]["completed"]) == ("completed", 36, 36)


@pytest.mark.slow
async def test_contradictory_constraints_give_an_empty_front(node: Node, project: str) -> None:
    never = [{"expression": "span > 40 m and span < 10 m"}]
    study_id = await begin(node, project, constraints=never)
    async with driven(node, beam):
        done = await ended(node, study_id)
    assert (done["status"], done["front_size"]) == ("completed", 0)
    front = await call(node, "ListStudyFront", "viewer", study_id=study_id, representatives=5)
    assert front == {"points": [], "next_cursor": None, "knee": None, "representatives": []}


@pytest.mark.slow
async def test_failed_points_are_infeasible_tried_again_or_the_end(node: Node) -> None:
    def often(at: Mapping[str, Any]) -> Mapping[str, Any]:
        return FAILED if at["braced"] else beam(at)

    for treatment, tries in (("INFEASIBLE", 1), ("RETRY", 2)):
        study_id = await begin(node, await deployed(node), on_failure=f"STUDY_FAILURE_{treatment}")
        seen: Counter[int] = Counter()
        async with driven(node, often, seen):
            done = await ended(node, study_id)
        assert done["status"] == "completed"
        assert done["counts"]["failed"] > 0
        assert done["counts"]["total"] == 36
        for one in await listed(node, "ListStudyResults", study_id):
            assert (one["status"] == "failed") == one["parameters"]["braced"]
            assert seen[one["index"]] == (tries if one["parameters"]["braced"] else 1)
            if one["status"] == "failed":
                assert (one["feasible"], one["error"]) == (False, FAILED["error"])

    study_id = await begin(node, await deployed(node), on_failure="STUDY_FAILURE_STOP")
    async with driven(node, often):
        done = await ended(node, study_id)
    assert done["status"] == "failed"
    assert "stops at failures" in done["error"]
    await call(node, "ResumeStudy", study_id=study_id)
    async with driven(node, beam):
        assert (await ended(node, study_id))["status"] == "completed"


async def test_a_sensitivity_gives_indices(node: Node, project: str) -> None:
    study_id = await begin(
        node,
        project,
        kind="STUDY_KIND_SENSITIVITY",
        objectives=[{"metric": "mass"}, {"expression": "sag / span"}],
        population=None,
        budget=80,
    )
    async with driven(node, beam):
        done = await ended(node, study_id)
    assert (done["status"], done["algorithm"], done["counts"]["total"]) == ("completed", "morris", 80)
    mass, sag = (await call(node, "GetStudyIndices", "viewer", study_id=study_id))["indices"]
    assert (mass["objective"]["metric"], sag["objective"]["expression"]) == ("mass", "sag / span")
    by_name = {index["parameter"]: index for index in sag["parameters"]}
    assert list(by_name) == ["span", "bays", "braced", "steel"]
    assert by_name["span"]["mu_star"] == pytest.approx(0, abs=1e-9)
    assert by_name["bays"]["mu_star"] > by_name["braced"]["mu_star"] > 0
    assert by_name["bays"]["s1"] is None
    assert (await refused(node, "ResumeStudy", study_id=study_id, budget=90)).reason == "VALIDATION_ERROR"


@pytest.mark.slow
async def test_the_expected_end_is_that_of_the_pace_since_the_study_was_resumed(node: Node, project: str) -> None:
    study_id = await begin(node, project, budget=17)
    async with driven(node, beam):
        await ended(node, study_id)
    await call(node, "ResumeStudy", study_id=study_id, budget=57)
    assert (await get(node, study_id))["expected_end"] is None
    # Ten of forty points in a minute, long after the first run.
    await run_sql(
        node.frame.db,
        "UPDATE evaluations.study SET status = 'running', started_at = '2030-01-01T00:00Z', updated_at = '2030-06-01T00:01Z'",
    )
    await run_sql(
        node.frame.db,
        "UPDATE evaluations.batch SET started_at = '2030-06-01T00:00Z', total = total + 10, completed = completed + 10",
    )
    assert (await get(node, study_id))["expected_end"] == "2030-06-01T00:04:00.000000Z"


async def test_what_is_refused_adds_nothing(node: Node, project: str) -> None:
    many = {"kind": "STUDY_KIND_OPTIMIZATION", "objectives": OBJECTIVES, "budget": 36, "project_id": project}
    for fields, field in (
        ({"objectives": [{"metric": "mas"}]}, "objectives[0].metric"),
        ({"objectives": [{"expression": "mass + span"}]}, "objectives[0].expression"),
        ({"objectives": []}, "objectives"),
        ({"objectives": [{"metric": "mass", "reference": math.nan}]}, "objectives[0].reference"),
        ({"constraints": [{"metric": "mass", "op": "<=", "value": math.inf}]}, "constraints[0].value"),
        ({"parameters": {"span": {"min": -math.inf}}}, "parameters.span.min"),
        ({"parameters": {"span": {"max": math.nan}}}, "parameters.span.max"),
        ({"budget": 0}, "budget"),
        ({"budget": 1_000_000_000}, "budget"),
        ({"parameters": {"span": {"min": 20, "max": 10}}}, "parameters.span.min"),
        ({"parameters": {"span": {"fixed": {"text": "1e9"}}}}, "span"),
        ({"parameters": {"span": {"distribution": 2}}}, "parameters.span.distribution"),
        ({"population": 1}, "population"),
        ({"kind": "STUDY_KIND_UNSPECIFIED"}, "kind"),
    ):
        found = await refused(node, "CreateStudy", **{**many, **fields})
        assert found.details["parameter"] == field, fields
    assert (await refused(node, "CreateStudy", "viewer", **many)).reason == "PERMISSION_DENIED"
    assert await run_sql(node.frame.db, "SELECT study_id FROM evaluations.study") == []
    assert await run_sql(node.frame.db, "SELECT batch_id FROM evaluations.batch") == []


async def test_a_user_has_ten_studies_at_a_time(node: Node, project: str) -> None:
    ids = [await begin(node, project) for _ in range(10)]
    many = {"kind": "STUDY_KIND_OPTIMIZATION", "objectives": OBJECTIVES, "budget": 36, "project_id": project}
    assert (await refused(node, "CreateStudy", **many)).reason == "RATE_LIMIT_EXCEEDED"
    await call(node, "CancelStudy", study_id=ids[0])
    assert (await get(node, ids[0]))["status"] == "cancelled"
    ids.append(await begin(node, project))
    assert (await refused(node, "ResumeStudy", study_id=ids[0])).reason == "RATE_LIMIT_EXCEEDED"
    assert (await refused(node, "DeleteStudy", study_id=ids[0])).reason == "CONFLICT"
    assert (await call(node, "DeleteStudy", study_id=ids[0], remove=True))["study"]["status"] == "cancelled"
    for method in ("GetStudy", "ListStudyResults", "ListStudyFront", "GetStudyIndices", "ResumeStudy", "CancelStudy"):
        assert (await refused(node, method, study_id=ids[0])).reason == "NOT_FOUND", method
    shown = await call(node, "ListStudies", "viewer", project_id=project, status=["STUDY_STATUS_QUEUED"], limit=4)
    assert [one["study_id"] for one in shown["studies"]] == ids[:-5:-1]


@pytest.mark.slow
async def test_an_engine_that_fails_again_and_again_ends_its_study(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_process, "_COMMAND", ("/bin/false",))
    monkeypatch.setattr("catenary_core.services.evaluations.studies.driver.PAUSE_SECONDS", 0.01)
    study_id = await begin(node, project)
    async with driven(node, beam):
        done = await ended(node, study_id)
    assert done["status"] == "failed"
    assert "again and again" in done["error"]


@pytest.mark.slow
async def test_an_engine_that_fails_once_a_generation_ends_no_study(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell = EngineProcess.tell
    failed: set[bytes] = set()

    async def often(self: EngineProcess, outcomes: Any) -> dict[str, Any]:
        first = orjson.dumps(outcomes[0]["parameters"])
        if first not in failed:
            failed.add(first)
            raise EngineFailedError("once")
        return await tell(self, outcomes)

    monkeypatch.setattr(EngineProcess, "tell", often)
    monkeypatch.setattr("catenary_core.services.evaluations.studies.driver.PAUSE_SECONDS", 0.01)
    study_id = await begin(node, project)
    async with driven(node, beam):
        done = await ended(node, study_id)
    assert (done["status"], len(failed)) == ("completed", 3)


@pytest.mark.slow
async def test_a_study_whose_version_is_gone_is_cancelled(node: Node, project: str) -> None:
    study_id = await begin(node, project)
    await run_sql(node.frame.db, "UPDATE models.model_version SET deleted_at = clock_timestamp()")
    async with driven(node, beam):
        done = await ended(node, study_id)
    assert (done["status"], done["error_code"]) == ("cancelled", "NOT_FOUND")
    assert "project was deleted" in done["error"], (
        "a version that an unfinished study names goes with its project alone"
    )


async def test_a_study_of_a_deleted_version_is_not_resumed(node: Node, project: str) -> None:
    study_id = await begin(node, project)
    await call(node, "CancelStudy", study_id=study_id)
    await run_sql(node.frame.db, "UPDATE models.model_version SET deleted_at = clock_timestamp()")
    refusal = await refused(node, "ResumeStudy", study_id=study_id)
    assert refusal.reason == "CONFLICT"
    assert "model version of this study was deleted" in str(refusal)
    assert (await get(node, study_id))["status"] == "cancelled"


@pytest.mark.slow
async def test_a_study_without_evaluations_left_is_cancelled_and_goes_on_next_month(dsn: str, tmp_path: Path) -> None:
    tiers = {"standard": Tier(evaluations=30, compute_seconds=None, storage_bytes=None)}
    async with open_node(dsn, tmp_path, tiers=tiers) as node:
        study_id = await begin(node, await deployed(node))
        seen: Counter[int] = Counter()
        async with driven(node, beam, seen):
            done = await ended(node, study_id)
            assert (done["status"], done["generation"], done["counts"]["completed"]) == ("cancelled", 2, 24)
            assert "evaluations" in done["error"]
            await run_sql(node.frame.db, "UPDATE quotas.user_month SET evaluations = 0")
            await call(node, "ResumeStudy", study_id=study_id)
            resumed = await ended(node, study_id)
    assert (resumed["status"], resumed["error"], resumed["counts"]["completed"]) == ("completed", None, 36)
    assert seen == dict.fromkeys(range(36), 1)
