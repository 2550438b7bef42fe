"""Tag types over the dispatcher: privileges, unique names, deletion, pages, events, bad input."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from catenary_core.call.errors import CallError
from catenary_core.frame import Frame
from factories.checks.timestamps import in_order, moment
from factories.database.statement_counts import counted_statements
from factories.services.calls import events_of
from factories.services.metadata import NOBODY, Tagging, tagging_of


@pytest.fixture
async def tagging(frame: Frame) -> Tagging:
    return await tagging_of(frame)


async def test_an_admin_adds_a_tag_type_and_everyone_reads_it(tagging: Tagging) -> None:
    made = (await tagging.ada.call("CreateTagType", name="Discipline"))["tag_type"]
    assert made | {"id": "", "created_at": "", "updated_at": ""} == {
        "id": "",
        "name": "Discipline",
        "allow_custom": False,
        "created_at": "",
        "updated_at": "",
        "deleted_at": None,
    }
    assert made["created_at"].endswith("Z")
    assert (await tagging.bob.call("GetTagType", tag_type_id=made["id"].upper()))["tag_type"] == made
    assert (await tagging.bob.call("ListTagTypes"))["tag_types"] == [made]
    custom = await tagging.tag_type("Phase", allow_custom=True)
    assert custom["allow_custom"] is True


async def test_only_an_admin_changes_tag_types(tagging: Tagging) -> None:
    made = await tagging.tag_type()
    for method, fields in (
        ("CreateTagType", {"name": "Mine"}),
        ("UpdateTagType", {"tag_type_id": made["id"], "name": "Mine"}),
        ("DeleteTagType", {"tag_type_id": made["id"]}),
        ("DeleteTagType", {"tag_type_id": NOBODY}),
    ):
        assert (await tagging.ann.refused(method, **fields)).reason == "PERMISSION_DENIED"
    assert (await tagging.ann.call("ListTagTypes"))["tag_types"] == [made]
    assert await tagging.event_types() == ["tag_type.created"]


async def test_a_change_of_a_tag_type_changes_only_the_given_fields(tagging: Tagging) -> None:
    made = await tagging.tag_type("Discipline", allow_custom=True)
    renamed = (await tagging.ada.call("UpdateTagType", tag_type_id=made["id"], name="Trade"))["tag_type"]
    assert renamed == {**made, "name": "Trade", "updated_at": renamed["updated_at"]}
    assert moment(renamed["updated_at"]) > moment(made["updated_at"])
    closed = (await tagging.ada.call("UpdateTagType", tag_type_id=made["id"], allow_custom=False))["tag_type"]
    assert (closed["name"], closed["allow_custom"]) == ("Trade", False)
    assert (await tagging.ada.call("UpdateTagType", tag_type_id=made["id"]))["tag_type"] == closed
    assert await tagging.event_types() == ["tag_type.created", "tag_type.updated", "tag_type.updated"]


async def test_a_name_is_unique_among_active_tag_types(tagging: Tagging) -> None:
    first, second = await tagging.tag_type("Discipline"), await tagging.tag_type("Phase")
    refused = await tagging.ada.refused("CreateTagType", name="Discipline")
    assert (refused.reason, refused.details["parameter"]) == ("CONFLICT", "name")
    refused = await tagging.ada.refused("UpdateTagType", tag_type_id=second["id"], name="Discipline")
    assert (refused.reason, refused.details["value"]) == ("CONFLICT", "Discipline")
    await tagging.ada.call("UpdateTagType", tag_type_id=first["id"], name="Discipline")
    await tagging.ada.call("DeleteTagType", tag_type_id=first["id"])
    assert (await tagging.tag_type("Discipline"))["id"] != first["id"]


async def test_parallel_makers_of_one_name_make_one_tag_type(tagging: Tagging) -> None:
    async def make() -> str:
        try:
            return str((await tagging.tag_type("Discipline"))["id"])
        except CallError as error:
            return error.code().name

    outcomes = await asyncio.gather(*(make() for _ in range(8)))
    (listed,) = (await tagging.ann.call("ListTagTypes"))["tag_types"]
    assert sorted(outcomes) == sorted([listed["id"], *["ABORTED"] * 7])


async def test_a_deleted_tag_type_shows_only_when_asked_for(tagging: Tagging) -> None:
    kept, gone = await tagging.tag_type("Kept"), await tagging.tag_type("Gone")
    deleted = (await tagging.ada.call("DeleteTagType", tag_type_id=gone["id"]))["tag_type"]
    assert deleted["deleted_at"] is not None

    async def names(**queries: bool) -> list[str]:
        answer = await tagging.ann.call("ListTagTypes", **queries)
        assert answer["summary"]["estimate_count"] == len(answer["tag_types"])
        return [row["name"] for row in answer["tag_types"]]

    assert await names() == ["Kept"]
    assert await names(show_deleted=True) == ["Kept", "Gone"]
    assert await names(show_deleted=True, show_active=False) == ["Gone"]
    assert await names(show_active=False) == []
    assert (await tagging.ann.refused("GetTagType", tag_type_id=gone["id"])).reason == "NOT_FOUND"
    answer = await tagging.ann.call("GetTagType", tag_type_id=gone["id"], show_deleted=True)
    assert answer["tag_type"] == deleted
    for method in ("UpdateTagType", "DeleteTagType"):
        assert (await tagging.ada.refused(method, tag_type_id=gone["id"])).reason == "NOT_FOUND"
    assert (await tagging.ada.call("GetTagType", tag_type_id=kept["id"]))["tag_type"] == kept


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("CreateTagType", {}, "name"),
    ("CreateTagType", {"name": ""}, "name"),
    ("CreateTagType", {"name": " \t"}, "name"),
    ("CreateTagType", {"name": "x" * 201}, "name"),
    ("CreateTagType", {"name": "a\0b"}, "name"),
    ("UpdateTagType", {"tag_type_id": NOBODY, "name": " "}, "name"),
    ("UpdateTagType", {"tag_type_id": NOBODY, "update_mask": {"paths": ["name"]}}, "name"),
    ("UpdateTagType", {"tag_type_id": NOBODY, "update_mask": {"paths": ["allow_custom"]}}, "allow_custom"),
    ("UpdateTagType", {"tag_type_id": NOBODY, "update_mask": {"paths": ["deleted_at"]}}, "update_mask"),
    ("UpdateTagType", {"tag_type_id": "x"}, "tag_type_id"),
    ("GetTagType", {"tag_type_id": ""}, "tag_type_id"),
    ("GetTagType", {"tag_type_id": "1; DROP"}, "tag_type_id"),
    ("DeleteTagType", {}, "tag_type_id"),
    ("ListTagTypes", {"tag_type_id": ["x"]}, "tag_type_id[0]"),
    ("ListTagTypes", {"tag_type_id": [NOBODY] * 1001}, "tag_type_id"),
    ("ListTagTypes", {"page_limit": 0}, "page_limit"),
    ("ListTagTypes", {"page_limit": 1001}, "page_limit"),
    ("ListTagTypes", {"sort_by": "allow_custom"}, "sort_by"),
    ("ListTagTypes", {"sort_by": "name; DROP TABLE"}, "sort_by"),
    ("ListTagTypes", {"order": 3}, "order"),
    ("ListTagTypes", {"before": "x", "after": "x"}, "before"),
    ("ListTagTypes", {"after": "x"}, "after"),
    ("ListTagTypes", {"after": ""}, "after"),
]


async def test_a_bad_field_of_a_tag_type_request_is_named(tagging: Tagging) -> None:
    for method, fields, parameter in BAD:
        refused = await tagging.ada.refused(method, **fields)
        assert (refused.reason, refused.details["parameter"]) == ("VALIDATION_ERROR", parameter), (method, fields)
    assert await events_of(tagging.db) == []
    await tagging.tag_type()


async def test_pages_of_tag_types_walk_both_ways_in_every_sort(tagging: Tagging) -> None:
    made = [await tagging.tag_type(name) for name in ("b", "A", "a", "é", "B")]
    for sort_by, key in (("name", "name"), ("id", "id"), ("created_at", "created_at"), ("updated_at", "updated_at")):
        for order, reverse in ((1, False), (2, True)):
            expected = sorted((row[key] for row in made), key=lambda value: in_order(value, key), reverse=reverse)
            queries = {"sort_by": sort_by, "order": order, "page_limit": 2}
            first = await tagging.ann.call("ListTagTypes", **queries)
            second = await tagging.ann.call("ListTagTypes", **queries, after=first["paging"]["next"])
            third = await tagging.ann.call("ListTagTypes", **queries, after=second["paging"]["next"])
            assert [row[key] for page in (first, second, third) for row in page["tag_types"]] == expected
            assert (first["paging"]["previous"], third["paging"]["next"]) == (None, None)
            assert first["summary"] == {"estimate_count": 5}
            back = await tagging.ann.call("ListTagTypes", **queries, before=third["paging"]["previous"])
            assert back["tag_types"] == second["tag_types"]
    cursor = (await tagging.ann.call("ListTagTypes", page_limit=1))["paging"]["next"]
    assert (await tagging.ann.refused("ListTagTypes", after=cursor, sort_by="name")).details["parameter"] == "after"


async def test_a_filter_of_tag_types_takes_ids(tagging: Tagging) -> None:
    first, _, third = [await tagging.tag_type(name) for name in "abc"]
    ids = [third["id"].upper(), first["id"], NOBODY]
    assert (await tagging.ann.call("ListTagTypes", tag_type_id=ids))["tag_types"] == [first, third]
    assert (await tagging.ann.call("ListTagTypes", tag_type_id=[NOBODY]))["tag_types"] == []


async def test_a_page_of_tag_types_costs_the_same_statements_whatever_its_size(tagging: Tagging) -> None:
    for number in range(30):
        await tagging.tag_type(f"t{number:02}")
    for limit in (1, 25):
        first = await tagging.ann.call("ListTagTypes", page_limit=limit)
        with counted_statements() as seen:
            page = await tagging.ann.call("ListTagTypes", page_limit=limit, after=first["paging"]["next"])
        assert page["tag_types"][0]["name"] == f"t{limit:02}"
        assert len(seen) == 2, "the rows, the count"


async def test_events_of_tag_types_hold_the_tag_type(tagging: Tagging) -> None:
    made = await tagging.tag_type()
    changed = (await tagging.ada.call("UpdateTagType", tag_type_id=made["id"], name="Trade"))["tag_type"]
    deleted = (await tagging.ada.call("DeleteTagType", tag_type_id=made["id"]))["tag_type"]
    events = await events_of(tagging.db)
    assert [event["type"] for event in events] == [
        f"metadata.tag_type.{what}" for what in ("created", "updated", "deleted")
    ]
    assert [event["data"] for event in events] == [{"tag_type": row} for row in (made, changed, deleted)]
    for event in events:
        assert event["subject"] == f"/metadata/v1/tag_types/{made['id']}"
        assert event["actor_id"] == tagging.people["ada"].user_id
        assert event["project_id"] is None
