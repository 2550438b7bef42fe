"""Ended evaluations are removed singly and in bulk, with their artefacts; what a comment names stays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import uuid_utils
from google.protobuf.timestamp_pb2 import Timestamp

from catenary_core.call.errors import CallError
from catenary_core.database.statements import Statement
from catenary_core.limits.free_space import FreeSpace
from catenary_core.services.evaluations import queries, removal
from factories.services.evaluations import (
    EVALUATION,
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
LATER = Timestamp(seconds=4_000_000_000)


@pytest.fixture
async def node(dsn: str, tmp_path: Path) -> AsyncIterator[Node]:
    async with open_node(dsn, tmp_path) as opened:
        yield opened


@pytest.fixture
async def project(node: Node) -> str:
    return (await deploy(node.frame.db, node.frame.objects))[0]


async def _script(_: object) -> dict[str, Any]:
    return {"geometry": [MadeGeometry("tower", "glb", GLB), MadeGeometry("tower", "step", GLB[4:])]}


async def _ended(node: Node, project: str, *spans: int, caller: str = "evaluator") -> list[str]:
    """Evaluate; return the ids."""
    async with node.worker().running(_script):
        answers = [await node.evaluate(project, {"span": span}, caller, prefer="wait=60") for span in spans]
    return [answer.body["evaluation"]["evaluation_id"] for answer in answers]


async def _refused(node: Node, method: str, caller: str = "evaluator", **fields: Any) -> Refusal:
    with pytest.raises(CallError) as caught:
        await node.call(method, caller, **fields)
    return refusal(caught.value)


async def _purge(node: Node, project: str, **fields: Any) -> dict[str, Any]:
    given = {"older_than": LATER, "unused": True, **fields}
    return (await node.call("PurgeEvaluations", "editor", project_id=project, **given)).body


async def _kept(node: Node) -> list[int]:
    """Return the numbers of evaluations and holdings, and the bytes on the accounts of project and payer."""
    tables = ("count(*) FROM evaluations.evaluation", "count(*) FROM objects.holding",
              "coalesce(sum(storage), 0) FROM quotas.project", 'coalesce(sum(storage), 0) FROM quotas."user"')  # fmt: skip
    return [
        int((await run_sql(node.frame.db, f"SELECT {table.replace(' FROM', ' AS n FROM')}"))[0]["n"])
        for table in tables
    ]


async def _comment(node: Node, evaluation_id: str, project: str | None) -> None:
    await run_sql(
        node.frame.db,
        "INSERT INTO comments.comment (id, reference_id, reference_table, reference_url, content, created_by,"
        " project_id) VALUES (:c, :e, 'evaluation', 'https://example.com', 'good', :u, :p)",
        c=str(uuid_utils.uuid7()),
        e=evaluation_id,
        u=USER,
        p=project,
    )


async def test_an_ended_evaluation_is_removed_with_its_artefacts(node: Node, project: str) -> None:
    one, other = await _ended(node, project, 10, 11)
    assert await _kept(node) == [2, 4, *[2 * (2 * len(GLB) - 4)] * 2]
    shown = (await node.call("GetEvaluation", evaluation_id=one)).body
    assert (await node.call("CancelEvaluation", evaluation_id=one, remove=True)).body == shown
    assert await _kept(node) == [1, 2, *[2 * len(GLB) - 4] * 2]
    assert (await _refused(node, "GetEvaluation", evaluation_id=one)).reason == "NOT_FOUND"
    assert (await _refused(node, "CancelEvaluation", evaluation_id=one, remove=True)).reason == "NOT_FOUND"
    await node.call("CancelEvaluation", evaluation_id=other, remove=True)
    assert await _kept(node) == [0, 0, 0, 0]
    due = await run_sql(
        node.frame.db, "SELECT count(*) AS n FROM objects.object WHERE due_at > now() + interval '23 h'"
    )
    assert due[0]["n"] == 2, "the collector takes the files after a day"
    async with node.worker().running(_script):
        again = (await node.evaluate(project, {"span": 10}, prefer="wait=60")).body["evaluation"]
    assert not again["cached"]


async def test_a_deletion_cancels_and_removes_only_what_it_says(node: Node, project: str) -> None:
    answer = await node.evaluate(project, prefer="respond-async")
    key = {"evaluation_id": answer.body["evaluation"]["evaluation_id"]}
    unfinished = await _refused(node, "CancelEvaluation", **key, remove=True)
    assert (unfinished.reason, "has not ended" in unfinished.message) == ("CONFLICT", True)
    assert (await node.call("GetEvaluation", **key)).body["evaluation"]["status"] == "queued"
    assert len(await run_sql(node.frame.db, "SELECT id FROM jobs.job")) == 1, "it goes on"
    assert (await node.call("CancelEvaluation", **key)).body["evaluation"]["status"] == "cancelled"
    ended = await _refused(node, "CancelEvaluation", **key)
    assert (ended.reason, "set remove to true" in ended.message) == ("CONFLICT", True)
    assert (await node.call("GetEvaluation", **key)).body["evaluation"]["status"] == "cancelled"
    assert (await node.call("CancelEvaluation", **key, remove=True)).body["evaluation"]["status"] == "cancelled"
    assert (await _refused(node, "GetEvaluation", **key)).reason == "NOT_FOUND"


async def test_evaluators_delete_their_own_and_editors_all(node: Node, project: str) -> None:
    (of_editor,) = await _ended(node, project, 10, caller="editor")
    (own,) = await _ended(node, project, 12)
    queued = (await node.evaluate(project, {"span": 11}, "editor", prefer="respond-async")).body["evaluation"]
    for evaluation_id, remove in ((of_editor, True), (queued["evaluation_id"], False)):
        fields: dict[str, Any] = {"evaluation_id": evaluation_id, "remove": remove}
        found = await _refused(node, "CancelEvaluation", **fields)
        assert (found.reason, "another user's" in found.message) == ("PERMISSION_DENIED", True)
        await node.call("CancelEvaluation", "editor", **fields)
    await node.call("CancelEvaluation", "editor", evaluation_id=own, remove=True)
    fields = {"project_id": project, "older_than": LATER, "unused": True}
    for caller in ("evaluator", "viewer"):
        assert (await _refused(node, "PurgeEvaluations", caller, **fields)).reason == "PERMISSION_DENIED"


async def test_what_a_comment_names_stays(node: Node, project: str) -> None:
    named, other = await _ended(node, project, 10, 11)
    await _comment(node, named, project)
    found = await _refused(node, "CancelEvaluation", evaluation_id=named, remove=True)
    assert (found.reason, "delete the comment first" in found.message) == ("CONFLICT", True)
    assert await _purge(node, project) == {"removed": 1, "more": False}
    assert (await _refused(node, "GetEvaluation", evaluation_id=other)).reason == "NOT_FOUND"
    await run_sql(node.frame.db, "UPDATE comments.comment SET deleted_at = now()")
    await node.call("CancelEvaluation", evaluation_id=named, remove=True)
    assert await _kept(node) == [0, 0, 0, 0]


async def test_a_comment_of_one_who_does_not_see_the_project_holds_nothing_back(node: Node, project: str) -> None:
    one, other = await _ended(node, project, 10, 11)
    for evaluation_id in (one, other):
        await _comment(node, evaluation_id, None)
    await node.call("CancelEvaluation", evaluation_id=one, remove=True)
    assert await _purge(node, project) == {"removed": 1, "more": False}


async def test_without_the_look_at_comments_it_would_go(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind = "SELECT CAST(:evaluation_id AS uuid) IS NULL AS comment, false AS variant"
    monkeypatch.setattr(queries, "NAMED", Statement(sa.text(blind)))
    (named,) = await _ended(node, project, 10)
    await _comment(node, named, project)
    await node.call("CancelEvaluation", evaluation_id=named, remove=True)
    assert (await _kept(node))[0] == 0


async def test_a_purge_removes_what_ended_and_is_older_in_bounded_statements(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = await _ended(node, project, *range(10, 17))
    other, _ = await deploy(node.frame.db, node.frame.objects)
    await _ended(node, other, 10)
    await node.evaluate(project, {"span": 30}, prefer="respond-async")
    monkeypatch.setattr(removal, "BATCH", 2)
    monkeypatch.setattr(removal, "MOST", 4)
    third = (await node.call("GetEvaluation", evaluation_id=ids[2])).body["evaluation"]["created_at"]
    older = Timestamp()
    older.FromJsonString(third)
    assert await _purge(node, project, older_than=older, dry_run=True) == {"removed": 2, "more": False}
    assert await _purge(node, project, dry_run=True) == {"removed": 4, "more": True}
    assert await _purge(node, project, older_than=older) == {"removed": 2, "more": False}
    assert await _purge(node, project) == {"removed": 4, "more": True}
    assert await _purge(node, project) == {"removed": 1, "more": False}
    assert await _purge(node, project) == {"removed": 0, "more": False}
    rows = await run_sql(node.frame.db, "SELECT project_id, status FROM evaluations.evaluation ORDER BY created_at")
    assert [(row["project_id"], row["status"]) for row in rows] == [(other, "completed"), (project, "queued")]
    assert (await _kept(node))[1:] == [2, *[2 * len(GLB) - 4] * 2]


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"unused": False}, "unused"),
        ({"older_than": None}, "older_than"),
        ({"older_than": Timestamp(seconds=-(10**12))}, "older_than"),
    ],
)
async def test_a_purge_says_what_it_needs(node: Node, project: str, fields: dict[str, Any], named: str) -> None:
    given = {"project_id": project, "older_than": LATER, "unused": True, **fields}
    found = await _refused(node, "PurgeEvaluations", "editor", **given)
    assert (found.reason, [field for field, _ in found.violations]) == ("VALIDATION_ERROR", [named])


async def test_deletions_and_purges_at_once_take_each_evaluation_off_once(node: Node, project: str) -> None:
    ids = await _ended(node, project, *range(10, 22))
    calls = [node.call("CancelEvaluation", evaluation_id=one, remove=True) for one in ids]
    ends = await asyncio.gather(_purge(node, project), *calls, _purge(node, project), return_exceptions=True)
    reasons = {refusal(end).reason for end in ends if isinstance(end, BaseException)}
    assert reasons <= {"NOT_FOUND"}
    await _purge(node, project)
    assert await _kept(node) == [0, 0, 0, 0]


async def test_a_purge_goes_on_while_too_little_space_is_free(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    """Try the way out of a full disk, which is a POST."""
    space = FreeSpace(node.frame.settings.data_dir, 2**62)
    bindings = node.dispatch.bindings
    space.check(bindings[EVALUATION + "PurgeEvaluations"])
    space.check(bindings[EVALUATION + "CancelEvaluation"])
    with pytest.raises(Exception, match="too little free disk space"):
        space.check(bindings[EVALUATION + "Evaluate"])
