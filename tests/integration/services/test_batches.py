"""Batches over the dispatcher, with scripted workers over the gRPC door."""

from __future__ import annotations

import asyncio
from collections import Counter

import grpc
import pytest
import uuid_utils

from catenary_core.call.errors import CallError
from catenary_core.services.evaluations import queries
from catenary_core.services.evaluations.batches import queries as batch_queries
from factories.database.lock_waits import until_waiting
from factories.services import batches
from factories.services.calls import events_of
from factories.services.evaluations import (
    USER,
    Node,
    deploy,
    parameter,
    run_sql,
)


async def test_a_batch_gives_the_results_of_all_its_points(node: Node, project: str) -> None:
    answer = await batches.call(node, "CreateBatch", project_id=project, evaluations=batches.spans(5))
    batch = answer["batch"]
    assert (batch["status"], batch["created_by"]) == ("queued", {"user_id": USER, "staff_name": ""})
    assert batch["counts"] == {
        **dict.fromkeys(("running", "completed", "failed", "timed_out", "cancelled", "cached"), 0),
        "total": 5,
        "queued": 5,
    }
    seen = await batches.work_all(node.worker(), batch["batch_id"], node)
    assert seen == dict.fromkeys(range(5), 1)
    done = await batches.get(node, batch["batch_id"])
    assert (done["status"], done["counts"]["completed"], done["counts"]["queued"]) == ("completed", 5, 0)
    assert done["started_at"] <= done["completed_at"] == done["updated_at"]
    results = await batches.results(node, batch["batch_id"], limit=2)
    assert [one["index"] for one in results] == [0, 1, 2, 3, 4]
    assert [one["parameters"]["span"] for one in results] == [5.0, 5.5, 6.0, 6.5, 7.0]
    assert all({name: one[name] for name in batches.MASS} == batches.MASS and not one["cached"] for one in results)
    assert await batches.jobs(node) == 0
    (event,) = await events_of(node.frame.db)
    assert (event["type"], event["project_id"], event["actor_id"]) == ("model.batch.completed", project, USER)
    assert event["subject"] == f"/v1/batches/{batch['batch_id']}"
    told = {name: value for name, value in done.items() if name != "note"}
    assert event["data"] == {"batch": told | {"created_by": {"user_id": USER}}}
    listed = (await batches.call(node, "ListBatches", "viewer", project_id=project))["batches"]
    assert listed == [done]


async def test_each_failed_point_is_named_with_its_own_error(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 3)
    worker = node.worker()
    await batches.work(worker, batches.FAILED)
    late = {"status": "timed_out", "error": {"code": "EVALUATION_TIMEOUT", "message": "took too long", "line": None}}
    for outcome in (late, batches.MASS):
        await batches.work(worker, outcome)
    results = await batches.results(node, batch_id)
    assert [one["status"] for one in results] == ["failed", "timed_out", "completed"]
    assert [one["error"] for one in results] == [batches.FAILED["error"], late["error"], None]
    counts = (await batches.get(node, batch_id))["counts"]
    assert (counts["failed"], counts["timed_out"], counts["completed"]) == (1, 1, 1)
    found = await batches.call(
        node, "ListBatchResults", "viewer", batch_id=batch_id, status=["EVALUATION_STATUS_FAILED"]
    )
    assert [one["index"] for one in found["results"]] == [0]


async def test_the_faults_of_all_points_are_named_by_index(node: Node, project: str) -> None:
    given = batches.given({"span": 10}, {"span": 99}, {"spam": 1, "bays": "x"})
    refused = await batches.refused(node, "CreateBatch", project_id=project, evaluations=given)
    assert refused.reason == "PARAMETER_OUT_OF_RANGE"
    assert refused.message.startswith("evaluations[1].parameters: ")
    assert refused.violations == [
        ("evaluations[1].parameters.span", "max"),
        ("evaluations[2].parameters.spam", "unknown"),
        ("evaluations[2].parameters.bays", "type"),
    ]
    assert await run_sql(node.frame.db, "SELECT * FROM evaluations.batch") == []
    assert await batches.jobs(node) == 0


async def test_a_batch_needs_points_and_a_deployed_version(node: Node, project: str) -> None:
    assert (await batches.refused(node, "CreateBatch", project_id=project)).violations == [("evaluations", "oneof")]
    many = batches.spans(1) * 1001
    assert (await batches.refused(node, "CreateBatch", project_id=project, evaluations=many)).violations == [
        ("evaluations", "max_items")
    ]
    await run_sql(node.frame.db, "UPDATE models.deployment SET status = 'retired'")
    refused = await batches.refused(node, "CreateBatch", project_id=project, evaluations=batches.spans(1))
    assert refused.reason == "MODEL_NOT_DEPLOYED"


