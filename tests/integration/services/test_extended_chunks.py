"""Chunks that workers extend by the next points of their batches."""

from __future__ import annotations

import uuid

import grpc
import pytest

from catenary.worker.v1 import worker_service_pb2 as worker_pb
from catenary_core.services.evaluations.batches import points
from factories.services import batches
from factories.services.evaluations import Node, ScriptedWorker, deploy, run_sql


@pytest.fixture
async def project(node: Node) -> str:
    """Make a project with a model whose points may share a process."""
    project_id, version = await deploy(node.frame.db, node.frame.objects)
    await run_sql(
        node.frame.db, "UPDATE models.model_version SET repeatable = true WHERE model_version_id = :v", v=version
    )
    return project_id


async def _chunk(worker: ScriptedWorker) -> worker_pb.Job:
    """Complete the first point, so that the time of one is known, and lease a chunk."""
    await batches.work(worker)
    return await worker.must_lease()


async def test_a_chunk_has_the_next_points_until_the_batch_has_no_more(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 40)
    worker = node.worker()
    job = await _chunk(worker)
    assert [point.index for point in job.points] == [*range(1, 21)]
    assert await worker.extend(job) == [*range(21, 31)]
    assert len(job.points[20].parameters) == len(job.points[0].parameters) == 5
    assert await batches.jobs(node) == 2, "another worker may take the rest"
    while await worker.extend(job):
        pass
    assert [point.index for point in job.points] == [*range(1, 40)]
    assert await batches.jobs(node) == 1
    assert (await batches.get(node, batch_id))["counts"]["running"] == 39
    await worker.complete_points(job, *[batches.MASS] * 10, ends_chunk=False)
    await worker.complete_points(job, *[batches.MASS] * 29, first=10)
    assert (await batches.get(node, batch_id))["status"] == "completed"
    assert await batches.jobs(node) == 0


async def test_a_chunk_stays_as_it_is_when_another_job_has_its_turn(node: Node, project: str) -> None:
    await batches.create(node, project, 40)
    worker = node.worker()
    job = await _chunk(worker)
    await node.evaluate(project, {"span": 50}, prefer="respond-async")
    assert await worker.extend(job) == []
    single = await worker.must_lease()
    assert single.kind == worker_pb.JOB_KIND_EVALUATE
    assert await worker.extend(job) != [], "nobody else waits any more"


async def test_seconds_before_an_extension_are_charged_once(node: Node, project: str) -> None:
    await batches.create(node, project, 40)
    worker = node.worker()
    job = await _chunk(worker)
    before = (await run_sql(node.frame.db, "SELECT sum(seconds) AS n FROM quotas.month"))[0]["n"]
    await run_sql(
        node.frame.db,
        "UPDATE jobs.job SET leased_at = clock_timestamp() - interval '100 s' WHERE leased_at IS NOT NULL",
    )
    for _ in range(2):
        assert await worker.extend(job) != []
        after = (await run_sql(node.frame.db, "SELECT sum(seconds) AS n FROM quotas.month"))[0]["n"]
        assert 100 <= after - before < 130


async def test_points_of_a_lost_lease_are_left_to_another_lease(node: Node, project: str) -> None:
    await batches.create(node, project, 40)
    dead, living = node.worker("dead"), node.worker("living")
    lost = await _chunk(dead)
    job = await living.must_lease()
    await run_sql(
        node.frame.db,
        "UPDATE jobs.job SET lease_until = clock_timestamp() - interval '1 s', next_at = next_at - interval '1 h'"
        " WHERE id = :id",
        id=lost.job_id,
    )
    assert await living.extend(job) == []
    again = await living.must_lease()
    assert (again.job_id, again.points) == (lost.job_id, lost.points)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await dead.extend(lost)
    assert caught.value.code() == grpc.StatusCode.ABORTED


async def test_a_model_that_is_not_repeatable_has_no_extension(node: Node, project: str) -> None:
    """Its chunks gain nothing by it, and its finding may have changed since the lease."""
    await batches.create(node, project, 40)
    worker = node.worker()
    job = await _chunk(worker)
    await run_sql(node.frame.db, "UPDATE models.model_version SET repeatable = false")
    assert await worker.extend(job) == []


async def test_a_batch_that_is_cancelled_or_deleted_extends_no_chunk(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 40)
    worker = node.worker()
    job = await _chunk(worker)
    await run_sql(node.frame.db, "UPDATE models.model_version SET deleted_at = now()")
    assert await worker.extend(job) == []
    await run_sql(node.frame.db, "UPDATE models.model_version SET deleted_at = NULL")
    assert await worker.extend(job) != []
    await batches.call(node, "DeleteBatch", batch_id=batch_id)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await worker.extend(job)
    assert caught.value.code() == grpc.StatusCode.ABORTED


async def test_unfinished_points_of_a_chunk_have_few_bytes(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that is leased again has them in one message."""
    monkeypatch.setattr(points, "CHUNK_BYTES", 500)
    await batches.create(node, project, 40)
    worker = node.worker()
    job = await _chunk(worker)
    while await worker.extend(job):
        pass
    assert 1 < len(job.points) < 10
    await worker.complete_points(job, *[batches.MASS] * (len(job.points) - 1), ends_chunk=False)
    assert await worker.extend(job) != []


async def test_an_evaluation_has_no_further_points(node: Node, project: str) -> None:
    await node.evaluate(project, {}, prefer="respond-async")
    worker = node.worker()
    single = await worker.must_lease()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await worker.extend(single)
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await worker.extend(worker_pb.Job(job_id=single.job_id, lease_token=str(uuid.uuid4())))
    assert caught.value.code() == grpc.StatusCode.ABORTED
