"""Comments over the dispatcher: making, filters, pages, authors, deletion, events, bad input."""

from __future__ import annotations

from typing import Any

import pytest
import uuid_utils

from catenary_core.frame import Frame
from factories.checks.timestamps import moment
from factories.database.statement_counts import counted_statements
from factories.services.calls import Caller, events_of
from factories.services.people import delete_user
from integration.services.data_world import NOBODY, URL, World, world_of

REFERENCE = "11111111-1111-7111-8111-111111111111"


@pytest.fixture
async def world(frame: Frame) -> World:
    return await world_of(frame)


def comment(content: str = "Check the span.", **fields: Any) -> dict[str, Any]:
    return {
        "reference_id": REFERENCE,
        "reference_table": "asset",
        "reference_url": URL,
        "content": content,
        **fields,
    }


async def make(caller: Caller, *contents: str, **fields: Any) -> list[dict[str, Any]]:
    answer = await caller.call("CreateComments", comments=[comment(content, **fields) for content in contents])
    return list(answer["comments"])


async def test_comments_are_made_in_order_with_their_creator(world: World) -> None:
    made = await make(world.as_("ann", "comments"), "one", "two", "three")
    assert [row["content"] for row in made] == ["one", "two", "three"]
    first = made[0]
    assert first["created_by"] == {"staff_name": "ann", "email": "ann@example.com"}
    assert first["reference_id"] == REFERENCE
    assert first["deleted_at"] is None
    assert first["created_at"].endswith("Z")
    listed = await world.as_("bob", "comments").list("ListComments")
    assert listed == {"comments": made, "paging": None, "summary": None}


async def test_one_bad_comment_keeps_all_of_them_out(world: World) -> None:
    ann = world.as_("ann", "comments")
    refused = await ann.refused("CreateComments", comments=[comment("good"), comment("")])
    assert refused.reason == "VALIDATION_ERROR"
    assert refused.details["parameter"] == "comments[1].content"
    assert (await ann.list("ListComments"))["comments"] == []
    assert await events_of(world.db) == []


@pytest.mark.parametrize(
    ("item", "field"),
    [
        ({"reference_id": "me"}, "reference_id"),
        ({"reference_id": ""}, "reference_id"),
        ({"reference_table": ""}, "reference_table"),
        ({"reference_table": "x" * 201}, "reference_table"),
        ({"reference_table": "a\0b"}, "reference_table"),
        ({"reference_url": "ftp://example.com"}, "reference_url"),
        ({"reference_url": "https://me:secret@example.com"}, "reference_url"),
        ({"reference_url": "https://example.com/" + "x" * 2048}, "reference_url"),
        ({"content": " \n"}, "content"),
        ({"content": "x" * 10_001}, "content"),
    ],
)
async def test_a_bad_field_of_a_comment_is_named(world: World, item: dict[str, Any], field: str) -> None:
    ann = world.as_("ann", "comments")
    refused = await ann.refused("CreateComments", comments=[comment(**item)])
    assert refused.reason == "VALIDATION_ERROR"
    assert refused.details["parameter"].endswith(field)
    await make(ann, "good")


async def test_none_and_over_a_thousand_comments_are_refused(world: World) -> None:
    ann = world.as_("ann", "comments")
    assert (await ann.refused("CreateComments")).details["parameter"] == "comments"
    refused = await ann.refused("CreateComments", comments=[comment()] * 1001)
    assert refused.details["parameter"] == "comments"
    assert len(await make(ann, *["x"] * 1000)) == 1000
    assert len((await ann.list("ListComments"))["comments"]) == 1000


async def test_upper_case_ids_are_lowered_everywhere(world: World) -> None:
    ann = world.as_("ann", "comments")
    upper = "ABCDEFAB-1111-7111-8111-111111111111"
    (made,) = await make(ann, "x", reference_id=upper)
    assert made["reference_id"] == upper.lower()
    assert (await ann.list("ListComments", reference_id=[upper]))["comments"] == [made]
    answer = await ann.call("DeleteComment", comment_id=made["id"].upper())
    assert answer["comment"]["id"] == made["id"]


async def test_filters_let_through_what_every_one_of_them_names(world: World) -> None:
    ann = world.as_("ann", "comments")
    other = str(uuid_utils.uuid7())
    a, b = await make(ann, "a", "b")
    (c,) = await make(ann, "c", reference_id=other, reference_table="slab")

    async def found(**filters: Any) -> list[str]:
        return [row["content"] for row in (await ann.list("ListComments", **filters))["comments"]]

    assert await found(comment_id=[c["id"], a["id"]]) == ["a", "c"]
    assert await found(reference_id=[other]) == ["c"]
    assert await found(reference_table=["asset"]) == ["a", "b"]
    assert await found(reference_table=["asset", "slab"], comment_id=[b["id"], c["id"]]) == ["b", "c"]
    assert await found(comment_id=[NOBODY]) == []
    assert (await ann.open_refused("ListComments", comment_id=["x"])).details["parameter"] == "comment_id[0]"
    assert (await ann.open_refused("ListComments", comment_id=[NOBODY] * 1001)).reason == "VALIDATION_ERROR"


