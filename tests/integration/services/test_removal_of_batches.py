"""The removal of batches and studies: what a comment names stays, and of two callers at once each is told what happened."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
import uuid_utils

from catenary_core.call.errors import CallError
from catenary_core.database.statements import Statement
from catenary_core.services.evaluations.batches import queries as batch_queries
from catenary_core.services.evaluations.points import ids
from catenary_core.services.evaluations.points import queries as point_queries
from factories.database.lock_waits import until_waiting
from factories.database.plans import nodes_of, plan_of
from factories.services import batches, studies
from factories.services.evaluations import USER, MadeGeometry, Node, refusal, run_sql

pytestmark = pytest.mark.sampled

TOWER = [MadeGeometry("tower", "glb", b"glTF" * 100)]
NAMED = {**batches.MASS, "unmade": [("tower", "glb")]}
_ASKED = "CAST(:lowest AS uuid), CAST(:highest AS uuid), CAST(:project_id AS uuid)"
STAYS = "A comment names this batch or study or one of its points, which therefore stay; delete it first."


async def _comment(node: Node, reference_id: str, project: str | None) -> None:
    await run_sql(
        node.frame.db,
        "INSERT INTO comments.comment (id, reference_id, reference_table, reference_url, content, created_by,"
        " project_id) VALUES (:c, :e, 'evaluation', 'https://example.com', 'good', :u, :p)",
        c=str(uuid_utils.uuid7()),
        e=reference_id,
        u=USER,
        p=project,
    )


async def _batch(node: Node, project: str) -> str:
    """Make a batch of three points, which have ended."""
    batch_id = await batches.create(node, project, 3)
    while (await batches.get(node, batch_id))["status"] in ("queued", "running"):
        await batches.work(node.worker(), NAMED)
    return batch_id


async def _study(node: Node, project: str) -> str:
    """Make a study that nobody drives; give it the points of a batch, and end it."""
    batch_id, study_id = (
        await _batch(node, project),
        await studies.begin(node, project, objectives=[{"expression": "span"}]),
    )
    await studies.call(node, "CancelStudy", study_id=study_id)
    db = node.frame.db
    await run_sql(db, "UPDATE evaluations.point SET batch_id = :s WHERE batch_id = :b", s=study_id, b=batch_id)
    await run_sql(db, "UPDATE evaluations.batch SET total = 3, completed = 3 WHERE batch_id = :s", s=study_id)
    return study_id


async def _remove(node: Node, kind: str, id_: str) -> None:
    if kind == "batch":
        await batches.call(node, "DeleteBatch", batch_id=id_, remove=True)
    else:
        await studies.call(node, "DeleteStudy", study_id=id_, remove=True)


async def _make(node: Node, kind: str, project: str) -> str:
    return await (_batch if kind == "batch" else _study)(node, project)


async def _points(node: Node) -> int:
    return len(await run_sql(node.frame.db, "SELECT 1 AS one FROM evaluations.point"))


@pytest.mark.parametrize("kind", ["batch", "study"])
@pytest.mark.parametrize("place", [0, 2, None], ids=["first", "last", "whole"])
async def test_what_a_comment_names_stays(node: Node, project: str, kind: str, place: int | None) -> None:
    id_ = await _make(node, kind, project)
    await _comment(node, id_ if place is None else ids.evaluation_id(id_, place), project)
    before = await _points(node)
    with pytest.raises(CallError) as caught:
        await _remove(node, kind, id_)
    assert (refusal(caught.value).reason, refusal(caught.value).message) == ("CONFLICT", STAYS)
    assert await _points(node) == before
    await run_sql(node.frame.db, "UPDATE comments.comment SET deleted_at = now()")
    await _remove(node, kind, id_)
    assert await _points(node) == before - 3


@pytest.mark.parametrize("kind", ["batch", "study"])
async def test_without_the_look_at_comments_it_would_go(
    node: Node, project: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind = Statement(sa.text(f"SELECT num_nulls({_ASKED}) > 0 AS named, false AS saved"))
    monkeypatch.setattr(point_queries, "NAMED", blind)
    id_ = await _make(node, kind, project)
    await _comment(node, ids.evaluation_id(id_, 0), project)
    await _remove(node, kind, id_)
    assert await _points(node) == 0


@pytest.mark.parametrize("kind", ["batch", "study"])
async def test_a_comment_of_one_who_does_not_see_the_project_holds_nothing_back(
    node: Node, project: str, kind: str
) -> None:
    id_ = await _make(node, kind, project)
    for named in (id_, ids.evaluation_id(id_, 0)):
        await _comment(node, named, None)
    await _remove(node, kind, id_)


async def test_without_the_look_at_its_project_a_strangers_comment_holds_a_removal_back(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    any_comment = f"""
        SELECT num_nulls({_ASKED}) = 0 AND EXISTS (
            SELECT FROM comments.named WHERE reference_id BETWEEN CAST(:lowest AS uuid) AND CAST(:highest AS uuid)
        ) AS named
    """
    monkeypatch.setattr(point_queries, "NAMED", Statement(sa.text(any_comment)))
    batch_id = await _batch(node, project)
    await _comment(node, batch_id, None)
    assert (await batches.refused(node, "DeleteBatch", batch_id=batch_id, remove=True)).message == STAYS


async def test_a_comment_on_another_batch_or_on_nothing_holds_none_back(node: Node, project: str) -> None:
    one, other = await _batch(node, project), await _batch(node, project)
    await _comment(node, ids.evaluation_id(other, 0), project)
    await _comment(node, str(uuid_utils.uuid7()), project)
    await batches.call(node, "DeleteBatch", batch_id=one, remove=True)
    assert (await batches.refused(node, "DeleteBatch", batch_id=other, remove=True)).message == STAYS


async def test_a_refused_removal_leaves_what_is_being_made(node: Node, project: str) -> None:
    batch_id = await _batch(node, project)
    point = ids.evaluation_id(batch_id, 0)
    await node.download("evaluator", evaluation_id=point, name="tower")
    await _comment(node, ids.evaluation_id(batch_id, 1), project)
    assert (await batches.refused(node, "DeleteBatch", batch_id=batch_id, remove=True)).reason == "CONFLICT"
    worker = node.worker()
    await worker.complete(await worker.must_lease(), **batches.MASS, geometry=TOWER)
    _, content = await node.download("viewer", evaluation_id=point, name="tower")
    assert content == b"glTF" * 100


async def test_a_comment_keeps_the_geometry_of_its_point_and_no_failed_try(node: Node, project: str) -> None:
    batch_id = await _batch(node, project)
    point = ids.evaluation_id(batch_id, 0)
    await _comment(node, point, project)
    worker = node.worker()
    for status in ("cancelled", "failed", "completed"):
        await node.download("evaluator", evaluation_id=point, name="tower")
        if status == "failed":
            await worker.complete(await worker.must_lease(), **batches.FAILED)
        elif status == "completed":
            await worker.complete(await worker.must_lease(), **batches.MASS, geometry=TOWER)
            with pytest.raises(CallError) as caught:
                await node.call("CancelEvaluation", evaluation_id=point, remove=True)
            assert refusal(caught.value).reason == "CONFLICT"
            return
        answer = await node.call("CancelEvaluation", evaluation_id=point, remove=status == "failed")
        assert answer.body["evaluation"]["status"] == status


async def test_comments_are_asked_by_the_range_of_ids(node: Node, dsn: str) -> None:
    """A study has up to 100,000 points, and the comments of all projects are in one table."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO comments.comment (id, reference_id, reference_table, reference_url, content, created_by)"
            " SELECT gen_random_uuid(), gen_random_uuid(), 'evaluation', 'https://example.com', 'good', gen_random_uuid()"
            " FROM generate_series(1, 20000)"
        )
        connection.execute("VACUUM ANALYZE comments.comment")
        asked = {**ids.ids_of(str(uuid_utils.uuid7())), "project_id": str(uuid_utils.uuid7())}
        plan = plan_of(connection, point_queries.NAMED, asked)
    assert "comment_reference_id_created_at_id_idx" in {one.get("Index Name") for one in nodes_of(plan)}
    assert "Seq Scan" not in {one["Node Type"] for one in nodes_of(plan)}


