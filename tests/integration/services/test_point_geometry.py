"""Points of batches as evaluations, and their geometry, which is made once at the first request."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from catenary_core.call.errors import CallError
from catenary_core.services.evaluations.points import geometry, ids
from catenary_core.settings import Tier
from factories.services import batches
from factories.services.calls import events_of
from factories.services.evaluations import (
    USER,
    MadeGeometry,
    Node,
    Refusal,
    deploy,
    open_node,
    refusal,
    run_sql,
)

GLB = b"glTF" * 100
NAMED = {**batches.MASS, "unmade": [("tower", "glb"), ("tower", "step"), ("deck", "glb")]}
TOWER = [MadeGeometry("tower", "glb", GLB), MadeGeometry("tower", "step", GLB[4:]), MadeGeometry("deck", "glb", GLB)]


async def _done(node: Node, project: str, count: int = 3, outcome: Any = NAMED) -> tuple[str, list[dict[str, Any]]]:
    """Make a batch and complete its points; return its id and its results."""
    batch_id = await batches.create(node, project, count)
    while (await batches.get(node, batch_id))["status"] in ("queued", "running"):
        await batches.work(node.worker(), outcome)
    return batch_id, await batches.results(node, batch_id)


async def _ask(node: Node, point: dict[str, Any], caller: str = "evaluator", name: str = "tower") -> tuple[str, bytes]:
    """Return the status and the content of a download."""
    stream, content = await node.download(caller, evaluation_id=point["evaluation_id"], name=name)
    return stream.metadata.get("catenary-status", "200"), content


async def _refused(node: Node, point: dict[str, Any], caller: str = "evaluator", name: str = "tower") -> Refusal:
    with pytest.raises(CallError) as caught:
        await _ask(node, point, caller, name)
    return refusal(caught.value)


async def _get(node: Node, point: dict[str, Any], caller: str = "viewer", **fields: Any) -> dict[str, Any]:
    answer = await node.call("GetEvaluation", caller, evaluation_id=point["evaluation_id"], **fields)
    found: dict[str, Any] = answer.body["evaluation"]
    return found


async def _delete(
    node: Node, point: dict[str, Any], caller: str = "evaluator", *, remove: bool = False
) -> dict[str, Any]:
    answer = await node.call("CancelEvaluation", caller, evaluation_id=point["evaluation_id"], remove=remove)
    found: dict[str, Any] = answer.body["evaluation"]
    return found


async def _kept(node: Node) -> list[int]:
    """Return the numbers of evaluations, holdings and jobs, and the bytes on the account of the project."""
    tables = ("count(*) AS n FROM evaluations.evaluation", "count(*) AS n FROM objects.holding",
              "count(*) AS n FROM jobs.job", "coalesce(sum(storage), 0) AS n FROM quotas.project")  # fmt: skip
    return [int((await run_sql(node.frame.db, f"SELECT {table}"))[0]["n"]) for table in tables]


async def _spent(node: Node) -> int:
    rows = await run_sql(node.frame.db, "SELECT coalesce(sum(evaluations), 0) AS n FROM quotas.month")
    return int(rows[0]["n"])


async def test_the_geometry_of_a_point_is_made_once_at_the_first_request(node: Node, project: str) -> None:
    batch_id, (point, other, _) = await _done(node, project)
    assert point["evaluation_id"] == ids.evaluation_id(batch_id, 0)
    path = f"/v1/evaluations/{point['evaluation_id']}/geometry/"
    assert point["geometry"] == [
        {"name": name, "format": form, "url": path + url, "size": None, "sha256": None, "parts": [], "unit": None}
        for name, form, url in (("tower", "glb", "tower"), ("tower", "step", "tower.step"), ("deck", "glb", "deck"))
    ]
    spent = await _spent(node)
    for _ in range(2):
        stream, content = await node.download("evaluator", evaluation_id=point["evaluation_id"], name="tower.stl")
        assert (stream.metadata["catenary-status"], content) == ("202", b"")
        assert stream.metadata["retry-after"]
        assert stream.metadata["cache-control"] == "no-store"
    assert (await _spent(node), await batches.jobs(node)) == (spent + 1, 1)
    assert (await _refused(node, point, "viewer")).reason == "NOT_FOUND"
    worker = node.worker()
    job = await worker.must_lease()
    assert (job.job_id, job.without_geometry) == (point["evaluation_id"], False)
    assert {name: value.text for name, value in job.parameters.items()}["span"] == "5.0"
    await worker.complete(job, **batches.MASS, geometry=TOWER, log="hello\n")
    for caller in ("viewer", "evaluator"):
        stream, content = await node.download(caller, evaluation_id=point["evaluation_id"], name="tower")
        assert (content, stream.metadata["cache-control"]) == (GLB, "no-cache")
    assert await _ask(node, point, name="tower.step") == ("200", GLB[4:])
    made = (await batches.results(node, batch_id))[0]
    assert [one["size"] for one in made["geometry"]] == [400, 396, 400]
    assert other["geometry"][0]["size"] is None
    assert (await _spent(node), await batches.jobs(node)) == (spent + 1, 0)
    shown = await _get(node, point, "evaluator")
    assert (shown["status"], shown["metrics"], shown["log"]) == ("completed", made["metrics"], "hello\n")
    assert shown["geometry"] == made["geometry"]
    assert (await _get(node, point))["log"] is None
    events = await events_of(node.frame.db)
    (event,) = [one for one in events if one["type"] == "model.evaluation.completed"]
    assert event["subject"] == f"/v1/evaluations/{point['evaluation_id']}"


async def test_those_who_ask_at_once_have_it_made_once(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path) as node, open_node(dsn, tmp_path) as second:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        _, (point, *_) = await _done(node, project, 1)
        spent = await _spent(node)
        answers = await asyncio.gather(*(_ask(one, point) for one in (node, second) for _ in range(8)))
        assert set(answers) == {("202", b"")}
        assert (await _spent(node), await batches.jobs(node)) == (spent + 1, 1)


async def test_what_an_equal_evaluation_has_is_given_without_work(node: Node, project: str) -> None:
    _, (point, other, _) = await _done(node, project)

    async def script(_: object) -> dict[str, Any]:
        return {**batches.MASS, "geometry": TOWER}

    async with node.worker().running(script):
        await node.evaluate(project, point["parameters"], force=True, prefer="wait=60")
    assert await _ask(node, point, "viewer") == ("200", GLB)
    await node.evaluate(project, other["parameters"], force=True, prefer="respond-async")
    await node.evaluate(project, {"span": 40}, prefer="respond-async")
    assert await batches.jobs(node) == 2
    await run_sql(node.frame.db, "DELETE FROM evaluations.evaluation WHERE status <> 'completed'")


async def test_who_may_not_evaluate_has_nothing_made(node: Node, project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, (point, *_) = await _done(node, project)
    for caller in ("viewer", "reader"):
        found = await _refused(node, point, caller)
        assert (found.reason, found.message) == ("NOT_FOUND", "There is no such geometry, or you may not see it.")
    assert (await _refused(node, point, "stranger")).reason == "NOT_FOUND"
    assert await batches.jobs(node) == 0
    monkeypatch.setattr(geometry, "_WRITE", "platform:read")
    assert await _ask(node, point, "reader") == ("202", b"")
    assert await batches.jobs(node) == 1, "so the scope is what held it back"


async def test_what_a_point_does_not_name_is_not_looked_for(node: Node, project: str) -> None:
    batch_id, (point, *_) = await _done(node, project)
    assert (await _refused(node, point, name="arch")).reason == "NOT_FOUND"
    unknown = {"evaluation_id": ids.evaluation_id(batch_id, 3)}
    assert (await _refused(node, unknown)).message == "There is no such evaluation, or you may not see it."
    assert (await _refused(node, {"evaluation_id": batch_id})).reason == "NOT_FOUND"
    assert await batches.jobs(node) == 0
    # Nothing is known of what an older release computed, so it is tried.
    await run_sql(node.frame.db, "UPDATE evaluations.point SET geometry = NULL WHERE batch_id = :b", b=batch_id)
    assert (await batches.results(node, batch_id))[0]["geometry"] == []
    assert await _ask(node, point, name="arch") == ("202", b"")
    worker = node.worker()
    await worker.complete(await worker.must_lease(), **batches.MASS, geometry=TOWER)
    assert (await _refused(node, point, name="arch")).reason == "NOT_FOUND", "from now on its names are known"
    assert (await _ask(node, point), await batches.jobs(node)) == (("200", GLB), 0)


async def test_a_point_without_a_result_has_no_geometry(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 2)
    point = {"evaluation_id": ids.evaluation_id(batch_id, 0)}
    assert (await _refused(node, point)).message == "There is no such geometry, or you may not see it."
    assert (await _get(node, point))["status"] == "queued"
    await batches.work(node.worker(), batches.FAILED)
    assert (await _refused(node, point)).message == "There is no such geometry, or you may not see it."
    shown = await _get(node, point, prefer="wait=0")
    assert (shown["status"], shown["error"]["line"]) == ("failed", 7)


async def test_a_failure_is_remembered_until_its_evaluation_is_deleted(node: Node, project: str) -> None:
    _, (point, *_) = await _done(node, project)
    await _ask(node, point)
    worker = node.worker()
    await worker.complete(await worker.must_lease(), **batches.FAILED)
    for _ in range(2):
        found = await _refused(node, point)
        assert found.reason == "CONFLICT"
        assert found.message == (
            "The geometry of this point could not be made. Delete the evaluation to try again. The reason was: no such beam"
        )
    assert (await _refused(node, point, "viewer")).reason == "NOT_FOUND"
    shown = await _get(node, point)
    assert (shown["status"], shown["metrics"]) == ("completed", point["metrics"]), "the point stays as it was"
    assert await batches.jobs(node) == 0
    assert (await _delete(node, point, remove=True))["status"] == "failed"
    assert await _ask(node, point) == ("202", b"")
    assert (await _delete(node, point))["status"] == "cancelled"
    assert await _kept(node) == [0, 0, 0, 0]
    found = await _refused_deletion(node, point)
    assert (found.reason, "is a point" in found.message) == ("CONFLICT", True)


async def test_geometry_of_other_metrics_is_refused(node: Node, project: str) -> None:
    _, (point, *_) = await _done(node, project, 1)
    await _ask(node, point)
    worker = node.worker()
    other = {"metrics": {"mass": {"value": 13.0, "unit": "kg"}}}
    await worker.complete(await worker.must_lease(), **other, geometry=TOWER)
    for caller in ("evaluator", "viewer"):
        found = await _refused(node, point, caller)
        assert (found.reason, "not deterministic" in found.message) == ("CONFLICT", True)
    assert (await _get(node, point))["metrics"] == point["metrics"]


async def _refused_deletion(node: Node, point: dict[str, Any]) -> Refusal:
    with pytest.raises(CallError) as caught:
        await _delete(node, point)
    return refusal(caught.value)


async def test_a_removed_batch_takes_the_geometry_of_its_points_along(node: Node, project: str) -> None:
    batch_id, (point, other, last) = await _done(node, project)
    worker = node.worker()
    for one in (point, other):
        await _ask(node, one)
        await worker.complete(await worker.must_lease(), **batches.MASS, geometry=TOWER)
    await _ask(node, last)
    running = await worker.must_lease()
    assert await _kept(node) == [3, 4, 1, 2 * 1196]
    await batches.call(node, "DeleteBatch", batch_id=batch_id, remove=True)
    assert await _kept(node) == [0, 0, 0, 0]
    assert await worker.heartbeat(running), "its job is gone"
    assert (await _refused(node, point)).message == "There is no such evaluation, or you may not see it."


async def test_points_of_other_batches_keep_theirs(node: Node, project: str) -> None:
    first, (point, *_) = await _done(node, project, 1)
    worker = node.worker()
    await _ask(node, point)
    await worker.complete(await worker.must_lease(), **batches.MASS, geometry=TOWER)
    second = await batches.create(node, project, 1)  # completed at once, as equal to the evaluation
    (cached,) = await batches.results(node, second)
    assert (cached["cached"], [one["size"] for one in cached["geometry"]]) == (True, [400, 396, 400])
    assert await _ask(node, cached, "viewer") == ("200", GLB)
    await batches.call(node, "DeleteBatch", batch_id=second, remove=True)
    assert await _ask(node, point, "viewer") == ("200", GLB)
    await batches.call(node, "DeleteBatch", batch_id=first, remove=True)
    assert await _kept(node) == [0, 0, 0, 0]


async def test_nothing_is_begun_that_a_quota_has_no_room_for(dsn: str, tmp_path: Path) -> None:
    few = {"standard": Tier(evaluations=2)}
    async with open_node(dsn, tmp_path, tiers=few) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        _, (point, _) = await _done(node, project, 2)
        found = await _refused(node, point)
        assert (found.reason, await batches.jobs(node)) == ("QUOTA_EXCEEDED", 0)
        node.frame.settings.tiers["standard"] = Tier(storage_bytes=0)
        assert (await _refused(node, point)).reason == "QUOTA_EXCEEDED"
        node.frame.settings.tiers["standard"] = Tier()
        node.frame.settings.evaluations_per_hour = 1
        assert (await _refused(node, point)).reason == "RATE_LIMIT_EXCEEDED"
        assert await _kept(node) == [0, 0, 0, 0]
        node.frame.settings.evaluations_per_hour = 2
        assert await _ask(node, point) == ("202", b"")


async def test_a_result_without_room_is_told_and_holds_nothing(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path, tiers={"standard": Tier(storage_bytes=500)}) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        _, (point, *_) = await _done(node, project, 1)
        await _ask(node, point)
        worker = node.worker()
        await worker.complete(await worker.must_lease(), **batches.MASS, geometry=TOWER)
        found = await _refused(node, point)
        assert (found.reason, "could not be made" in found.message) == ("CONFLICT", True)
        assert await _kept(node) == [1, 0, 0, 0]


async def test_the_geometry_of_a_deleted_version_can_not_be_made(node: Node, project: str) -> None:
    _, (point, *_) = await _done(node, project)
    await run_sql(node.frame.db, "UPDATE models.model_version SET deleted_at = clock_timestamp()")
    found = await _refused(node, point)
    assert (found.reason, "was deleted" in found.message) == ("CONFLICT", True)


async def test_a_purge_and_an_export_leave_points_alone(node: Node, project: str) -> None:
    _, (point, *_) = await _done(node, project)
    await _ask(node, point)
    worker = node.worker()
    await worker.complete(await worker.must_lease(), **batches.MASS, geometry=TOWER)
    given = {"older_than": Timestamp(seconds=4_000_000_000), "unused": True}
    answer = await node.call("PurgeEvaluations", "editor", project_id=project, **given)
    assert answer.body["removed"] == 0
    assert await _ask(node, point, "viewer") == ("200", GLB)
    assert (await node.call("ListEvaluations", "viewer", project_id=project)).body["evaluations"] == []


async def test_points_are_their_maker_s(node: Node, project: str) -> None:
    _, (point, *_) = await _done(node, project)
    assert (await _get(node, point))["created_by"] == {"user_id": USER, "staff_name": ""}
    await _ask(node, point, "editor")
    found = await _refused_deletion(node, point)
    assert (found.reason, "another user's" in found.message) == ("PERMISSION_DENIED", True)
    assert (await _delete(node, point, "editor"))["status"] == "cancelled"


async def test_an_evaluation_outlives_the_point_of_equal_values(node: Node, project: str) -> None:
    batch_id, (point, *_) = await _done(node, project, 1)
    await _ask(node, point)
    answer = await node.evaluate(project, point["parameters"], prefer="respond-async")
    own = answer.body["evaluation"]
    assert own["evaluation_id"] != point["evaluation_id"]
    await batches.call(node, "DeleteBatch", batch_id=batch_id, remove=True)
    listed = (await node.call("ListEvaluations", "viewer", project_id=project)).body["evaluations"]
    assert [(one["evaluation_id"], one["status"]) for one in listed] == [(own["evaluation_id"], "queued")]
    worker = node.worker()
    await worker.complete(await worker.must_lease(), **batches.MASS, geometry=TOWER)
    assert (await _get(node, own))["status"] == "completed"
