"""The workers' door over a real gRPC channel: leases, their loss, results that are not believed."""

from __future__ import annotations

import asyncio
import math
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog

from catenary.worker.v1 import worker_service_pb2 as worker_pb
from catenary_core.call.errors import CallError
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.jobs import queue
from catenary_core.server import dispatch
from catenary_core.services.evaluations.owner import EvaluationOwner
from factories.checks import running_clock
from factories.services import evaluations
from factories.services.calls import events_of
from factories.services.evaluations import (
    DIGEST,
    SOURCE,
    MadeGeometry,
    Node,
    deploy,
    open_node,
    refusal,
    run_sql,
    unpolled,
)

METRICS = {"mass": {"value": 1.5, "unit": "kg"}}
EXPIRE = "UPDATE jobs.job SET lease_until = clock_timestamp() - interval '1 s'"
_NEAR_ITS_END = "UPDATE jobs.job SET lease_until = clock_timestamp() + interval '60 s'"
_IS_RENEWED = "SELECT lease_until > clock_timestamp() + interval '100 s' AS is_renewed FROM jobs.job"


async def _queue(node: Node, project: str, title: str = "x") -> str:
    answer = await node.evaluate(project, {"title": title}, prefer="respond-async")
    return str(answer.body["evaluation"]["evaluation_id"])


async def _ended(node: Node, evaluation_id: str) -> dict[str, Any]:
    answer = await node.call("GetEvaluation", timeout=90, evaluation_id=evaluation_id, prefer="wait=60")
    return dict(answer.body["evaluation"])


async def _status(node: Node, evaluation_id: str) -> dict[str, Any]:
    found: dict[str, Any] = (await node.call("GetEvaluation", evaluation_id=evaluation_id)).body["evaluation"]
    return found


async def _reason(call: Any) -> str:
    with pytest.raises(grpc.RpcError) as caught:
        await call
    return refusal(caught.value).reason


async def _refused(call: Callable[[], Awaitable[None]]) -> str:
    """Return the reason of a call whose stream of requests the core ends early.

    A write of grpc.aio that meets this end fails by itself, and the status is lost with it: then the call is made again.
    """
    for _ in range(20):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call()
        if caught.value.details() != "Internal error from Core":
            return refusal(caught.value).reason
    raise AssertionError("no status of twenty arrived")


async def test_a_lease_tells_the_worker_all_that_it_needs(node: Node) -> None:
    project, version = await deploy(node.frame.db, node.frame.objects)
    evaluation_id = await _queue(node, project)
    worker = node.worker()
    job = await worker.must_lease()
    settings = node.frame.settings
    assert (job.job_id, job.kind, job.model_version_id) == (evaluation_id, worker_pb.JOB_KIND_EVALUATE, version)
    assert (job.model_kind, job.timeout_seconds, job.memory_bytes, job.lease_seconds) == (
        "python", settings.evaluation_timeout, settings.evaluation_memory, settings.lease_seconds,
    )  # fmt: skip
    assert len(job.source_sha256) == 64
    assert job.request_id
    assert await worker.fetch_source(version) == SOURCE