async def _at_once(node: Node, id_: str, first: Any, second: Any) -> list[Any]:
    """Let two calls wait for the batch's row, one after the other; return what becomes of each."""
    async with node.frame.db.transaction() as tx:
        await tx.one(batch_queries.LOCK, batch_id=id_)
        tasks = [asyncio.ensure_future(first)]
        await until_waiting(tx, 1, named="evaluations.batch")
        tasks.append(asyncio.ensure_future(second))
        await until_waiting(tx, 2, named="evaluations.batch")
    found = await asyncio.gather(*tasks, return_exceptions=True)
    return [refusal(one) if isinstance(one, CallError) else one for one in found]


async def _jobs_of_geometry(node: Node) -> list[str]:
    rows = await run_sql(
        node.frame.db,
        "SELECT e.status FROM jobs.job j JOIN evaluations.evaluation e ON e.evaluation_id = j.id AND e.is_point",
    )
    return [row["status"] for row in rows]


async def test_a_study_that_is_resumed_first_is_not_removed(node: Node, project: str) -> None:
    study_id = await _study(node, project)
    await node.download("evaluator", evaluation_id=ids.evaluation_id(study_id, 0), name="tower")
    resumed, removed = await _at_once(
        node,
        study_id,
        studies.call(node, "ResumeStudy", study_id=study_id),
        studies.call(node, "DeleteStudy", study_id=study_id, remove=True),
    )
    assert resumed["study"]["status"] == "queued"
    assert (removed.reason, "has not ended" in removed.message) == ("CONFLICT", True)
    assert (await studies.get(node, study_id))["status"] == "queued", "who resumed it was promised that it goes on"
    assert await _jobs_of_geometry(node) == ["queued"], "what is queued has its job"
    await studies.call(node, "CancelStudy", study_id=study_id)
    await studies.call(node, "DeleteStudy", study_id=study_id, remove=True)


