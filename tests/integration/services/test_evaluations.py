"""Evaluating a deployed model: over the dispatcher, and over the gRPC door with scripted workers."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import structlog

from catenary.platform.v1 import evaluation_pb2
from catenary.platform.v1 import evaluation_service_pb2 as platform
from catenary.worker.v1 import worker_service_pb2 as worker_pb
from catenary_core.call import prefer
from catenary_core.call.errors import CallError
from catenary_core.database.statements import Statement
from catenary_core.jobs import queue
from catenary_core.jobs.queue import JobEnd
from catenary_core.services.evaluations import queries, rules
from catenary_core.services.evaluations.messages import MAX_EVENT_TABLES
from catenary_core.services.evaluations.owner import EvaluationOwner
from factories.checks import running_clock
from factories.checks.timestamps import moment
from factories.services.calls import events_of
from factories.services.evaluations import (
    DIGEST,
    PARAMETERS,
    USER,
    Node,
    Refusal,
    deploy,
    end_waiters,
    open_node,
    parameter,
    refusal,
    run_sql,
    unpolled,
)

RESULT = {
    "metrics": {"mass": {"value": 12, "unit": "kg"}, "use": {"value": 0.5, "unit": None}},
    "constraints": {
        "strength": {"value": 0.5, "satisfied": True, "metric": "use", "op": "<=", "limit": 1.0, "unit": None},
    },
    "tables": {"members": [{"name": "a", "force": -1.5, "ok": True, "note": None}]},
}


async def _result(job: worker_pb.Job) -> dict[str, Any]:
    return dict(RESULT)


async def _refused(node: Node, method: str, caller: str = "evaluator", **fields: Any) -> Refusal:
    with pytest.raises(CallError) as caught:
        await node.call(method, caller, **fields)
    return refusal(caught.value)


async def _queued(node: Node, project: str, **given: Any) -> str:
    answer = await node.evaluate(project, given, prefer="respond-async")
    assert answer.body["evaluation"]["status"] == "queued"
    return str(answer.body["evaluation"]["evaluation_id"])


async def _get(node: Node, evaluation_id: str, prefer: str = "") -> dict[str, Any]:
    answer = await node.call("GetEvaluation", "viewer", evaluation_id=evaluation_id, prefer=prefer)
    found: dict[str, Any] = answer.body["evaluation"]
    return found


def _besides_limits(metadata: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in metadata.items() if not name.startswith("x-ratelimit-")}


async def test_an_evaluation_is_answered_with_its_result(node: Node, project: str) -> None:
    async with node.worker().running(_result):
        answer = await node.evaluate(project, {"span": {"value": 30_000, "unit": "mm"}, "bays": 3.0})
    assert answer.metadata.keys() == {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"}
    assert (answer.metadata["x-ratelimit-limit"], answer.metadata["x-ratelimit-remaining"]) == ("100", "99")
    found = answer.body["evaluation"]
    assert list(found) == [field.name for field in platform.EvaluateResponse().evaluation.DESCRIPTOR.fields]
    assert (found["status"], found["cached"], found["error"]) == ("completed", False, None)
    assert found["created_by"] == {"user_id": USER, "staff_name": ""}
    assert found["parameters"] == {"bays": 3, "braced": True, "span": 30.0, "steel": "S355", "title": "bridge"}
    assert {name: found[name] for name in RESULT} == RESULT
    assert list(found["metrics"]) == ["mass", "use"]
    assert found["duration_ms"] == 1.5
    times = [moment(found[name]) for name in ("created_at", "started_at", "completed_at")]
    assert times == sorted(times)
    assert found["updated_at"] == found["completed_at"]
    assert await _get(node, found["evaluation_id"]) == found
    (event,) = await events_of(node.frame.db)
    assert (event["type"], event["project_id"], event["actor_id"]) == ("model.evaluation.completed", project, USER)
    assert event["subject"] == f"/v1/evaluations/{found['evaluation_id']}"
    assert event["data"] == {"evaluation": found | {"created_by": {"user_id": USER}}}
    assert await run_sql(node.frame.db, "SELECT * FROM jobs.job") == []


async def test_both_doors_give_the_same_evaluation(node: Node, project: str) -> None:
    async with node.worker().running(_result):
        request = platform.EvaluateRequest(project_id=project)
        request.parameters["span"].text = "30"
        over_grpc = (await node.user().Evaluate(request, metadata=(("authorization", "evaluator"),))).evaluation
        inside = (await node.evaluate(project, {"span": 30})).body["evaluation"]
    assert over_grpc.evaluation_id == inside["evaluation_id"]
    assert over_grpc.parameters["span"].text == "30.0"
    assert over_grpc.metrics["mass"].value.text == "12"
    assert inside["cached"]


async def test_without_a_deployed_version_there_is_nothing_to_evaluate(node: Node, project: str) -> None:
    await run_sql(node.frame.db, "UPDATE models.deployment SET status = 'retired'")
    assert (await _refused(node, "Evaluate", project_id=project)).reason == "MODEL_NOT_DEPLOYED"


async def test_refused_values_leave_nothing_behind(node: Node, project: str) -> None:
    for text, reason in [
        ("61", "PARAMETER_OUT_OF_RANGE"),
        ("NaN", "VALIDATION_ERROR"),
        ("1e999", "VALIDATION_ERROR"),
        ("-18446744073709551615", "VALIDATION_ERROR"),
        ("", "VALIDATION_ERROR"),
        ("[" * 5000, "VALIDATION_ERROR"),
        ('"\\u0000"', "VALIDATION_ERROR"),
    ]:
        refused = await _refused(node, "Evaluate", project_id=project, parameters={"span": {"text": text}})
        assert refused.reason == reason
        assert "span" in refused.details["parameter"]
    refused = await _refused(
        node, "Evaluate", project_id=project, parameters={"spam": {"text": "1"}, "bays": {"text": '"x"'}}
    )
    assert refused.violations == [("spam", "unknown"), ("bays", "type")]
    assert await run_sql(node.frame.db, "SELECT * FROM evaluations.evaluation") == []
    assert await run_sql(node.frame.db, "SELECT * FROM jobs.job") == []


async def test_a_model_that_fails_or_times_out_is_an_answer_and_an_event(node: Node, project: str) -> None:
    errors = {
        "failed": {"code": "MODEL_FAILED", "message": "ZeroDivisionError: division by zero", "line": 7},
        "timed_out": {"code": "EVALUATION_TIMEOUT", "message": "The model ran longer than 60 s.", "line": None},
    }

    async def script(job: worker_pb.Job) -> dict[str, Any]:
        status = job.parameters["title"].text.strip('"')
        return {"status": status, "error": errors[status], "metrics": RESULT["metrics"]}

    async with node.worker().running(script):
        for status, error in errors.items():
            found = (await node.evaluate(project, {"title": status})).body["evaluation"]
            assert (found["status"], found["error"], found["metrics"]) == (status, error, {})
    assert [event["type"] for event in await events_of(node.frame.db)] == ["model.evaluation.failed"] * 2


async def test_only_completed_evaluations_are_reused(node: Node, project: str) -> None:
    outcomes = iter([{"status": "failed", "error": {"code": "MODEL_FAILED", "message": "x", "line": 1}}, RESULT])

    async def script(job: worker_pb.Job) -> dict[str, Any]:
        return dict(next(outcomes))

    async with node.worker().running(script) as worker:
        first, second, third = [(await node.evaluate(project)).body["evaluation"] for _ in range(3)]
        assert (first["status"], second["status"]) == ("failed", "completed")
        assert third == {**second, "cached": True}
        assert worker.ran == [first["evaluation_id"], second["evaluation_id"]]
    assert len(await events_of(node.frame.db)) == 2


async def test_force_computes_again_and_the_newest_result_is_then_the_stored_one(node: Node, project: str) -> None:
    async with node.worker().running(_result):
        first = (await node.evaluate(project)).body["evaluation"]
        forced = (await node.evaluate(project, force=True)).body["evaluation"]
        stored = (await node.evaluate(project)).body["evaluation"]
    assert not forced["cached"]
    assert first["evaluation_id"] != forced["evaluation_id"] == stored["evaluation_id"]
    assert stored["cached"]


async def test_another_project_version_or_runtime_gets_nothing_of_a_stored_result(node: Node, project: str) -> None:
    db, objects = node.frame.db, node.frame.objects
    async with node.worker().running(_result):
        first = (await node.evaluate(project)).body["evaluation"]
        other, _ = await deploy(db, objects)
        assert not (await node.evaluate(other)).body["evaluation"]["cached"]
        await deploy(db, objects, project_id=project)
        assert not (await node.evaluate(project)).body["evaluation"]["cached"]
        stored = (await node.evaluate(project)).body["evaluation"]
        assert stored["cached"]
    assert stored["model_version_id"] != first["model_version_id"]
    newer = node.worker(digest="runtime-2")
    assert await newer.lease(0) is None, "the runtime is known before the request"
    async with newer.running(_result):
        assert not (await node.evaluate(project)).body["evaluation"]["cached"]
        assert (await node.evaluate(project)).body["evaluation"]["cached"]


@pytest.mark.slow
async def test_a_result_counts_for_the_runtime_that_made_it_not_for_the_one_expected(node: Node, project: str) -> None:
    old, new = node.worker("old", "runtime-1"), node.worker("new", "runtime-2")
    assert await old.lease(0) is None
    asked = asyncio.create_task(node.evaluate(project))
    await asyncio.sleep(0.1)
    job = await new.must_lease()
    await new.complete(job, **RESULT)
    made = (await asked).body["evaluation"]["evaluation_id"]
    assert (await node.evaluate(project)).body["evaluation"]["evaluation_id"] == made
    await asyncio.sleep(2.1)
    assert await old.lease(0) is None
    again = await node.evaluate(project, prefer="respond-async")
    assert again.body["evaluation"]["evaluation_id"] != made


async def test_twenty_equal_requests_on_two_nodes_are_computed_once(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path) as one, open_node(dsn, tmp_path) as two:
        project, _ = await deploy(one.frame.db, one.frame.objects)
        first, second = one.worker("w1"), two.worker("w2")
        assert await first.lease(0) is None, "the runtime is known before the requests"
        for turn in range(5):
            async with first.running(_result), second.running(_result):
                answers = await asyncio.gather(
                    *(node.evaluate(project, {"title": f"{turn}"}) for node in (one, two) for _ in range(10))
                )
            found = [answer.body["evaluation"] for answer in answers]
            assert len({evaluation["evaluation_id"] for evaluation in found}) == 1
            assert {evaluation["status"] for evaluation in found} == {"completed"}
            assert [evaluation["cached"] for evaluation in found].count(False) == 1
            assert len(first.ran) + len(second.ran) == turn + 1
        assert len(await events_of(one.frame.db)) == 5


async def test_equal_forced_requests_are_each_computed(node: Node, project: str) -> None:
    async with node.worker().running(_result):
        answers = await asyncio.gather(*(node.evaluate(project, force=True) for _ in range(5)))
    assert len({answer.body["evaluation"]["evaluation_id"] for answer in answers}) == 5


@pytest.mark.parametrize("guarded", [True, False])
async def test_a_request_that_meets_the_commit_of_an_equal_result_gets_that_result(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch, *, guarded: bool
) -> None:
    if not guarded:
        never = sa.text("SELECT false AS found WHERE CAST(:cache_keys AS bytea[]) IS NOT NULL")
        monkeypatch.setattr(queries, "STORED", Statement(never))
    worker = node.worker()
    assert await worker.lease(0) is None, "the runtime is known before the requests"
    first = await _queued(node, project)
    await worker.must_lease()
    ended = JobEnd("completed", None, None, None, {}, {}, {}, [], 1.0, DIGEST)
    async with node.frame.db.transaction() as tx:
        job = (await run_sql(node.frame.db, "SELECT * FROM jobs.job"))[0]
        assert await queue.end(tx, first, job["lease_token"]) is not None
        await EvaluationOwner(end_waiters(node.frame.db, node.frame.wakeups)).ended(tx, job, ended)
        meets = asyncio.create_task(node.evaluate(project, prefer="wait=1"))
        await asyncio.sleep(0.3)
        assert not meets.done(), "it waits for the uncommitted end"
    found = (await meets).body["evaluation"]
    assert (found["evaluation_id"] == first) is guarded
    assert found["cached"] is guarded
    assert len(await run_sql(node.frame.db, "SELECT * FROM jobs.job")) == (0 if guarded else 1)


async def test_an_equal_request_computes_anew_when_the_first_was_cancelled(node: Node, project: str) -> None:
    first = await _queued(node, project)
    joined = asyncio.create_task(node.evaluate(project))
    await asyncio.sleep(0.1)
    await node.call("CancelEvaluation", evaluation_id=first)
    async with node.worker().running(_result):
        found = (await joined).body["evaluation"]
    assert (found["status"], found["cached"]) == ("completed", False)
    assert found["evaluation_id"] != first


async def test_a_caller_that_does_not_wait_gets_202_and_reads_the_end_later(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpolled(monkeypatch)
    answer = await node.evaluate(project, prefer="respond-async")
    evaluation_id = answer.body["evaluation"]["evaluation_id"]
    assert _besides_limits(answer.metadata) == {
        "catenary-status": "202",
        "location": f"/v1/evaluations/{evaluation_id}",
        "retry-after": "1",
        "preference-applied": "respond-async",
    }
    worker = node.worker()
    job = await worker.must_lease()
    running = await _get(node, evaluation_id)
    assert (running["status"], running["completed_at"]) == ("running", None)
    waiting = asyncio.create_task(
        node.call("GetEvaluation", timeout=120, evaluation_id=evaluation_id, prefer="wait=60")
    )
    await asyncio.sleep(0.1)
    await worker.complete(job, **RESULT)
    start = running_clock.seconds()
    assert (await waiting).body["evaluation"]["status"] == "completed"
    assert running_clock.seconds() - start < 30, "woken, not at the end of its wait"


@pytest.mark.slow
async def test_a_wait_ends_after_its_seconds_and_before_the_deadline(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, began = running_clock.seconds(), time.monotonic()
    answer = await node.evaluate(project, prefer="wait=1")
    assert time.monotonic() - began > 0.9
    assert running_clock.seconds() - start < 10
    assert answer.metadata["catenary-status"] == "202"
    assert answer.metadata["preference-applied"] == "wait=1"
    start, began = running_clock.seconds(), time.monotonic()
    answer = await node.call("GetEvaluation", evaluation_id=answer.body["evaluation"]["evaluation_id"], prefer="wait=1")
    assert time.monotonic() - began > 0.9
    assert running_clock.seconds() - start < 10
    assert answer.metadata.pop("etag").startswith('W/"')
    assert answer.metadata == {"retry-after": "1", "preference-applied": "wait=1"}
    monkeypatch.setattr(prefer, "_MARGIN", 60.0)
    start = running_clock.seconds()
    answer = await node.call("Evaluate", timeout=60.5, project_id=project, prefer="wait=60")
    assert running_clock.seconds() - start < 30, "so long before the deadline of the call"
    assert answer.metadata["catenary-status"] == "202"


async def test_a_caller_that_goes_away_leaves_its_evaluation_running(node: Node, project: str) -> None:
    asked = asyncio.create_task(node.evaluate(project))
    worker = node.worker()
    job = await worker.must_lease()
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    await worker.complete(job, **RESULT)
    assert (await _get(node, job.job_id))["status"] == "completed"


async def test_waiters_on_another_node_are_woken(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unpolled(monkeypatch)
    async with open_node(dsn, tmp_path) as one, open_node(dsn, tmp_path) as two:
        project, _ = await deploy(one.frame.db, one.frame.objects)
        await one.hears()
        await two.hears()
        async with two.worker().running(_result):
            start = running_clock.seconds()
            answer = await one.evaluate(project, prefer="wait=60", timeout=120)
            assert answer.body["evaluation"]["status"] == "completed"
            assert running_clock.seconds() - start < 30, "woken, not at the end of its wait"


async def test_a_queued_evaluation_is_cancelled_once(node: Node, project: str) -> None:
    evaluation_id = await _queued(node, project)
    waiting = asyncio.create_task(_get(node, evaluation_id, "wait=10"))
    await asyncio.sleep(0.05)
    found = (await node.call("CancelEvaluation", evaluation_id=evaluation_id)).body["evaluation"]
    assert (found["status"], found["error"]) == ("cancelled", None)
    assert await waiting == found
    assert await node.worker().lease(0) is None
    (event,) = await events_of(node.frame.db)
    assert (event["type"], event["actor_id"]) == ("model.evaluation.failed", USER)


async def test_a_running_evaluation_is_cancelled_and_its_worker_told(node: Node, project: str) -> None:
    evaluation_id = await _queued(node, project)
    worker = node.worker()
    job = await worker.must_lease()
    assert not await worker.heartbeat(job)
    await node.call("CancelEvaluation", evaluation_id=evaluation_id)
    assert await worker.heartbeat(job)
    with pytest.raises(Exception) as caught:
        await worker.complete(job, **RESULT)
    assert refusal(caught.value).reason == "CONFLICT"
    assert (await _get(node, evaluation_id))["status"] == "cancelled"
    assert len(await events_of(node.frame.db)) == 1


async def test_a_completion_and_a_cancellation_at_once_give_one_end(node: Node, project: str) -> None:
    worker = node.worker()
    for index in range(10):
        evaluation_id = await _queued(node, project, title=f"{index}")
        job = await worker.must_lease()
        ends = await asyncio.gather(
            worker.complete(job, **RESULT),
            node.call("CancelEvaluation", evaluation_id=evaluation_id),
            return_exceptions=True,
        )
        failed = [isinstance(end, Exception) for end in ends]
        assert failed.count(True) == 1
        assert (await _get(node, evaluation_id))["status"] == ("cancelled" if failed[0] else "completed")
    assert len(await events_of(node.frame.db)) == 10


async def test_an_answer_says_which_step_a_value_in_another_unit_became(node: Node, project: str) -> None:
    async with node.worker().running(_result):
        answer = await node.evaluate(project, {"span": {"value": 79, "unit": "ft"}})
        equal = await node.evaluate(project, {"span": 24.0})
    assert answer.body["evaluation"]["parameters"]["span"] == 24.0
    assert equal.body["evaluation"]["evaluation_id"] == answer.body["evaluation"]["evaluation_id"]


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
async def test_a_double_that_is_not_finite_is_a_failure_with_a_line_in_the_log(
    node: Node, project: str, number: float
) -> None:
    async with node.worker().running(_result):
        made = (await node.evaluate(project, {"title": f"{number}"})).body["evaluation"]
    await run_sql(
        node.frame.db,
        "UPDATE evaluations.evaluation SET duration_ms = :number WHERE evaluation_id = :id",
        number=number,
        id=made["evaluation_id"],
    )
    with structlog.testing.capture_logs() as logs:
        for method, fields in (
            ("GetEvaluation", {"evaluation_id": made["evaluation_id"]}),
            ("ListEvaluations", {"project_id": project}),
        ):
            assert (await _refused(node, method, "viewer", **fields)).reason == "INTERNAL_ERROR"
    assert [line["error"] for line in logs if line["event"] == "unexpected fault"] == ["ValueError"] * 2


async def test_the_list_is_paged_from_the_newest_without_tables(node: Node, project: str) -> None:
    async with node.worker().running(_result):
        made = [(await node.evaluate(project, {"title": f"{i}"})).body["evaluation"]["evaluation_id"] for i in range(5)]
    seen, cursor = [], ""
    while True:
        body = (await node.call("ListEvaluations", "viewer", project_id=project, limit=2, cursor=cursor)).body
        seen += body["evaluations"]
        if body["next_cursor"] is None:
            break
        cursor = body["next_cursor"]
    assert [evaluation["evaluation_id"] for evaluation in seen] == made[::-1]
    assert seen[0]["metrics"] == RESULT["metrics"]
    assert seen[0]["tables"] == {}
    other, _ = await deploy(node.frame.db, node.frame.objects)
    assert (await node.call("ListEvaluations", "viewer", project_id=other)).body == {
        "evaluations": [],
        "next_cursor": None,
    }


async def test_the_list_is_filtered_by_status_version_and_who_asked(node: Node, project: str) -> None:
    async with node.worker().running(_result):
        done = (await node.evaluate(project, {"title": "done"})).body["evaluation"]
    waiting = await _queued(node, project, title="waiting")
    cancelled = await _queued(node, project, title="cancelled")
    await node.call("CancelEvaluation", evaluation_id=cancelled)
    everything = [cancelled, waiting, done["evaluation_id"]]

    async def listed(**filters: Any) -> list[str]:
        body = (await node.call("ListEvaluations", "viewer", project_id=project, **filters)).body
        return [one["evaluation_id"] for one in body["evaluations"]]

    completed, queued = evaluation_pb2.EVALUATION_STATUS_COMPLETED, evaluation_pb2.EVALUATION_STATUS_QUEUED
    assert await listed(status=[completed]) == [done["evaluation_id"]]
    assert await listed(status=[completed, queued]) == [waiting, done["evaluation_id"]]
    assert await listed(model_version_id=[done["model_version_id"]], asked_by=[USER]) == everything
    assert await listed(asked_by=[USER], status=[evaluation_pb2.EVALUATION_STATUS_FAILED]) == []
    assert await listed(asked_by=[waiting]) == []
    assert await listed(model_version_id=[waiting]) == []
    first = (await node.call("ListEvaluations", "viewer", project_id=project, asked_by=[USER], limit=2)).body
    assert await listed(asked_by=[USER], cursor=first["next_cursor"]) == [done["evaluation_id"]]
    for bad in ({"status": [0]}, {"status": [99]}, {"asked_by": ["ann"]}, {"model_version_id": ["1"]}):
        refused = await _refused(node, "ListEvaluations", "viewer", project_id=project, **bad)
        assert refused.reason == "VALIDATION_ERROR"


async def test_roles_decide_and_what_may_not_be_seen_is_not_found(node: Node, project: str) -> None:
    evaluation_id = await _queued(node, project)
    assert (await _refused(node, "Evaluate", "viewer", project_id=project)).reason == "PERMISSION_DENIED"
    assert (
        await _refused(node, "CancelEvaluation", "viewer", evaluation_id=evaluation_id)
    ).reason == "PERMISSION_DENIED"
    assert (await _refused(node, "Evaluate", "worker", project_id=project)).reason == "PERMISSION_DENIED"
    for method in ("GetEvaluation", "CancelEvaluation"):
        assert (await _refused(node, method, "stranger", evaluation_id=evaluation_id)).reason == "NOT_FOUND"
    missing = "0199aaaa-0000-7000-8000-0000000000ff"
    assert (await _refused(node, "GetEvaluation", evaluation_id=missing)).reason == "NOT_FOUND"
    await run_sql(node.frame.db, "UPDATE projects.project SET deleted_at = now()")
    assert (await _refused(node, "GetEvaluation", evaluation_id=evaluation_id)).reason == "NOT_FOUND"


async def test_large_tables_stay_out_of_the_event(node: Node, project: str) -> None:
    rows = [{"text": "x" * 1000}] * (MAX_EVENT_TABLES // 1000)

    async def script(job: worker_pb.Job) -> dict[str, Any]:
        return {"tables": {"t": rows}}

    async with node.worker().running(script):
        found = (await node.evaluate(project)).body["evaluation"]
    assert found["tables"] == {"t": rows}
    (event,) = await events_of(node.frame.db)
    assert event["data"]["evaluation"] == {**found, "tables": {}, "created_by": {"user_id": USER}}


@pytest.mark.parametrize("kind", ["table", "number"])
async def test_tables_are_checked_and_hashed_beside_the_event_loop(
    node: Node, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = [{"name": "note", "type": "string", "unit": None}] if kind == "table" else []
    declared = [parameter("given", kind, [] if columns else 1.0, columns=columns)]
    project, _ = await deploy(node.frame.db, node.frame.objects, declared)
    threads: dict[str, bool] = {}

    def seen(name: str) -> None:
        found = getattr(rules, name)

        def told(*args: Any, **fields: Any) -> Any:
            threads[name] = threading.current_thread() is threading.main_thread()
            return found(*args, **fields)

        monkeypatch.setattr(rules, name, told)

    seen("resolve")
    seen("cache_key")
    body = (await node.evaluate(project, {"given": [{"note": "a"}] if columns else 2.0}, prefer="respond-async")).body
    assert body["evaluation"]["status"] == "queued"
    assert threads == {"resolve": kind == "number", "cache_key": kind == "number"}


async def test_large_parameters_stay_out_of_the_event(node: Node) -> None:
    columns = [{"name": "note", "type": "string", "unit": None}]
    project, _ = await deploy(node.frame.db, node.frame.objects, [parameter("notes", "table", [], columns=columns)])
    rows = [{"note": "x" * 1000}] * (MAX_EVENT_TABLES // 1000)

    async def script(job: worker_pb.Job) -> dict[str, Any]:
        return {}

    async with node.worker().running(script):
        found = (await node.evaluate(project, {"notes": rows})).body["evaluation"]
        again = (await node.evaluate(project, {"notes": rows})).body["evaluation"]
    assert found["parameters"] == {"notes": rows}
    assert again["evaluation_id"] == found["evaluation_id"]
    (event,) = await events_of(node.frame.db)
    assert event["data"]["evaluation"] == {**found, "parameters": {}, "created_by": {"user_id": USER}}


async def test_parameters_of_every_type_keep_their_type_on_the_way_to_the_worker_and_back(node: Node) -> None:
    declared = [*PARAMETERS, parameter("wide", "integer", 2**62), parameter("round", "number", 450.0)]
    project, _ = await deploy(node.frame.db, node.frame.objects, declared)
    seen: dict[str, str] = {}

    async def script(job: worker_pb.Job) -> dict[str, Any]:
        seen.update({name: value.text for name, value in job.parameters.items()})
        return {}

    async with node.worker().running(script):
        found = (await node.evaluate(project, {"wide": 2**63 - 1, "round": 451})).body["evaluation"]
    assert seen == {
        "bays": "6", "braced": "true", "round": "451.0", "span": "24.0", "steel": '"S355"', "title": '"bridge"',
        "wide": "9223372036854775807",
    }  # fmt: skip
    assert found["parameters"]["wide"] == 2**63 - 1
    assert isinstance(found["parameters"]["round"], float)


async def test_who_asked_for_an_evaluation_is_named_beside_the_id_wherever_it_is_read(node: Node, project: str) -> None:
    await run_sql(node.frame.db, """UPDATE identity."user" SET staff_name = 'Ann Canary' WHERE id = :id""", id=USER)
    named = {"user_id": USER, "staff_name": "Ann Canary"}
    async with node.worker().running():
        waited = (await node.evaluate(project, {"span": 10})).body["evaluation"]
        stored = (await node.evaluate(project, {"span": 10})).body["evaluation"]
    queued = (await node.evaluate(project, {"span": 11}, prefer="respond-async")).body["evaluation"]
    assert [one["created_by"] for one in (waited, stored, queued)] == [named] * 3
    assert stored["cached"]
    assert (await _get(node, queued["evaluation_id"]))["created_by"] == named
    listed = (await node.call("ListEvaluations", project_id=project)).body
    assert [one["created_by"] for one in listed["evaluations"]] == [named] * 2
    cancelled = (await node.call("CancelEvaluation", evaluation_id=queued["evaluation_id"])).body["evaluation"]
    assert cancelled["created_by"] == named
    assert "Canary" not in str(await events_of(node.frame.db))