async def test_editors_make_batches_of_another_version_by_its_own_declarations(node: Node, project: str) -> None:
    db, objects = node.frame.db, node.frame.objects
    declared = [parameter("span", "number", 3.0)]
    _, newer = await deploy(db, objects, declared, project)
    older = (
        await run_sql(
            db, "SELECT model_version_id AS id FROM models.deployment WHERE project_id = :p AND status <> 'active'",
            p=project,
        )
    )[0]["id"]  # fmt: skip
    answer = await batches.call(
        node, "CreateBatch", "editor", project_id=project, evaluations=batches.spans(3), model_version_id=older
    )
    assert answer["batch"]["model_version_id"] == older
    job = await batches.work(node.worker())
    assert (job.model_version_id, len(job.points[0].parameters)) == (older, 5), "all that the older version declares"
    now = {"project_id": project, "evaluations": batches.given({"span": 4})}
    for caller in ("evaluator", "editor"):
        found = await batches.call(node, "CreateBatch", caller, **now, model_version_id=newer)
        assert found["batch"]["model_version_id"] == newer
    assert (await batches.refused(node, "CreateBatch", **now, model_version_id=older)).reason == "PERMISSION_DENIED"
    unknown = await batches.refused(node, "CreateBatch", "editor", **now, model_version_id=project)
    assert (unknown.reason, unknown.violations) == ("VALIDATION_ERROR", [("model_version_id", "unknown")])


async def test_a_viewer_reads_and_only_the_maker_or_an_editor_ends(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project)
    assert (
        await batches.refused(node, "CreateBatch", "viewer", project_id=project, evaluations=batches.spans(1))
    ).reason == "PERMISSION_DENIED"
    assert (await batches.refused(node, "DeleteBatch", "viewer", batch_id=batch_id)).reason == "PERMISSION_DENIED"
    for method in ("GetBatch", "DeleteBatch", "ListBatchResults"):
        assert (await batches.refused(node, method, "stranger", batch_id=batch_id)).reason == "NOT_FOUND"
    other = "0199aaaa-0000-7000-8000-00000000000f"
    await run_sql(node.frame.db, "UPDATE evaluations.batch SET created_by = :other", other=other)
    assert (await batches.refused(node, "DeleteBatch", batch_id=batch_id)).reason == "PERMISSION_DENIED"


async def test_equal_values_of_a_stored_result_are_cached_and_not_charged(node: Node, project: str) -> None:
    worker = node.worker()
    first = await batches.create(node, project, 3)
    await batches.work_all(worker, first, node)
    await node.evaluate(project, {"span": 50}, prefer="respond-async")
    await worker.complete(await worker.must_lease(), metrics={"mass": {"value": 1, "unit": "kg"}})
    before = (await run_sql(node.frame.db, "SELECT sum(evaluations) AS n FROM quotas.month"))[0]["n"]
    answer = await batches.call(
        node,
        "CreateBatch",
        project_id=project,
        evaluations=[*batches.spans(2), *batches.given({"span": 50}, {"span": 51})],
    )
    counts = answer["batch"]["counts"]
    assert (counts["completed"], counts["cached"], counts["queued"]) == (3, 3, 1)
    job = await batches.work(worker)
    assert [point.index for point in job.points] == [3]
    results = await batches.results(node, answer["batch"]["batch_id"])
    assert [one["cached"] for one in results] == [True, True, True, False]
    assert results[0]["tables"] == batches.MASS["tables"]
    assert results[2]["metrics"] == {"mass": {"value": 1, "unit": "kg"}}
    after = (await run_sql(node.frame.db, "SELECT sum(evaluations) AS n FROM quotas.month"))[0]["n"]
    assert after - before == 1
    # All of them are stored now: the batch has ended when it is answered, with its event.
    again = (await batches.call(node, "CreateBatch", project_id=project, evaluations=batches.spans(2)))["batch"]
    assert (again["status"], again["counts"]["cached"]) == ("completed", 2)
    await batches.work_all(worker, answer["batch"]["batch_id"], node)
    (held,) = await run_sql(node.frame.db, "SELECT state FROM limits.counter WHERE kind = 'user_bulk'")
    assert held["state"] == {"slots": {}}
    assert await batches.jobs(node) == 0