async def test_a_study_that_is_removed_first_can_not_be_resumed(node: Node, project: str) -> None:
    study_id = await _study(node, project)
    removed, resumed = await _at_once(
        node,
        study_id,
        studies.call(node, "DeleteStudy", study_id=study_id, remove=True),
        studies.call(node, "ResumeStudy", study_id=study_id),
    )
    assert removed["study"]["status"] == "cancelled"
    assert resumed.reason == "NOT_FOUND"
    assert await _points(node) == 0


async def test_of_two_removals_at_once_the_second_finds_nothing(node: Node, project: str) -> None:
    batch_id = await _batch(node, project)
    first, second = await _at_once(
        node, batch_id, *(batches.call(node, "DeleteBatch", batch_id=batch_id, remove=True) for _ in range(2))
    )
    assert (first["batch"]["status"], second.reason) == ("completed", "NOT_FOUND")


@pytest.mark.parametrize("removed_first", [True, False])
async def test_geometry_that_is_asked_for_at_a_removal_goes_or_is_not_begun(
    node: Node, project: str, removed_first: bool
) -> None:
    batch_id = await _batch(node, project)
    remove = batches.call(node, "DeleteBatch", batch_id=batch_id, remove=True)
    ask = node.download("evaluator", evaluation_id=ids.evaluation_id(batch_id, 0), name="tower")
    found = await _at_once(node, batch_id, *((remove, ask) if removed_first else (ask, remove)))
    assert (getattr(found[1], "reason", None) == "NOT_FOUND") is removed_first
    for table in ("evaluations.evaluation", "evaluations.point", "jobs.job"):
        assert await run_sql(node.frame.db, f"SELECT 1 AS one FROM {table}") == [], table
