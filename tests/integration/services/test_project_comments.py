"""Comments of projects: threads, places, mentions, who may change what, and what is told of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uuid_utils

from catenary_core.call.errors import CallError
from catenary_core.services.comments.discussion import queries
from factories.database.lock_waits import until_waiting
from factories.services import discussion, variants
from factories.services.evaluations import CALLERS, Node, deploy, refusal, run_sql

ANCHOR = {"x": 12.5, "y": -3.0, "z": 4.25, "geometry": "tower", "part": "facade"}
UNKNOWN = str(uuid_utils.uuid7())


@pytest.fixture
async def variant(node: Node, project: str) -> str:
    saved = await variants.save(node, project, await variants.evaluation(node, project))
    return str(saved["variant_id"])


async def test_a_comment_keeps_place_camera_and_mentions(node: Node, project: str, variant: str) -> None:
    await discussion.join(node, project, "viewer", "editor")
    mentions = [CALLERS[name].user_id for name in ("editor", "viewer")]
    made = await discussion.write(
        node,
        project,
        content="<b>Too sharp</b>\n[here](x)",
        variant_id=variant,
        anchor=ANCHOR,
        camera=discussion.CAMERA,
        mentions=mentions,
    )
    assert made | {"comment_id": "", "created_at": "", "updated_at": ""} == {
        "comment_id": "",
        "project_id": project,
        "variant_id": variant,
        "parent_id": None,
        "content": "<b>Too sharp</b>\n[here](x)",
        "anchor": ANCHOR,
        "camera": {**discussion.CAMERA, "projection": "perspective", "up": [0.0, 0.0, 1.0], "height": None},
        "mentions": mentions,
        "resolved": False,
        "resolved_by": None,
        "resolved_at": None,
        "created_by": {"user_id": CALLERS["evaluator"].user_id, "staff_name": ""},
        "created_at": "",
        "updated_at": "",
        "deleted_at": None,
    }
    assert (await discussion.call(node, "GetComment", "viewer", comment_id=made["comment_id"]))["comment"] == made
    assert await discussion.listed(node, project) == [made]


@pytest.mark.parametrize(
    ("fields", "parameter"),
    [
        ({"content": ""}, "content"),
        ({"content": " \n\t"}, "content"),
        ({"content": "x" * 10_001}, "content"),
        ({"content": "a\x1bb"}, "content"),
        ({"parent_id": UNKNOWN}, "parent_id"),
        ({"variant_id": UNKNOWN}, "variant_id"),
        ({"variant_id": "x"}, "variant_id"),
        ({"mentions": [UNKNOWN]}, "mentions[0]"),
        ({"mentions": [UNKNOWN, UNKNOWN]}, "mentions"),
        ({"mentions": [str(uuid_utils.uuid7()) for _ in range(51)]}, "mentions"),
        ({"anchor": {"x": 1.0, "y": 2.0}}, "anchor.z"),
        ({"anchor": {**ANCHOR, "x": float("nan")}}, "anchor.x"),
        ({"anchor": {**ANCHOR, "y": 1.1e9}}, "anchor.y"),
        ({"anchor": {**ANCHOR, "part": "two\nlines"}}, "anchor.part"),
        ({"anchor": {**ANCHOR, "geometry": "x" * 201}}, "anchor.geometry"),
        ({"camera": {**discussion.CAMERA, "target": [1.0, 2.0]}}, "camera.target"),
        ({"camera": {**discussion.CAMERA, "target": discussion.CAMERA["position"]}}, "camera.target"),
        ({"camera": {**discussion.CAMERA, "up": [0.0, 0.0, 0.0]}}, "camera.up"),
        ({"camera": {**discussion.CAMERA, "position": [0.0, float("inf"), 0.0]}}, "camera.position[1]"),
        ({"camera": {**discussion.CAMERA, "projection": 0}}, "camera.projection"),
        ({"camera": {**discussion.CAMERA, "fov_degrees": 179.5}}, "camera.fov_degrees"),
        ({"camera": {**discussion.CAMERA, "height": 0.0}}, "camera.height"),
    ],
)
async def test_what_is_no_comment_is_refused_by_its_field(
    node: Node, project: str, fields: dict[str, Any], parameter: str
) -> None:
    found = await discussion.refused(node, "CreateComment", **{"project_id": project, "content": "A", **fields})
    assert (found.reason, found.details.get("parameter", parameter)) == ("VALIDATION_ERROR", parameter)
    assert parameter in found.message
    assert await discussion.listed(node, project) == []


async def test_replies_are_of_one_level_and_on_their_threads_variant(node: Node, project: str, variant: str) -> None:
    first = await discussion.write(node, project, variant_id=variant)
    reply = await discussion.write(node, project, "editor", "B", parent_id=first["comment_id"])
    assert (reply["parent_id"], reply["variant_id"]) == (first["comment_id"], variant)
    other = await discussion.write(node, project, content="C")
    asked = {"project_id": project, "content": "D"}
    for fields, parameter in (
        ({"parent_id": reply["comment_id"]}, "parent_id names a reply"),
        ({"parent_id": other["comment_id"], "variant_id": variant}, "variant_id must be that of"),
    ):
        assert parameter in (await discussion.refused(node, "CreateComment", **asked, **fields)).message
    elsewhere, _ = await deploy(node.frame.db, node.frame.objects)
    for fields in ({"parent_id": other["comment_id"]}, {"variant_id": variant}):
        found = await discussion.refused(node, "CreateComment", project_id=elsewhere, content="E", **fields)
        assert found.reason == "VALIDATION_ERROR"


async def test_lists_are_newest_first_by_variant_and_resolution(node: Node, project: str, variant: str) -> None:
    one = await discussion.write(node, project, content="one", variant_id=variant)
    await discussion.write(node, project, content="two", parent_id=one["comment_id"])
    await discussion.write(node, project, content="three")
    await discussion.call(node, "UpdateComment", comment_id=one["comment_id"], resolved=True)

    async def texts(**fields: Any) -> list[str]:
        return [comment["content"] for comment in await discussion.listed(node, project, **fields)]

    assert await texts() == ["three", "two", "one"]
    assert await texts(variant_id=variant) == await texts(resolved=True) == ["two", "one"]
    assert await texts(resolved=False) == ["three"]
    assert await texts(variant_id=variant, resolved=False) == await texts(variant_id=UNKNOWN) == []
    first = await discussion.call(node, "ListComments", "viewer", project_id=project, limit=2)
    cursor = first["next_cursor"]
    rest = await discussion.call(node, "ListComments", "viewer", project_id=project, limit=2, cursor=cursor)
    assert ([one["content"] for one in rest["comments"]], rest["next_cursor"]) == (["one"], None)


async def test_a_thread_is_resolved_and_reopened_by_any_of_its_comments(node: Node, project: str) -> None:
    first = await discussion.write(node, project)
    reply = await discussion.write(node, project, "editor", parent_id=first["comment_id"])
    resolve = {"comment_id": reply["comment_id"], "resolved": True}
    done = (await discussion.call(node, "UpdateComment", "editor", **resolve))["comment"]
    assert (done["resolved"], done["resolved_by"]["user_id"]) == (True, CALLERS["editor"].user_id)
    assert (await discussion.call(node, "UpdateComment", **resolve))["comment"] == done, "the first who resolved stays"
    shown = (await discussion.call(node, "GetComment", comment_id=first["comment_id"]))["comment"]
    assert (shown["resolved_at"], shown["updated_at"]) == (done["resolved_at"], first["updated_at"])
    opened = await discussion.call(node, "UpdateComment", comment_id=first["comment_id"], resolved=False)
    assert opened["comment"] == first


async def test_authors_edit_and_editors_delete_those_of_others(node: Node, project: str) -> None:
    own = await discussion.write(node, project)
    others = await discussion.write(node, project, "editor", "of an editor")
    for caller, key, expected in (
        ("evaluator", others, "PERMISSION_DENIED"),
        ("viewer", own, "PERMISSION_DENIED"),
        ("stranger", own, "NOT_FOUND"),
    ):
        named = {"comment_id": key["comment_id"]}
        assert (await discussion.refused(node, "UpdateComment", caller, **named, content="x")).reason == expected
        assert (await discussion.refused(node, "DeleteComment", caller, **named)).reason == expected
    found = await discussion.refused(node, "UpdateComment", "editor", comment_id=own["comment_id"], content="x")
    assert (found.reason, "Only its author" in found.message) == ("PERMISSION_DENIED", True)
    asked = {"project_id": project, "content": "x"}
    assert (await discussion.refused(node, "CreateComment", "viewer", **asked)).reason == "PERMISSION_DENIED"
    assert (await discussion.refused(node, "CreateComment", "stranger", **asked)).reason == "NOT_FOUND"
    changed = (await discussion.call(node, "UpdateComment", comment_id=own["comment_id"], content="B"))["comment"]
    assert (changed["content"], changed["updated_at"] > own["updated_at"]) == ("B", True)
    deleted = (await discussion.call(node, "DeleteComment", "editor", comment_id=own["comment_id"]))["comment"]
    assert deleted["deleted_at"] is not None
    assert (await discussion.refused(node, "GetComment", comment_id=own["comment_id"])).reason == "NOT_FOUND"


async def test_replies_outlive_the_comment_that_they_answer(node: Node, project: str) -> None:
    first = await discussion.write(node, project)
    reply = await discussion.write(node, project, "editor", parent_id=first["comment_id"])
    await discussion.call(node, "DeleteComment", comment_id=first["comment_id"])
    assert await discussion.listed(node, project) == [reply]
    found = await discussion.refused(
        node, "CreateComment", project_id=project, content="B", parent_id=first["comment_id"]
    )
    assert "parent_id names no active comment" in found.message
    done = await discussion.call(node, "UpdateComment", comment_id=reply["comment_id"], resolved=True)
    assert done["comment"]["resolved"]


async def test_of_two_who_resolve_and_edit_at_once_one_succeeds(node: Node, project: str) -> None:
    made = await discussion.write(node, project)
    key = {"comment_id": made["comment_id"]}
    tag = (await discussion.answer(node, "GetComment", **key)).metadata["etag"]
    found = await asyncio.gather(
        discussion.answer(node, "UpdateComment", "evaluator", {"if-match": tag}, **key, content="B"),
        discussion.answer(node, "UpdateComment", "editor", {"if-match": tag}, **key, resolved=True),
        discussion.answer(node, "DeleteComment", "editor", {"if-match": tag}, **key),
        return_exceptions=True,
    )
    refusals = [refusal(one).reason for one in found if isinstance(one, CallError)]
    assert len(refusals) == 2
    assert set(refusals) <= {"PRECONDITION_FAILED", "NOT_FOUND"}


async def test_a_reply_waits_for_the_deletion_of_its_parent(node: Node, project: str) -> None:
    first = await discussion.write(node, project)
    async with node.frame.db.transaction() as tx:
        await tx.execute(queries.DELETE, comment_id=first["comment_id"])
        late = asyncio.create_task(
            discussion.refused(node, "CreateComment", project_id=project, content="B", parent_id=first["comment_id"])
        )
        await until_waiting(tx)
    assert "parent_id names no active comment" in (await late).message


async def test_a_repeated_request_comments_once(node: Node, project: str) -> None:
    key = {"idempotency-key": "once"}
    fields = {"project_id": project, "content": "A"}
    first, second = [await discussion.answer(node, "CreateComment", "evaluator", key, **fields) for _ in range(2)]
    assert first.body == second.body
    assert len(await discussion.listed(node, project)) == 1


async def test_a_commented_evaluation_stays_after_its_variant(node: Node, project: str, variant: str) -> None:
    evaluation_id = (await variants.get(node, variant))["evaluation"]["evaluation_id"]
    made = await discussion.write(node, project, variant_id=variant)
    reply = await discussion.write(node, project, parent_id=made["comment_id"])
    await variants.call(node, "DeleteVariant", variant_id=variant)
    assert [one["variant_id"] for one in await discussion.listed(node, project, variant_id=variant)] == [variant] * 2
    found = await discussion.refused(node, "CreateComment", project_id=project, content="B", variant_id=variant)
    assert "variant_id names no variant" in found.message
    purge = {"project_id": project, "older_than": {"seconds": 4_000_000_000}, "unused": True}
    remove = {"evaluation_id": evaluation_id, "remove": True}
    for comment in (made, reply):
        assert (await node.call("PurgeEvaluations", "editor", **purge)).body["removed"] == 0
        with pytest.raises(CallError) as caught:
            await node.call("CancelEvaluation", "editor", **remove)
        assert "A comment names this evaluation" in refusal(caught.value).message
        await discussion.call(node, "DeleteComment", comment_id=comment["comment_id"])
    assert (await node.call("PurgeEvaluations", "editor", **purge)).body["removed"] == 1


async def test_the_deletion_of_a_project_hides_its_comments(node: Node, project: str) -> None:
    made = await discussion.write(node, project)
    await run_sql(node.frame.db, "UPDATE projects.project SET deleted_at = now() WHERE project_id = :p", p=project)
    for method in ("GetComment", "UpdateComment", "DeleteComment"):
        found = await discussion.refused(node, method, "editor", comment_id=made["comment_id"])
        assert found.reason == "NOT_FOUND"


async def test_the_comments_service_shows_them_to_members_alone(node: Node, project: str, variant: str) -> None:
    await discussion.join(node, project, "viewer")
    made = await discussion.write(node, project, content="A\nB", variant_id=variant)
    key = {"comment_id": made["comment_id"]}
    row = (await discussion.call(node, f"{discussion.ROWS}GetComment", "viewer", **key))["comment"]
    assert (row["reference_table"], row["reference_id"], row["content"]) == ("variant", variant, "A\nB")
    assert row["reference_url"].endswith(f"/v1/variants/{variant}")
    hidden = await discussion.refused(node, f"{discussion.ROWS}GetComment", "stranger", **key)
    assert hidden.reason == "NOT_FOUND"
    of_project = await discussion.write(node, project)
    row = (await discussion.call(node, f"{discussion.ROWS}GetComment", "viewer", comment_id=of_project["comment_id"]))[
        "comment"
    ]
    assert (row["reference_table"], row["reference_id"]) == ("project", project)


async def test_rows_of_the_comments_service_alone_are_no_part_of_the_discussion(node: Node, project: str) -> None:
    await discussion.join(node, project, "viewer")
    row = {"reference_id": project, "reference_table": "project", "reference_url": "https://a.example", "content": "A"}
    made = await discussion.call(node, f"{discussion.ROWS}CreateComments", "viewer", comments=[row])
    assert await discussion.listed(node, project) == []
    found = await discussion.refused(node, "GetComment", comment_id=made["comments"][0]["id"])
    assert found.reason == "NOT_FOUND"


async def test_events_of_both_surfaces_tell_changes_without_text_and_names(node: Node, project: str) -> None:
    await discussion.join(node, project, "evaluator")
    made = await discussion.write(node, project, content="a person's words")
    key = {"comment_id": made["comment_id"]}
    await discussion.call(node, "UpdateComment", **key, resolved=True)
    await discussion.call(node, "UpdateComment", **key, resolved=True)
    await discussion.call(node, "UpdateComment", **key)
    await discussion.call(node, f"{discussion.ROWS}UpdateComment", **key, content="other words")
    await discussion.call(node, f"{discussion.ROWS}DeleteComment", **key)
    rows = await run_sql(
        node.frame.db,
        "SELECT type, subject, project_id, data FROM events.event WHERE type LIKE '%comment%' ORDER BY number",
    )
    assert sorted(row["type"] for row in rows) == sorted(
        [
            *(f"comment.{what}" for what in ("created", "updated", "updated", "deleted")),
            *(f"comments.comment.{what}" for what in ("created", "updated", "deleted")),
        ]
    )
    for row in rows:
        assert row["project_id"] == project
        assert "content" not in row["data"]["comment"]
        assert "words" not in str(row)
        if row["type"].startswith("comment."):
            assert row["subject"] == f"/v1/comments/{made['comment_id']}"
            assert list(row["data"]["comment"]["created_by"]) == ["user_id"]
    resolved = next(row for row in rows if row["type"] == "comment.updated")["data"]["comment"]
    assert (resolved["resolved"], list(resolved["resolved_by"])) == (True, ["user_id"])