async def test_only_the_author_and_an_admin_change_and_delete_a_comment(world: World) -> None:
    ann, bob, ada = (world.as_(name, "comments") for name in ("ann", "bob", "ada"))
    (made,) = await make(ann, "first")
    for method, fields in (("UpdateComment", {"content": "mine"}), ("DeleteComment", {})):
        refused = await bob.refused(method, comment_id=made["id"], **fields)
        assert refused.reason == "PERMISSION_DENIED"
    changed = (await ann.call("UpdateComment", comment_id=made["id"], content="second"))["comment"]
    assert changed["content"] == "second"
    assert moment(changed["updated_at"]) > moment(made["updated_at"])
    changed = (await ada.call("UpdateComment", comment_id=made["id"], content="third"))["comment"]
    assert changed["created_by"]["staff_name"] == "ann"
    deleted = (await ada.call("DeleteComment", comment_id=made["id"]))["comment"]
    assert deleted["deleted_at"] is not None
    for method in ("UpdateComment", "DeleteComment"):
        assert (await ann.refused(method, comment_id=made["id"])).reason == "NOT_FOUND"
        assert (await ann.refused(method, comment_id=NOBODY)).reason == "NOT_FOUND"
        assert (await ann.refused(method, comment_id="x")).details["parameter"] == "comment_id"


async def test_a_patch_without_a_field_changes_nothing_and_null_is_refused(world: World) -> None:
    ann = world.as_("ann", "comments")
    (made,) = await make(ann, "first")
    assert (await ann.call("UpdateComment", comment_id=made["id"]))["comment"] == made
    refused = await ann.refused("UpdateComment", comment_id=made["id"], update_mask={"paths": ["content"]})
    assert refused.details["parameter"] == "content"
    refused = await ann.refused("UpdateComment", comment_id=made["id"], update_mask={"paths": ["created_by"]})
    assert refused.details["parameter"] == "update_mask"
    assert [event["type"] for event in await events_of(world.db)] == ["comments.comment.created"]


async def test_deleted_comments_show_only_when_asked_for(world: World) -> None:
    ann = world.as_("ann", "comments")
    a, _ = await make(ann, "a", "b")
    await ann.call("DeleteComment", comment_id=a["id"])

    async def found(**queries: Any) -> list[str]:
        whole = await ann.list("ListComments", **queries)
        page = await ann.list("ListComments", page_limit=10, **queries)
        assert page["comments"] == whole["comments"]
        assert page["summary"]["estimate_count"] == len(whole["comments"])
        return [row["content"] for row in whole["comments"]]

    assert await found() == ["b"]
    assert await found(show_deleted=True) == ["a", "b"]
    assert await found(show_deleted=True, show_active=False) == ["a"]
    assert await found(show_active=False) == []


async def test_events_of_comments_tell_neither_text_nor_people(world: World) -> None:
    ann = world.as_("ann", "comments")
    (made,) = await make(ann, "secret words")
    await ann.call("UpdateComment", comment_id=made["id"], content="other secret words")
    await ann.call("DeleteComment", comment_id=made["id"])
    events = await events_of(world.db)
    assert [event["type"] for event in events] == [f"comments.comment.{x}" for x in ("created", "updated", "deleted")]
    for event in events:
        assert event["subject"] == f"/comments/v2/comments/{made['id']}"
        assert event["actor_id"] == world.people["ann"].user_id
        assert event["data"]["comment"]["reference_id"] == REFERENCE
        assert "content" not in event["data"]["comment"]
        assert "created_by" not in event["data"]["comment"]


async def test_a_comment_outlives_its_author(world: World) -> None:
    (made,) = await make(world.as_("ann", "comments"), "x")
    await delete_user(world.db, world.people["ann"])
    (row,) = (await world.as_("bob", "comments").list("ListComments"))["comments"]
    assert row["id"] == made["id"]
    assert row["created_by"] is None


async def test_a_page_costs_the_same_statements_whatever_its_size(world: World) -> None:
    ann = world.as_("ann", "comments")
    await make(ann, *[str(number) for number in range(300)])
    counts = []
    for limit in (1, 10, 250):
        first = await ann.list("ListComments", page_limit=limit)
        with counted_statements() as seen:
            page = await ann.list("ListComments", page_limit=limit, after=first["paging"]["cursors"]["after"])
        assert page["comments"][0]["content"] == str(limit)
        counts.append(len(seen))
    assert counts == [2, 2, 2]
    with counted_statements() as seen:
        await ann.list("ListComments", page_limit=7)
    assert len(seen) == 2


async def test_one_comment_is_read_by_its_id_and_a_deleted_one_when_asked_for(world: World) -> None:
    ann, bob = world.as_("ann", "comments"), world.as_("bob", "comments")
    (made,) = await make(ann, "first")
    assert (await bob.call("GetComment", comment_id=made["id"].upper()))["comment"] == made
    deleted = (await ann.call("DeleteComment", comment_id=made["id"]))["comment"]
    for comment_id in (made["id"], NOBODY):
        assert (await bob.refused("GetComment", comment_id=comment_id)).reason == "NOT_FOUND"
    assert (await bob.refused("GetComment", comment_id="x")).details["parameter"] == "comment_id"
    assert (await bob.call("GetComment", comment_id=made["id"], show_deleted=True))["comment"] == deleted
