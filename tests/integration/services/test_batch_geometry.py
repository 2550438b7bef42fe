"""Batches that keep the geometry of all their points: each point is told to workers as one evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import orjson
import pytest

from catenary.worker.v1 import worker_service_pb2 as worker_pb
from catenary_core.jobs import queue
from catenary_core.services.evaluations.batches import points
from catenary_core.services.evaluations.points import ids
from catenary_core.settings import Tier
from factories.services import batches
from factories.services.calls import events_of
from factories.services.evaluations import MadeFile, MadeGeometry, Node, deploy, open_node, run_sql

GLB = b"glTF" * 100
TOWER = [MadeGeometry("tower", "glb", GLB)]
REPORT = [MadeFile("report.txt", b"report")]


async def _create(node: Node, project: str, count: int = 3) -> str:
    answer = await batches.call(
        node, "CreateBatch", project_id=project, evaluations=batches.spans(count), geometry=True
    )
    return str(answer["batch"]["batch_id"])


async def _kept(node: Node) -> list[int]:
    """Return the numbers of evaluations, holdings and jobs, and the bytes on the account of the project."""
    tables = ("count(*) AS n FROM evaluations.evaluation", "count(*) AS n FROM objects.holding",
              "count(*) AS n FROM jobs.job", "coalesce(sum(storage), 0) AS n FROM quotas.project")  # fmt: skip
    return [int((await run_sql(node.frame.db, f"SELECT {table}"))[0]["n"]) for table in tables]


async def test_a_batch_keeps_the_geometry_of_all_points_when_asked(node: Node, project: str) -> None:
    batch_id = await _create(node, project)
    worker = node.worker()
    for index in range(3):
        job = await worker.must_lease()
        assert (job.kind, job.job_id) == (worker_pb.JOB_KIND_EVALUATE, ids.evaluation_id(batch_id, index))
        assert (job.parameters["span"].text, len(job.points), job.without_geometry) == (f"{5 + index / 2}", 0, False)
        assert await batches.jobs(node) == min(2, 3 - index)
        await worker.complete(job, **batches.MASS, geometry=TOWER, files=REPORT, log="hello\n")
    assert (await batches.get(node, batch_id))["status"] == "completed"
    for point in await batches.results(node, batch_id):
        assert [(one["name"], one["size"]) for one in point["geometry"]] == [("tower", 400)]
        assert (await node.download("viewer", evaluation_id=point["evaluation_id"], name="tower"))[1] == GLB
        file = await node.download_file("viewer", evaluation_id=point["evaluation_id"], name="report.txt")
        assert file[1] == b"report"
        answer = await node.call("GetEvaluation", "evaluator", evaluation_id=point["evaluation_id"])
        shown = answer.body["evaluation"]
        assert (shown["metrics"], shown["log"]) == (point["metrics"], "hello\n")
        assert [file["name"] for file in shown["files"]] == ["report.txt"]
    assert await _kept(node) == [3, 6, 0, 3 * 406]
    (event,) = await events_of(node.frame.db)
    assert event["type"] == "model.batch.completed", "none for each point"
    assert event["data"]["batch"]["counts"]["completed"] == 3
    again = await node.evaluate(project, {"span": 5, "bays": 2}, prefer="respond-async")
    assert not again.body["evaluation"]["cached"], "what goes with a batch answers no evaluation"
    await batches.call(node, "DeleteBatch", batch_id=batch_id, remove=True)
    assert await _kept(node) == [1, 0, 1, 0]
    assert (await node.call("GetEvaluation", evaluation_id=again.body["evaluation"]["evaluation_id"])).body


async def test_a_batch_that_keeps_files_takes_no_stored_results(node: Node, project: str) -> None:
    worker = node.worker()
    first: list[str] = []
    second: list[str] = []
    for made in (first, second):
        made.append(await _create(node, project, 1))
        assert (await batches.get(node, made[0]))["counts"]["cached"] == 0
        await worker.complete(await worker.must_lease(), **batches.MASS, geometry=TOWER, files=REPORT, log="hello\n")
    await batches.call(node, "DeleteBatch", batch_id=first[0], remove=True)
    (point,) = await batches.results(node, second[0])
    assert (await node.download("viewer", evaluation_id=point["evaluation_id"], name="tower"))[1] == GLB
    file = await node.download_file("viewer", evaluation_id=point["evaluation_id"], name="report.txt")
    assert file[1] == b"report"


@pytest.mark.parametrize("kept", [True, False])
async def test_a_batch_shows_whether_it_keeps_geometry(node: Node, project: str, *, kept: bool) -> None:
    given = {"project_id": project, "evaluations": batches.spans(1)}
    made = (await batches.call(node, "CreateBatch", **given, geometry=kept))["batch"]
    (listed,) = (await batches.call(node, "ListBatches", "viewer", project_id=project))["batches"]
    cancelled = (await batches.call(node, "DeleteBatch", batch_id=made["batch_id"]))["batch"]
    shown = [made, listed, await batches.get(node, made["batch_id"]), cancelled]
    assert [one["geometry"] for one in shown] == [kept] * 4


async def test_a_point_that_fails_with_its_geometry_fails_alone(node: Node, project: str) -> None:
    batch_id = await _create(node, project)
    worker = node.worker()
    await worker.complete(await worker.must_lease(), **batches.FAILED)
    for _ in range(queue.MAX_ATTEMPTS):
        job = await worker.must_lease()
        await run_sql(node.frame.db, "UPDATE jobs.job SET lease_until = clock_timestamp() - interval '1 s' "
                      "WHERE id = :j", j=job.job_id)  # fmt: skip
    await node.reaper.look()
    job = await worker.must_lease()
    await worker.release(job)
    await worker.complete(await worker.must_lease(), **batches.MASS, geometry=TOWER)
    found = await batches.results(node, batch_id)
    assert [one["status"] for one in found] == ["failed", "failed", "completed"]
    assert [one["error"] and one["error"]["code"] for one in found] == ["MODEL_FAILED", "UNAVAILABLE", None]
    assert [one["geometry"] != [] for one in found] == [False, False, True]
    assert await _kept(node) == [1, 1, 0, 400]


async def test_a_result_that_comes_after_the_cancellation_is_held_by_nobody(node: Node, project: str) -> None:
    batch_id = await _create(node, project)
    worker = node.worker()
    await worker.complete(await worker.must_lease(), **batches.MASS, geometry=TOWER)
    job = await worker.must_lease()
    # As where the job was locked by its completion at the moment of the cancellation, which then leaves it.
    rows = await run_sql(node.frame.db, "SELECT * FROM jobs.job WHERE id = :j", j=job.job_id)
    await batches.call(node, "DeleteBatch", batch_id=batch_id)
    assert rows
    await run_sql(
        node.frame.db,
        "INSERT INTO jobs.job (id, kind, payload, request_id, attempts, lease_until, lease_token, worker_id, user_id,"
        " project_id) VALUES (:id, 'points', CAST(:payload AS json), '', 1, clock_timestamp() + interval '1 h', :token,"
        " 'w1', :user, :project)",
        id=job.job_id, payload=_json(rows[0]["payload"]), token=job.lease_token, user=rows[0]["user_id"], project=project,
    )  # fmt: skip
    await worker.complete(job, **batches.MASS, geometry=TOWER)
    assert await _kept(node) == [1, 1, 0, 400]
    counts = (await batches.get(node, batch_id))["counts"]
    assert (counts["completed"], counts["cancelled"]) == (1, 2)


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


async def test_a_point_with_geometry_is_completed_alone(node: Node, project: str) -> None:
    batch_id = await _create(node, project)
    worker = node.worker()
    job = await worker.must_lease()
    job.points.add(index=0)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await worker.complete_points(job, batches.MASS)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    del job.points[:]
    await worker.complete(job, **batches.MASS, geometry=TOWER)
    assert (await batches.get(node, batch_id))["counts"]["completed"] == 1


async def test_a_batch_with_geometry_needs_room(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path, tiers={"standard": Tier(storage_bytes=0)}) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        given: dict[str, Any] = {"project_id": project, "evaluations": batches.spans(2)}
        assert (await batches.refused(node, "CreateBatch", **given, geometry=True)).reason == "QUOTA_EXCEEDED"
        node.frame.settings.tiers["standard"] = Tier(storage_bytes=500)
        batch_id = await _create(node, project, 2)
        worker = node.worker()
        for _ in range(2):
            await worker.complete(await worker.must_lease(), **batches.MASS, geometry=TOWER)
        found = await batches.results(node, batch_id)
        assert [one["status"] for one in found] == ["completed", "failed"]
        assert found[1]["error"]["code"] == "QUOTA_EXCEEDED"
        assert await _kept(node) == [1, 1, 0, 400]


def test_ids_of_jobs_are_those_of_their_points() -> None:
    batch_id = "0199aaaa-0000-7000-8000-00000000000f"
    assert ids.evaluation_id(batch_id, 0) == "0199aaaa-0000-7000-8000-000000000001"
    assert ids.evaluation_id(batch_id, 99_999) == "0199aaaa-0000-7000-8000-0000000186a0"
    for index in (0, 1, 15, 99_999, 2**20 - 2):
        place = ids.place(ids.evaluation_id(batch_id, index))
        assert place["index"] == index
        assert place["lowest"] <= batch_id <= place["highest"]
    assert points.KIND == "points"