async def test_nothing_is_cached_for_another_project(node: Node, project: str) -> None:
    await batches.work_all(node.worker(), await batches.create(node, project, 2), node)
    other, _ = await deploy(node.frame.db, node.frame.objects)
    counts = (await batches.call(node, "CreateBatch", project_id=other, evaluations=batches.spans(2)))["batch"][
        "counts"
    ]
    assert counts["cached"] == 0


async def test_a_cancelled_batch_keeps_what_has_ended(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 30)
    worker = node.worker()
    await batches.work(worker)
    job = await worker.must_lease()
    await worker.complete_points(job, batches.MASS, ends_chunk=False)
    cancelled = (await batches.call(node, "DeleteBatch", batch_id=batch_id))["batch"]
    assert cancelled == await batches.get(node, batch_id)
    counts = cancelled["counts"]
    assert (cancelled["status"], counts["completed"], counts["cancelled"], counts["running"]) == ("cancelled", 2, 28, 0)
    assert await worker.heartbeat(job) is True
    with pytest.raises(grpc.aio.AioRpcError):
        await worker.complete_points(job, batches.MASS, batches.MASS)
    assert await batches.jobs(node) == 0
    assert await worker.lease(0) is None
    (event,) = await events_of(node.frame.db)
    assert event["data"]["batch"]["status"] == "cancelled"
    statuses = Counter(one["status"] for one in await batches.results(node, batch_id))
    assert statuses == {"completed": 2, "cancelled": 28}
    refused = await batches.refused(node, "DeleteBatch", batch_id=batch_id)
    assert (refused.reason, "set remove to true" in refused.message) == ("CONFLICT", True)
    removed = (await batches.call(node, "DeleteBatch", batch_id=batch_id, remove=True))["batch"]
    assert removed == cancelled
    assert (await batches.refused(node, "GetBatch", batch_id=batch_id)).reason == "NOT_FOUND"
    assert await run_sql(node.frame.db, "SELECT * FROM evaluations.point") == []


async def test_of_two_cancels_at_once_none_removes_the_batch(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project)
    async with node.frame.db.transaction() as tx:  # both have read the batch before one of them can lock it
        await tx.one(batch_queries.LOCK, batch_id=batch_id)
        at_once = [asyncio.create_task(batches.call(node, "DeleteBatch", batch_id=batch_id)) for _ in range(2)]
        await until_waiting(tx, 2)
    one, other = await asyncio.gather(*at_once, return_exceptions=True)
    assert sorted((isinstance(one, CallError), isinstance(other, CallError))) == [False, True]
    assert (await batches.get(node, batch_id))["status"] == "cancelled"
    assert len(await events_of(node.frame.db)) == 1


async def test_a_batch_of_a_deleted_project_is_cancelled_with_the_reason(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 20)
    worker = node.worker()
    await batches.work(worker)
    await run_sql(node.frame.db, "UPDATE projects.project SET deleted_at = now()")
    assert await worker.lease(0) is None
    (done,) = await run_sql(node.frame.db, "SELECT * FROM evaluations.batch WHERE batch_id = :b", b=batch_id)
    assert (done["status"], done["completed"], done["cancelled"], done["failed"]) == ("cancelled", 1, 19, 0)
    assert (done["error"]["code"], "project was deleted" in done["error"]["message"]) == ("NOT_FOUND", True)
    (event,) = await events_of(node.frame.db)
    assert (event["type"], event["data"]["batch"]["status"]) == ("model.batch.completed", "cancelled")
    assert await batches.jobs(node) == 0


async def test_batches_that_one_lease_ends_free_the_slot_of_each(node: Node, project: str) -> None:
    """In one transaction the second end would write back what the first one freed, for a month."""
    made = [await batches.create(node, project, count) for count in (2, 3, 4)]
    await run_sql(node.frame.db, "UPDATE models.model_version SET deleted_at = now()")
    assert await node.worker().lease(0) is None
    assert {(await batches.get(node, batch_id))["status"] for batch_id in made} == {"cancelled"}
    slots = await run_sql(node.frame.db, "SELECT state FROM limits.counter WHERE kind = 'user_bulk'")
    assert [one["state"] for one in slots] == [{"slots": {}}]


async def test_a_request_is_not_noted_of_an_evaluation_that_was_removed(node: Node) -> None:
    gone = str(uuid_utils.uuid7())
    async with node.frame.db.transaction() as tx:
        assert await tx.execute(queries.ADD_REQUEST, evaluation_id=gone, user_id=USER) == 0