async def test_no_job_is_leased_while_too_little_disk_space_is_free(
    node: Node, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, _ = await deploy(node.frame.db, node.frame.objects)
    evaluation_id = await _queue(node, project)
    with monkeypatch.context() as full:
        full.setattr(node.frame.space, "_folder", tmp_path)
        full.setattr(node.frame.space, "_floor", 2**60)
        assert await node.worker().lease(0) is None
    assert (await node.worker().must_lease()).job_id == evaluation_id


async def test_a_waiting_worker_is_woken_by_work_on_either_node(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpolled(monkeypatch)
    async with open_node(dsn, tmp_path) as one, open_node(dsn, tmp_path) as two:
        project, _ = await deploy(one.frame.db, one.frame.objects)
        await two.hears()
        for node, title in ((one, "a"), (two, "b")):
            leased = asyncio.create_task(two.worker().lease(60))
            await asyncio.sleep(0.3)
            start = running_clock.seconds()
            evaluation_id = await _queue(node, project, title)
            job = await leased
            assert job is not None
            assert job.job_id == evaluation_id
            assert running_clock.seconds() - start < 30, "woken, not at the end of its wait"


async def test_a_lease_without_work_ends_after_its_wait(node: Node) -> None:
    start = running_clock.seconds()
    assert await node.worker().lease(0.3) is None
    assert 0.25 < running_clock.seconds() - start < 10


async def test_only_the_source_of_a_leased_job_is_given(node: Node) -> None:
    project, version = await deploy(node.frame.db, node.frame.objects)
    worker = node.worker()
    assert await _reason(worker.fetch_source(version)) == "NOT_FOUND"
    await _queue(node, project)
    assert await _reason(worker.fetch_source(version)) == "NOT_FOUND"
    job = await worker.must_lease()
    assert await worker.fetch_source(version) == SOURCE
    await worker.complete(job)
    assert await _reason(worker.fetch_source(version)) == "NOT_FOUND"


async def test_a_user_is_no_worker(node: Node) -> None:
    request = worker_pb.LeaseRequest(worker_id="w", runtime_digest="r")
    with pytest.raises(grpc.RpcError) as caught:
        await node.worker()._stub.Lease(request, metadata=(("authorization", "evaluator"),))
    assert refusal(caught.value).reason == "PERMISSION_DENIED"


async def test_a_stale_lease_cannot_complete_an_evaluation(node: Node, project: str) -> None:
    evaluation_id = await _queue(node, project)
    old, new = node.worker("old"), node.worker("new")
    lost = await old.must_lease()
    await run_sql(node.frame.db, EXPIRE)
    held = await new.must_lease()
    assert held.job_id == lost.job_id
    geometry = [MadeGeometry("arch", "glb", b"stale")]
    assert await _reason(old.complete(lost, metrics=METRICS)) == "CONFLICT"
    assert await _reason(old.complete(lost, metrics=METRICS, geometry=geometry)) == "CONFLICT"
    assert await _reason(old.release(lost)) == "CONFLICT"
    assert await old.heartbeat(lost), "the old worker is told to stop"
    assert (await _status(node, evaluation_id))["status"] == "running"
    with pytest.raises(FileNotFoundError):
        await node.frame.objects.get(geometry[0].message().sha256)
    await new.complete(held)
    found = await _status(node, evaluation_id)
    assert (found["status"], found["metrics"]) == ("completed", {})
    assert await _reason(new.complete(held)) == "CONFLICT"
    assert len(await events_of(node.frame.db)) == 1


async def test_a_heartbeat_keeps_a_lease_that_would_have_ended(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path, lease_seconds=300) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        await _queue(node, project)
        worker, other = node.worker("w1"), node.worker("w2")
        job = await worker.must_lease()
        for _ in range(3):
            await run_sql(node.frame.db, _NEAR_ITS_END)
            assert not await worker.heartbeat(job)
            assert await run_sql(node.frame.db, _IS_RENEWED) == [{"is_renewed": True}]
            assert await other.lease(0) is None
        await worker.complete(job)


async def test_the_progress_of_a_heartbeat_shows_until_the_end(node: Node, project: str) -> None:
    evaluation_id = await _queue(node, project)
    worker = node.worker()
    job = await worker.must_lease()
    assert (await _status(node, evaluation_id))["progress"] is None
    assert not await worker.heartbeat(job, fraction=0.4, message="meshing")
    assert not await worker.heartbeat(job)
    assert (await _status(node, evaluation_id))["progress"] == {"fraction": 0.4, "message": "meshing", "output": None}
    for wrong in ({"fraction": 1.5}, {"fraction": 0.5, "message": "x" * 201}, {"fraction": 0.5, "message": "a\nb"}):
        assert await _reason(worker.heartbeat(job, **wrong)) == "VALIDATION_ERROR", wrong
    await run_sql(node.frame.db, EXPIRE)
    again = await node.worker("another").must_lease()
    assert (await _status(node, evaluation_id))["progress"] is None, "another attempt begins anew"
    await node.worker("another").complete(again, metrics=METRICS)
    assert (await _status(node, evaluation_id))["progress"] is None


async def test_a_released_job_goes_to_another_worker_at_once_and_costs_no_attempt(node: Node, project: str) -> None:
    evaluation_id = await _queue(node, project)
    worker = node.worker()
    for _ in range(queue.MAX_ATTEMPTS + 2):
        job = await worker.must_lease()
        assert job.job_id == evaluation_id
        await worker.release(job)
    await worker.complete(await worker.must_lease())
    assert (await _status(node, evaluation_id))["status"] == "completed"


async def test_the_job_of_a_killed_worker_is_done_by_another(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path, lease_seconds=300) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        await node.reaper.start()
        try:
            program = (
                "import asyncio, grpc\n"
                "from catenary.worker.v1 import worker_service_pb2 as pb, worker_service_pb2_grpc as rpc\n"
                "async def main():\n"
                f"    async with grpc.aio.insecure_channel('{node.address}') as channel:\n"
                f"        request = pb.LeaseRequest(worker_id='doomed', runtime_digest='{DIGEST}', wait_seconds=60)\n"
                "        await rpc.WorkerServiceStub(channel).Lease(request, metadata=(('authorization', 'worker'),))\n"
                "        print('leased', flush=True)\n"
                "        await asyncio.sleep(60)\n"
                "asyncio.run(main())\n"
            )
            doomed = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", program),
                stdout=asyncio.subprocess.PIPE,
                env={"PYTHONPATH": ":".join(sys.path)},
            )
            assert doomed.stdout is not None
            asked = asyncio.create_task(node.evaluate(project, prefer="wait=60", timeout=120))
            assert await doomed.stdout.readline() == b"leased\n"
            doomed.send_signal(signal.SIGKILL)
            await doomed.wait()
            await run_sql(node.frame.db, EXPIRE)
            async with node.worker("other").running():
                found = (await asked).body["evaluation"]
            assert found["status"] == "completed"
        finally:
            await node.reaper.stop()


async def test_an_evaluation_that_three_workers_lost_fails_as_unavailable(node: Node, project: str) -> None:
    evaluation_id = await _queue(node, project)
    waiting = asyncio.create_task(node.call("GetEvaluation", evaluation_id=evaluation_id, prefer="wait=20"))
    worker = node.worker()
    for attempt in range(queue.MAX_ATTEMPTS):
        assert await node.reaper.look() == 0, f"not given up before lease {attempt + 1} ended"
        assert (await worker.must_lease()).job_id == evaluation_id
        await run_sql(node.frame.db, EXPIRE)
    assert await node.reaper.look() == 1
    found = (await waiting).body["evaluation"]
    assert (found["status"], found["error"]["code"], found["error"]["line"]) == ("failed", "UNAVAILABLE", None)
    assert await node.reaper.look() == 0
    assert await worker.lease(0) is None
    assert [event["type"] for event in await events_of(node.frame.db)] == ["model.evaluation.failed"]


_LOSE = (
    "UPDATE jobs.job SET attempts = 3, lease_until = clock_timestamp() - interval '1 s' WHERE id = CAST(:id AS uuid)"
)


async def test_a_lease_passes_over_what_the_reaper_has_not_seen_yet(node: Node, project: str) -> None:
    lost, next_ = await _queue(node, project, "a"), await _queue(node, project, "b")
    await run_sql(node.frame.db, _LOSE, id=lost)
    assert (await node.worker().must_lease()).job_id == next_
    assert await node.worker().lease(0) is None
    assert await node.reaper.look() == 1
    assert (await _status(node, lost))["error"]["code"] == "UNAVAILABLE"


async def test_each_lost_job_is_given_up_in_a_transaction_of_its_own(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two nodes that gave up several at once could each hold what the other waits for."""
    lost = [await _queue(node, project, name) for name in "abc"]
    for job_id in lost:
        await run_sql(node.frame.db, _LOSE, id=job_id)
    transactions = []
    give_up = EvaluationOwner.lost

    async def noted(self: EvaluationOwner, tx: Transaction, job: Row) -> None:
        transactions.append(tx)
        await give_up(self, tx, job)

    monkeypatch.setattr(EvaluationOwner, "lost", noted)
    assert await node.reaper.look() == 3
    assert len({id(tx) for tx in transactions}) == 3


async def test_a_job_that_can_not_be_given_up_neither_ends_the_reaper_nor_stands_before_others(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck, *others = [await _queue(node, project, name) for name in "abc"]
    for job_id in (stuck, *others):
        await run_sql(node.frame.db, _LOSE, id=job_id)
    give_up = EvaluationOwner.lost

    async def fails_once(self: EvaluationOwner, tx: Transaction, job: Row) -> None:
        if job["id"] == stuck:
            raise KeyError("ada.canary@example.com")
        await give_up(self, tx, job)

    monkeypatch.setattr(EvaluationOwner, "lost", fails_once)
    monkeypatch.setattr(node.reaper, "_seconds", 0.02)
    with structlog.testing.capture_logs() as logs:
        await node.reaper.start()
        try:
            for other in others:
                assert (await _ended(node, other))["status"] == "failed"
            assert (await _status(node, stuck))["status"] == "queued"
            monkeypatch.setattr(EvaluationOwner, "lost", give_up)
            assert (await _ended(node, stuck))["status"] == "failed"
        finally:
            await node.reaper.stop()
    assert {(line["event"], line["error"]) for line in logs if line["log_level"] == "error"} == {
        ("a lost job can't be given up", "KeyError")
    }
    assert "canary" not in str(logs)


async def test_the_reaper_wakes_waiting_workers_for_a_lost_lease(node: Node, project: str) -> None:
    evaluation_id = await _queue(node, project)
    await node.worker("gone").must_lease()
    await node.hears()  # the notification of the job itself too
    ticket = node.frame.wakeups.ticket(queue.CHANNEL)
    await node.reaper.look()
    assert not ticket.is_set(), "no wake-up for a lease that holds"
    await run_sql(node.frame.db, EXPIRE)
    await node.reaper.look()
    assert ticket.is_set()
    assert (await node.worker().must_lease()).job_id == evaluation_id


GLB = MadeGeometry("arch", "glb", b"glTF" * 100_000)
REFUSED: dict[str, Callable[[], dict[str, Any]]] = {
    "a wrong sha256": lambda: {"geometry": [MadeGeometry("a", "glb", b"x" * 99, {"sha256": "0" * 64})]},
    "fewer bytes than announced": lambda: {"geometry": [MadeGeometry("a", "glb", b"x" * 99, {"size": 100})]},
    "more bytes than announced": lambda: {"geometry": [GLB], "extra": b"x"},
    "bytes without artefacts": lambda: {"extra": b"x"},
    "a large file of other bytes": lambda: {
        "geometry": [MadeGeometry("a", "glb", b"x" * 3_000_000, {"sha256": "a" * 64})]
    },
    "a size over the limit": lambda: {"geometry": [MadeGeometry("a", "glb", b"x", {"size": 2**40})]},
    "a path for a name": lambda: {"geometry": [MadeGeometry("../a", "glb", b"x")]},
    "a name twice": lambda: {"geometry": [GLB, GLB]},
    "an unknown format": lambda: {"geometry": [MadeGeometry("a", "exe", b"x")]},
    "an unknown status": lambda: {"status": "cancelled"},
    "an error on completed": lambda: {"error": {"code": "MODEL_FAILED", "message": "x", "line": None}},
    "no error on failed": lambda: {"status": "failed"},
    "artefacts on failed": lambda: {
        "status": "failed",
        "error": {"code": "MODEL_FAILED", "message": "x", "line": None},
        "geometry": [GLB],
    },
    "an error code of ours": lambda: {
        "status": "failed",
        "error": {"code": "INTERNAL_ERROR", "message": "x", "line": None},
    },
    "an endless error text": lambda: {
        "status": "failed",
        "error": {"code": "MODEL_FAILED", "message": "x" * 2001, "line": None},
    },
    "NaN in a metric": lambda: {"metrics": '{"mass": {"value": NaN, "unit": null}}'},
    "infinity in a metric": lambda: {"metrics": '{"mass": {"value": 1e999, "unit": null}}'},
    "text in a metric": lambda: {"metrics": {"mass": {"value": "1", "unit": None}}},
    "an unknown key in a metric": lambda: {"metrics": {"mass": {"value": 1, "unit": None, "x": 1}}},
    "a metric's bad name": lambda: {"metrics": {"a b": {"value": 1, "unit": None}}},
    "metrics as a list": lambda: {"metrics": [1]},
    "a key twice": lambda: {"metrics": '{"a": {"value": 1, "unit": null}, "a": {"value": 1, "unit": null}}'},
    "a constraint that is no boolean": lambda: {"constraints": {"a": {"value": 1, "satisfied": 1}}},
    "a constraint of no metric": lambda: {"constraints": {"a": {"value": 1, "satisfied": True, "metric": "a b"}}},
    "a comparison that is none": lambda: {"constraints": {"a": {"value": 1, "satisfied": True, "op": "~"}}},
    "a limit that is no number": lambda: {"constraints": {"a": {"value": 1, "satisfied": True, "limit": "3"}}},
    "a unit of two lines": lambda: {"constraints": {"a": {"value": 1, "satisfied": True, "unit": "k\ng"}}},
    "a table of lists": lambda: {"tables": {"a": [[1]]}},
    "a table with nested cells": lambda: {"tables": {"a": [{"b": {"c": 1}}]}},
    "a nul in a table": lambda: {"tables": '{"a": [{"b": "\\u0000"}]}'},
    "a lone surrogate": lambda: {"tables": '{"a": [{"b": "\\ud800"}]}'},
    "deep nesting": lambda: {"tables": "[" * 100_000},
    "no JSON": lambda: {"metrics": "mass = 1"},
    "an endless duration": lambda: {"duration_ms": float("inf")},
    "parts that are none": lambda: {"geometry": [MadeGeometry("a", "glb", b"x", parts='[{"name": "a"}]')]},
}


async def test_a_result_that_is_not_right_is_refused_and_changes_nothing(node: Node, project: str) -> None:
    evaluation_id = await _queue(node, project)
    worker = node.worker()
    job = await worker.must_lease()
    for what, parts in REFUSED.items():
        assert await _refused(lambda parts=parts: worker.complete(job, **parts())) == "VALIDATION_ERROR", what
        found = await _status(node, evaluation_id)
        assert (found["status"], found["geometry"], found["metrics"]) == ("running", [], {}), what
    assert await events_of(node.frame.db) == []
    await worker.complete(job, metrics=METRICS, geometry=[GLB])
    found = await _status(node, evaluation_id)
    assert (found["status"], found["metrics"], found["geometry"][0]["size"]) == ("completed", METRICS, len(GLB.data))


async def test_a_constraint_of_an_older_worker_has_no_comparison(node: Node, project: str) -> None:
    evaluation_id = await _queue(node, project)
    worker = node.worker()
    await worker.complete(await worker.must_lease(), constraints={"light": {"value": 1, "satisfied": True}})
    unknown = {"metric": None, "op": None, "limit": None, "unit": None}
    assert (await _status(node, evaluation_id))["constraints"] == {"light": {"value": 1, "satisfied": True, **unknown}}


async def test_artefacts_of_every_size_arrive_whatever_the_chunks(node: Node, project: str) -> None:
    made = [
        MadeGeometry("small", "glb", b"a"),
        MadeGeometry("middle", "stl", bytes(range(256)) * 5_000),
        MadeGeometry("large", "step", b"0123456789" * 400_000),
    ]
    worker = node.worker()
    for chunk_bytes in (1_000_000, 77_777):
        evaluation_id = await _queue(node, project, str(chunk_bytes))
        await worker.complete(await worker.must_lease(), geometry=made, chunk_bytes=chunk_bytes)
        for item in made:
            _, data = await node.download(evaluation_id=evaluation_id, name=f"{item.name}.{item.format}")
            assert data == item.data


async def test_a_completion_that_names_no_job_is_refused(node: Node, project: str) -> None:
    await _queue(node, project)
    worker = node.worker()
    job = await worker.must_lease()
    for bad in (
        worker_pb.Job(job_id="x", lease_token=job.lease_token),
        worker_pb.Job(job_id=job.job_id, lease_token="' OR 1=1"),
        worker_pb.Job(),
    ):
        assert await _reason(worker.complete(bad)) == "VALIDATION_ERROR"
    other = worker_pb.Job(job_id=project, lease_token=job.lease_token)
    assert await _reason(worker.complete(other)) == "CONFLICT"


async def test_a_worker_that_breaks_off_its_upload_leaves_the_job_to_be_done_again(node: Node, project: str) -> None:
    evaluation_id = await _queue(node, project)
    worker = node.worker()
    job = await worker.must_lease()

    async def broken() -> AsyncIterator[worker_pb.CompleteRequest]:
        outcome = worker_pb.Outcome(status="completed", artefacts=[GLB.message()])
        yield worker_pb.CompleteRequest(
            job_id=job.job_id, lease_token=job.lease_token, outcome=outcome, runtime_digest=DIGEST
        )
        yield worker_pb.CompleteRequest(chunk=GLB.data[:1000])
        await asyncio.sleep(60)

    upload = worker._stub.Complete(broken(), metadata=(("authorization", "worker"),))
    await asyncio.sleep(0.2)
    upload.cancel()
    assert (await _status(node, evaluation_id))["status"] == "running"
    await worker.complete(job, geometry=[GLB])
    assert (await _status(node, evaluation_id))["status"] == "completed"


@pytest.mark.parametrize("guard", [True, False])
@pytest.mark.parametrize(("ended", "reason"), [("role", "NOT_FOUND"), ("credential", "AUTHENTICATION_REQUIRED")])
async def test_a_get_that_waited_answers_only_who_may_still_see_the_evaluation(
    node: Node, monkeypatch: pytest.MonkeyPatch, ended: str, reason: str, guard: bool
) -> None:
    monkeypatch.setattr(dispatch, "CHECKED_AGAIN_AFTER", -1.0 if guard else math.inf)
    project, _ = await deploy(node.frame.db, node.frame.objects)
    evaluation_id = await _queue(node, project)
    job = await node.worker().must_lease()
    call = node.call("GetEvaluation", "viewer", 90, evaluation_id=evaluation_id, prefer="wait=60")
    waiting = asyncio.create_task(call)
    handler: Any = node.dispatch._handlers["/catenary.platform.v1.EvaluationService/GetEvaluation"]
    async with asyncio.timeout(60):
        while evaluation_id not in handler.__self__._endings._waiting:  # noqa: ASYNC110 (the call is on its way)
            await asyncio.sleep(0.01)
    if ended == "role":
        monkeypatch.delitem(evaluations.ROLES, "viewer")
    else:
        del node.dispatch._authenticator._callers["viewer"]  # type: ignore[attr-defined]  # those of the factory
    await node.worker().complete(job, metrics=METRICS)
    if not guard:
        assert (await waiting).body["evaluation"]["metrics"]["mass"] == METRICS["mass"]
        return
    with pytest.raises(CallError) as caught:
        await waiting
    assert refusal(caught.value).reason == reason


@pytest.mark.parametrize("is_handed_over", [True, False])
async def test_a_worker_whose_token_is_revoked_while_it_waits_gets_no_job_and_another_does(
    node: Node, monkeypatch: pytest.MonkeyPatch, is_handed_over: bool
) -> None:
    if not is_handed_over:  # the waiter finds the job in the queue, as one of another process
        monkeypatch.setattr(node.frame.waiting, "taken", nullcontext)
    project, _ = await deploy(node.frame.db, node.frame.objects)
    revoked = evaluations.CALLERS["worker"].principal_id
    for at_the_time in (revoked, ""):  # "": without the guard the job goes to whoever waits
        monkeypatch.setattr(evaluations, "REVOKED", set())
        waiting = asyncio.create_task(node.worker().lease(60))
        async with asyncio.timeout(60):
            while not node.frame.waiting._waiters:  # noqa: ASYNC110 (the call is on its way)
                await asyncio.sleep(0.01)
        evaluations.REVOKED.add(at_the_time)
        evaluation_id = await _queue(node, project, at_the_time or "x")
        if not at_the_time:
            job = await waiting
            assert job is not None
            assert job.job_id == evaluation_id
            continue
        assert await _reason(waiting) == "INVALID_TOKEN"
        evaluations.REVOKED.clear()
        job = await node.worker("w2").must_lease()
        assert job.job_id == evaluation_id
        await node.worker("w2").complete(job, metrics=METRICS)
        assert (await _ended(node, evaluation_id))["status"] == "completed"
