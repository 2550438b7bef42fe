"""Chunks of the points of batches: their size, their workers, and whose turn they are."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from typing import Any

import grpc
import pytest

from catenary.worker.v1 import worker_service_pb2 as worker_pb
from catenary_core.jobs import queue
from catenary_core.services.evaluations.batches import points
from factories.services import batches
from factories.services.calls import events_of
from factories.services.evaluations import (
    Node,
    ScriptedWorker,
    deploy,
    parameter,
    run_sql,
)


@pytest.mark.parametrize(
    ("left", "slots", "computed", "seconds", "size"),
    [
        (2000, 2, 0, 0.0, 1),
        (2000, 2, 10, 0.1, 100),
        (20_000, 2, 10, 0.001, 512),
        (2000, 2, 10, 1.0, 10),
        (2000, 2, 10, 90.0, 1),
        (20, 2, 10, 0.1, 5),
        (1, 8, 10, 0.0, 1),
    ],
)
def test_a_chunk_takes_about_a_second(left: int, slots: int, computed: int, seconds: float, size: int) -> None:
    assert points.chunk_size(left, slots, computed, seconds) == size


async def test_results_of_a_chunk_may_come_in_parts_and_the_rest_goes_back(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 40)
    worker = node.worker()
    await batches.work(worker)
    job = await worker.must_lease()
    assert len(job.points) == math.ceil(39 / 2)
    await worker.complete_points(job, batches.MASS, ends_chunk=False)
    assert (await batches.get(node, batch_id))["counts"]["completed"] == 2
    assert await worker.heartbeat(job) is False
    await worker.complete_points(job, batches.MASS, batches.MASS, first=1, ends_chunk=True)
    counts = (await batches.get(node, batch_id))["counts"]
    assert (counts["completed"], counts["running"], counts["queued"]) == (4, 0, 36)
    seen = await batches.work_all(worker, batch_id, node)
    assert seen == dict.fromkeys({*range(40)} - {0, 1, 2, 3}, 1)


async def test_the_last_points_that_go_back_get_a_job_again(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 1)
    worker = node.worker()
    await worker.complete_points(await worker.must_lease(), ends_chunk=True)
    assert (await batches.get(node, batch_id))["counts"]["queued"] == 1
    assert await batches.work_all(worker, batch_id, node) == {0: 1}


async def test_a_dead_workers_chunk_is_leased_again_and_each_point_stored_once(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 30)
    dead, living = node.worker("dead"), node.worker("living")
    await batches.work(dead)
    lost = await dead.must_lease()
    await dead.complete_points(lost, batches.MASS, batches.MASS, ends_chunk=False)
    await run_sql(node.frame.db, "UPDATE jobs.job SET lease_until = clock_timestamp() - interval '1 s'")
    seen = await batches.work_all(living, batch_id, node)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await dead.complete_points(lost, *[batches.FAILED] * len(lost.points))
    assert caught.value.code() == grpc.StatusCode.ABORTED
    assert seen == dict.fromkeys({*range(30)} - {0, 1, 2}, 1)
    assert [one["status"] for one in await batches.results(node, batch_id)] == ["completed"] * 30
    assert (await run_sql(node.frame.db, "SELECT sum(evaluations) AS n FROM quotas.month"))[0]["n"] == 30
    assert len(await events_of(node.frame.db)) == 1


async def _lose(node: Node, worker: ScriptedWorker, index: int) -> None:
    """Lease the chunk with a point as often as the queue allows, each time without a result."""
    for _ in range(queue.MAX_ATTEMPTS):
        job = await worker.must_lease()
        assert index in [point.index for point in job.points]
        await run_sql(node.frame.db, "UPDATE jobs.job SET lease_until = clock_timestamp() - interval '1 s'")
    await node.reaper.look()


async def test_a_point_that_kills_workers_costs_only_itself(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 9)
    worker = node.worker()
    await batches.work(worker)
    await _lose(node, worker, 1)
    counts = (await batches.get(node, batch_id))["counts"]
    assert (counts["running"], counts["failed"]) == (4, 0)
    finished: Counter[int] = Counter()
    attempts = 0
    while (await batches.get(node, batch_id))["status"] == "running":
        job = await worker.lease(0.2)
        if job is None:
            await node.reaper.look()
        elif [point.index for point in job.points] == [1]:
            attempts += 1
            end = "UPDATE jobs.job SET lease_until = clock_timestamp() - interval '1 s' WHERE id = :id"
            await run_sql(node.frame.db, end, id=job.job_id)
        else:
            assert 1 not in [point.index for point in job.points]
            await worker.complete_points(job, *[batches.MASS] * len(job.points))
            finished.update(point.index for point in job.points)
    assert attempts == queue.MAX_ATTEMPTS
    assert finished == dict.fromkeys({*range(9)} - {0, 1}, 1)
    results = await batches.results(node, batch_id)
    assert [one["index"] for one in results if one["status"] == "failed"] == [1]
    assert results[1]["error"]["code"] == "UNAVAILABLE"


async def test_a_refused_result_fails_its_point_alone(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 7)
    worker = node.worker()
    await batches.work(worker)
    bad = {"metrics": {"mass": {"value": 1, "unit": "kg", "extra": 1}}}
    job = await batches.work(worker, batches.MASS, bad, batches.MASS)
    assert len(job.points) == 3
    results = await batches.results(node, batch_id)
    assert [one["status"] for one in results[1:4]] == ["completed", "failed", "completed"]
    assert "does not take the result" in results[2]["error"]["message"]


async def test_a_chunk_can_not_be_completed_as_an_evaluation_nor_twice(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 1)
    worker = node.worker()
    job = await worker.must_lease()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await worker.complete(job)
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    twice = worker_pb.Job(job_id=job.job_id, lease_token=job.lease_token, points=[*job.points, *job.points])
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await worker.complete_points(twice, batches.MASS, batches.MASS)
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    strange = worker_pb.Job(job_id=job.job_id, lease_token=job.lease_token)
    strange.points.add(index=5)
    await worker.complete_points(strange, batches.MASS, ends_chunk=False)
    assert (await batches.get(node, batch_id))["counts"]["completed"] == 0
    await worker.complete_points(job, batches.MASS)
    await node.evaluate(project, {}, prefer="respond-async")
    single = await worker.must_lease()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await worker.complete_points(single)
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT


async def test_a_job_that_outlived_its_batch_is_dropped_at_its_lease(node: Node, project: str) -> None:
    """The batch is cancelled while another transaction holds the job."""
    batch_id = await batches.create(node, project)
    await run_sql(
        node.frame.db,
        "UPDATE evaluations.batch SET status = 'cancelled', cancelled = queued, queued = 0, completed_at = now()",
    )
    assert await node.worker().lease(0) is None
    assert await batches.jobs(node) == 0
    assert (await batches.get(node, batch_id))["status"] == "cancelled"


@pytest.mark.parametrize(("most", "sizes"), [(1, [1] * 6), (200, [1, 2, 2, 1]), (points.CHUNK_BYTES, [1, 3, 1, 1])])
async def test_a_chunk_has_few_bytes_of_values(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch, most: int, sizes: list[int]
) -> None:
    monkeypatch.setattr(points, "CHUNK_BYTES", most)
    batch_id = await batches.create(node, project, 6)
    seen = []
    while (await batches.get(node, batch_id))["status"] in ("queued", "running"):
        seen.append(len((await batches.work(node.worker(), {**batches.MASS, "duration_ms": 1.0})).points))
    assert seen == sizes
    assert [one["status"] for one in await batches.results(node, batch_id)] == ["completed"] * 6


async def test_a_single_evaluation_overtakes_a_batch(node: Node, project: str) -> None:
    await batches.create(node, project, 200)
    worker = node.worker()
    await batches.work(worker)
    await node.evaluate(project, {"span": 50}, prefer="respond-async")
    job = await worker.must_lease()
    assert job.kind == worker_pb.JOB_KIND_EVALUATE
    await worker.complete(job, **batches.MASS)
    assert (await worker.must_lease()).kind == worker_pb.JOB_KIND_POINTS


async def test_the_batches_of_two_users_take_turns(node: Node, project: str) -> None:
    """The second comes later, and has had no second of the workers yet."""
    one = await batches.create(node, project, 200)
    worker = node.worker()
    await batches.work(worker, {**batches.MASS, "duration_ms": 100.0})
    other, _ = await deploy(node.frame.db, node.frame.objects)
    two = await batches.create(node, other, 200)
    await run_sql(node.frame.db, "UPDATE jobs.job SET user_id = gen_random_uuid() WHERE project_id = :p", p=other)
    chunks = [await worker.must_lease() for _ in range(4)]
    owners = {
        row["job_id"]: row["batch_id"]
        for row in await run_sql(
            node.frame.db, "SELECT DISTINCT job_id, batch_id FROM evaluations.point WHERE job_id IS NOT NULL"
        )
    }
    assert Counter(owners[job.job_id] for job in chunks) == {one: 2, two: 2}


@pytest.mark.parametrize("kinds", [[], [worker_pb.JOB_KIND_CHECK, worker_pb.JOB_KIND_EVALUATE]])
async def test_a_worker_of_an_older_release_gets_no_points(node: Node, project: str, kinds: list[Any]) -> None:
    """Such a worker would complete a chunk as one evaluation without values, and its points would be lost."""
    batch_id = await batches.create(node, project, 1)
    old = node.worker("old")
    old.kinds = kinds
    assert await old.lease(0) is None
    new = node.worker("new")
    new.kinds = [worker_pb.JOB_KIND_POINTS]
    evaluation = (await node.evaluate(project, prefer="respond-async")).body["evaluation"]
    waiting = asyncio.create_task(old.must_lease())
    assert (await batches.work(new)).kind == worker_pb.JOB_KIND_POINTS
    assert (await waiting).job_id == evaluation["evaluation_id"]
    assert (await batches.get(node, batch_id))["counts"]["completed"] == 1


async def test_a_batch_keeps_its_version_when_another_one_is_deployed(node: Node, project: str) -> None:
    """The points are on the steps of the version that was deployed when they were given."""
    worker, db = node.worker(), node.frame.db
    batch_id = await batches.create(node, project, 8)
    first = await batches.work(worker)
    _, newer = await deploy(db, node.frame.objects, [parameter("width", "number", 3.0)], project)
    jobs = [first]
    while (batch := await batches.get(node, batch_id))["status"] != "completed":
        jobs.append(await batches.work(worker))
    assert {job.model_version_id for job in jobs} == {batch["model_version_id"]} != {newer}
    assert len(jobs) > 1
    assert [one["parameters"]["span"] for one in await batches.results(node, batch_id)][:2] == [5.0, 5.5]
