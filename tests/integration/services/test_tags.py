"""Tags over the dispatcher: who may add which, scopes, what may be seen, unique names, deletion, pages, events, bad input."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from catenary_core.call.errors import CallError
from catenary_core.database.statements import Statement
from catenary_core.frame import Frame
from catenary_core.services.metadata import queries
from catenary_core.services.metadata.tables import tag as tag_table
from factories.checks.timestamps import in_order, moment
from factories.database.statement_counts import counted_statements
from factories.services.calls import Caller, events_of
from factories.services.environment_projects import (
    add_environment_project,
    delete_environment_project,
    link_environment_project,
)
from factories.services.metadata import NOBODY, Tagging, link, new_id, tagging_of


@pytest.fixture
async def tagging(frame: Frame) -> Tagging:
    return await tagging_of(frame)


async def project_of(tagging: Tagging, creator: str = "ada", *, confidential: bool = False) -> str:
    return await add_environment_project(tagging.db, tagging.people[creator], confidential=confidential)


async def listed(caller: Caller, **fields: Any) -> list[str]:
    """Return the names of the tags that a list shows; its count agrees."""
    answer = await caller.call("ListTags", **fields)
    assert answer["summary"]["estimate_count"] == len(answer["tags"])
    return [row["name"] for row in answer["tags"]]


async def test_any_user_adds_a_custom_tag_to_a_project(tagging: Tagging) -> None:
    tag_type, project_id = await tagging.tag_type(allow_custom=True), await project_of(tagging)
    fields = {"name": "Fire", "tag_type_id": tag_type["id"].upper(), "tag_scope": project_id.upper()}
    made = (await tagging.ann.call("CreateTag", **fields))["tag"]
    assert made | {"id": "", "created_at": "", "updated_at": ""} == {
        "id": "",
        "name": "Fire",
        "tag_type": tag_type,
        "tag_scope": project_id,
        "created_at": "",
        "updated_at": "",
        "deleted_at": None,
    }
    assert tag_type["allow_custom"] is True
    assert (await tagging.bob.call("GetTag", tag_id=made["id"]))["tag"] == made
    assert (await tagging.bob.call("ListTags"))["tags"] == [made]


async def test_only_an_admin_adds_a_global_tag(tagging: Tagging) -> None:
    for allow_custom, name in ((True, "Open"), (False, "Closed")):
        tag_type = await tagging.tag_type(name, allow_custom=allow_custom)
        refused = await tagging.ann.refused("CreateTag", name="Fire", tag_type_id=tag_type["id"])
        assert refused.reason == "PERMISSION_DENIED"
        assert (await tagging.tag("Fire", tag_type["id"]))["tag_scope"] is None
    refused = await tagging.ann.refused("CreateTag", name="Fire", tag_type_id=NOBODY)
    assert refused.reason == "PERMISSION_DENIED", "permission goes before rules that need rows"


async def test_a_type_without_custom_tags_takes_none_of_a_project(tagging: Tagging) -> None:
    tag_type, project_id = await tagging.tag_type(allow_custom=False), await project_of(tagging)
    fields = {"name": "Fire", "tag_type_id": tag_type["id"], "tag_scope": project_id}
    assert (await tagging.ann.refused("CreateTag", **fields)).reason == "PERMISSION_DENIED"
    refused = await tagging.ada.refused("CreateTag", **fields)
    assert (refused.reason, refused.details["parameter"]) == ("VALIDATION_ERROR", "tag_type_id")
    assert refused.details["constraint"] == "allow_custom"
    await tagging.ada.call("UpdateTagType", tag_type_id=tag_type["id"], allow_custom=True)
    made = (await tagging.ann.call("CreateTag", **fields))["tag"]
    await tagging.ada.call("UpdateTagType", tag_type_id=tag_type["id"], allow_custom=False)
    assert (await tagging.ann.call("GetTag", tag_id=made["id"]))["tag"]["tag_type"]["allow_custom"] is False


async def test_a_new_tag_names_an_active_type_and_a_project_that_its_maker_sees(tagging: Tagging) -> None:
    tag_type, gone = await tagging.tag_type("Kept"), await tagging.tag_type("Gone")
    await tagging.ada.call("DeleteTagType", tag_type_id=gone["id"])
    project_id, secret = await project_of(tagging), await project_of(tagging, confidential=True)
    deleted = await project_of(tagging)
    await delete_environment_project(tagging.db, deleted)
    for field, value in (
        ("tag_type_id", gone["id"]),
        ("tag_type_id", NOBODY),
        ("tag_scope", NOBODY),
        ("tag_scope", deleted),
        ("tag_scope", secret),
    ):
        fields = {"name": "Fire", "tag_type_id": tag_type["id"], "tag_scope": project_id, field: value}
        refused = await tagging.ann.refused("CreateTag", **fields)
        assert (refused.reason, refused.details["parameter"]) == ("VALIDATION_ERROR", field)
        assert refused.details["value"] == value
    unknown, hidden = [
        await tagging.ann.refused("CreateTag", name="Fire", tag_type_id=tag_type["id"], tag_scope=scope)
        for scope in (NOBODY, secret)
    ]
    assert unknown.message == hidden.message
    assert await listed(tagging.ada) == []
    assert (await tagging.tag("Fire", tag_type["id"], secret))["tag_scope"] == secret


async def test_only_an_admin_renames_and_deletes_tags(tagging: Tagging) -> None:
    tag_type, project_id = await tagging.tag_type(), await project_of(tagging, "ann")
    made = (await tagging.ann.call("CreateTag", name="Fire", tag_type_id=tag_type["id"], tag_scope=project_id))["tag"]
    for method, fields in (("UpdateTag", {"name": "Smoke"}), ("DeleteTag", {})):
        assert (await tagging.ann.refused(method, tag_id=made["id"], **fields)).reason == "PERMISSION_DENIED"
        assert (await tagging.ann.refused(method, tag_id=NOBODY, **fields)).reason == "PERMISSION_DENIED"
        assert (await tagging.ada.refused(method, tag_id=NOBODY, **fields)).reason == "NOT_FOUND"
    renamed = (await tagging.ada.call("UpdateTag", tag_id=made["id"], name="Smoke"))["tag"]
    assert renamed == {**made, "name": "Smoke", "updated_at": renamed["updated_at"]}
    assert moment(renamed["updated_at"]) > moment(made["updated_at"])
    assert (await tagging.ada.call("UpdateTag", tag_id=made["id"]))["tag"] == renamed
    assert (await tagging.ann.call("GetTag", tag_id=made["id"]))["tag"] == renamed


async def test_a_name_is_unique_among_active_tags_of_a_type_and_scope(tagging: Tagging) -> None:
    one, two = await tagging.tag_type("One"), await tagging.tag_type("Two")
    p, q = await project_of(tagging), await project_of(tagging)
    places = [(one["id"], None), (two["id"], None), (one["id"], p), (one["id"], q)]
    made = [await tagging.tag("Fire", *place) for place in places]
    for tag_type_id, scope in places:
        fields = {"name": "Fire", "tag_type_id": tag_type_id} | ({"tag_scope": scope} if scope else {})
        refused = await tagging.ada.refused("CreateTag", **fields)
        assert (refused.reason, refused.details["parameter"]) == ("CONFLICT", "name")
        other = await tagging.tag("Smoke", tag_type_id, scope)
        refused = await tagging.ada.refused("UpdateTag", tag_id=other["id"], name="Fire")
        assert (refused.reason, refused.details["value"]) == ("CONFLICT", "Fire")
    await tagging.ada.call("UpdateTag", tag_id=made[0]["id"], name="Fire")
    for row, place in zip(made, places, strict=True):
        await tagging.ada.call("DeleteTag", tag_id=row["id"])
        assert (await tagging.tag("Fire", *place))["id"] != row["id"]


async def test_parallel_makers_of_one_tag_make_one(tagging: Tagging) -> None:
    tag_type, project_id = await tagging.tag_type(), await project_of(tagging)
    for scope in ({"tag_scope": project_id}, {}):

        async def make(scope: dict[str, str] = scope) -> str:
            try:
                await tagging.ada.call("CreateTag", name="Fire", tag_type_id=tag_type["id"], **scope)
            except CallError as error:
                return error.code().name
            return "made"

        outcomes = await asyncio.gather(*(make() for _ in range(6)))
        assert sorted(outcomes) == ["ABORTED"] * 5 + ["made"]
    assert await listed(tagging.ann) == ["Fire", "Fire"]


async def test_no_tag_is_made_of_a_type_that_is_deleted_at_the_same_time(tagging: Tagging) -> None:
    tag_type = await tagging.tag_type()
    async with tagging.db.transaction() as tx:
        await queries.TAG_TYPE.lock(tx, tag_type["id"])
        making = asyncio.create_task(tagging.ada.refused("CreateTag", name="Fire", tag_type_id=tag_type["id"]))
        await asyncio.sleep(0.2)
        assert not making.done(), "the maker waits for the writer of the type"
        await tx.execute(Statement(sa.text("UPDATE metadata.tag_type SET deleted_at = clock_timestamp()")))
    assert (await making).details["parameter"] == "tag_type_id"
    assert await listed(tagging.ada, show_deleted=True) == []


async def test_a_scope_shows_its_tags_and_the_global_ones(tagging: Tagging) -> None:
    tag_type = await tagging.tag_type()
    p, q = await project_of(tagging), await project_of(tagging)
    await tagging.tag("global", tag_type["id"])
    await tagging.tag("of p", tag_type["id"], p)
    await tagging.tag("of q", tag_type["id"], q)
    for scope, omit_global, expected in (
        (None, False, ["global", "of p", "of q"]),
        (None, True, ["of p", "of q"]),
        ([p], False, ["global", "of p"]),
        ([p.upper()], True, ["of p"]),
        ([p, q], False, ["global", "of p", "of q"]),
        ([p, q], True, ["of p", "of q"]),
        ([""], False, ["global"]),
        ([""], True, []),
        ([p, ""], False, ["global", "of p"]),
        ([p, ""], True, ["of p"]),
        ([NOBODY], False, ["global"]),
        ([NOBODY], True, []),
    ):
        given: dict[str, Any] = {} if scope is None else {"tag_scope": scope}
        assert await listed(tagging.ann, omit_global=omit_global, **given) == expected, (scope, omit_global)


async def test_filters_let_through_what_every_one_of_them_names(tagging: Tagging) -> None:
    one, two = await tagging.tag_type("One"), await tagging.tag_type("Two")
    p = await project_of(tagging)
    a, b = await tagging.tag("a", one["id"]), await tagging.tag("b", one["id"], p)
    c = await tagging.tag("c", two["id"], p)
    assert await listed(tagging.ann, tag_id=[c["id"], a["id"].upper(), NOBODY]) == ["a", "c"]
    assert await listed(tagging.ann, tag_type_id=[one["id"]]) == ["a", "b"]
    assert await listed(tagging.ann, tag_type_id=[one["id"], two["id"]], tag_id=[b["id"], c["id"]]) == ["b", "c"]
    assert await listed(tagging.ann, tag_type_id=[one["id"]], tag_scope=[p], omit_global=True) == ["b"]
    assert await listed(tagging.ann, tag_type_id=[NOBODY]) == []
    assert await listed(tagging.ann, tag_id=[NOBODY]) == []


async def test_tags_of_a_confidential_project_show_to_those_who_may_see_it(tagging: Tagging) -> None:
    tag_type = await tagging.tag_type()
    of_ann = await project_of(tagging, "ann", confidential=True)
    await tagging.tag("open", tag_type["id"], await project_of(tagging))
    secret = await tagging.tag("secret", tag_type["id"], of_ann)
    await tagging.put(link(secret["id"], NOBODY))
    for caller in (tagging.ann, tagging.ada):
        assert await listed(caller) == ["open", "secret"]
        assert (await caller.call("GetTag", tag_id=secret["id"]))["tag"] == secret
    bob = tagging.bob
    for filters in ({}, {"tag_scope": [of_ann]}, {"tag_id": [secret["id"]]}, {"show_deleted": True}):
        assert "secret" not in await listed(bob, **filters)
    await _is_hidden(tagging, bob, secret["id"])
    await link_environment_project(tagging.db, of_ann, tagging.people["bob"])
    assert await listed(bob) == ["open", "secret"]
    assert (await bob.call("GetTag", tag_id=secret["id"]))["tag"] == secret
    assert (await bob.call("GetTagLink", tag_id=secret["id"], reference_id=NOBODY))["tag_link"]["deleted_at"] is None
    fields = {"name": "Fire", "tag_type_id": tag_type["id"], "tag_scope": of_ann}
    assert (await bob.call("CreateTag", **fields))["tag"]["tag_scope"] == of_ann


async def _is_hidden(tagging: Tagging, caller: Caller, tag_id: str) -> None:
    """Every single read and write of the tag and its links answers as for a random id, and does nothing."""
    before = await events_of(tagging.db)
    for method, fields in (
        ("GetTag", {}),
        ("GetTag", {"show_deleted": True}),
        ("ListTagLinks", {}),
        ("ListTagLinks", {"show_deleted": True}),
        ("GetTagLink", {"reference_id": NOBODY}),
        ("UpdateTagLink", {"reference_id": NOBODY, "reference_table": "x"}),
        ("DeleteTagLink", {"reference_id": NOBODY}),
    ):
        hidden = await caller.refused(method, tag_id=tag_id, **fields)
        assert hidden.reason == "NOT_FOUND"
        assert hidden == await caller.refused(method, tag_id=new_id(), **fields)
    put = await caller.refused("PutTagLinks", tag_links=[link(tag_id, NOBODY)])
    random = await caller.refused("PutTagLinks", tag_links=[link(new_id(), NOBODY)])
    assert (put.reason, put.message, put.details["parameter"]) == (
        random.reason,
        random.message,
        random.details["parameter"],
    )
    assert put.reason == "VALIDATION_ERROR"
    assert await events_of(tagging.db) == before


async def test_without_the_condition_a_hidden_tag_would_show(tagging: Tagging, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shows that the test above tests the condition of the list."""
    tag_type = await tagging.tag_type()
    await tagging.tag("secret", tag_type["id"], await project_of(tagging, "ann", confidential=True))
    assert await listed(tagging.bob) == []
    viewer = sa.text(":viewer_id <> '' AND :viewer_admin IS NOT NULL").bindparams(
        sa.bindparam("viewer_id", type_=sa.Text), sa.bindparam("viewer_admin", type_=sa.Boolean)
    )
    open_list = queries.Listing(
        key="tags",
        rows=queries.TAGS.rows,
        sorts=queries.TAGS.sorts,
        deleted_at=queries.TAGS.deleted_at,
        always=(viewer,),
        message=queries.TAGS.message,
    )
    monkeypatch.setattr(queries, "TAGS", open_list)
    assert await listed(tagging.bob) == ["secret"]


async def test_a_deleted_tag_takes_its_links_along(tagging: Tagging) -> None:
    tag_type = await tagging.tag_type()
    kept, gone = await tagging.tag("kept", tag_type["id"]), await tagging.tag("gone", tag_type["id"])
    await tagging.put(link(kept["id"]), link(gone["id"]), link(gone["id"]))
    (already,) = await tagging.put(link(gone["id"]))
    await tagging.ann.call("DeleteTagLink", tag_id=gone["id"], reference_id=already["reference_id"])
    before = len(await events_of(tagging.db))
    deleted = (await tagging.ada.call("DeleteTag", tag_id=gone["id"]))["tag"]
    assert deleted["deleted_at"] is not None
    assert (await tagging.event_types())[before:] == ["tag.deleted", "tag_link.deleted", "tag_link.deleted"]
    assert len((await tagging.ann.call("ListTagLinks", tag_id=kept["id"]))["tag_links"]) == 1
    assert (await tagging.ann.refused("ListTagLinks", tag_id=gone["id"])).reason == "NOT_FOUND"
    links = (await tagging.ann.call("ListTagLinks", tag_id=gone["id"], show_deleted=True))["tag_links"]
    assert len(links) == 3
    assert None not in {row["deleted_at"] for row in links}
    refused = await tagging.ann.refused("PutTagLinks", tag_links=[link(gone["id"])])
    assert refused.details["parameter"] == "tag_links[0].tag_id"


async def test_a_deleted_tag_shows_only_when_asked_for(tagging: Tagging) -> None:
    tag_type = await tagging.tag_type()
    await tagging.tag("kept", tag_type["id"])
    gone = await tagging.tag("gone", tag_type["id"])
    deleted = (await tagging.ada.call("DeleteTag", tag_id=gone["id"]))["tag"]
    assert await listed(tagging.ann) == ["kept"]
    assert await listed(tagging.ann, show_deleted=True) == ["kept", "gone"]
    assert await listed(tagging.ann, show_deleted=True, show_active=False) == ["gone"]
    assert await listed(tagging.ann, show_active=False) == []
    assert (await tagging.ann.refused("GetTag", tag_id=gone["id"])).reason == "NOT_FOUND"
    assert (await tagging.ann.call("GetTag", tag_id=gone["id"], show_deleted=True))["tag"] == deleted
    for method in ("UpdateTag", "DeleteTag"):
        assert (await tagging.ada.refused(method, tag_id=gone["id"], **_renamed(method))).reason == "NOT_FOUND"


def _renamed(method: str) -> dict[str, str]:
    return {"name": "New"} if method == "UpdateTag" else {}


async def test_a_tag_goes_on_showing_its_deleted_type(tagging: Tagging) -> None:
    tag_type = await tagging.tag_type()
    made = await tagging.tag("Fire", tag_type["id"])
    deleted = (await tagging.ada.call("DeleteTagType", tag_type_id=tag_type["id"]))["tag_type"]
    shown = (await tagging.ann.call("GetTag", tag_id=made["id"]))["tag"]
    assert shown == {**made, "tag_type": deleted}
    assert (await tagging.ann.call("ListTags", tag_type_id=[tag_type["id"]]))["tags"] == [shown]
    assert (await tagging.ada.call("UpdateTag", tag_id=made["id"], name="Smoke"))["tag"]["tag_type"] == deleted


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("CreateTag", {"tag_type_id": NOBODY}, "name"),
    ("CreateTag", {"name": " ", "tag_type_id": NOBODY}, "name"),
    ("CreateTag", {"name": "x" * 201, "tag_type_id": NOBODY}, "name"),
    ("CreateTag", {"name": "a\0b", "tag_type_id": NOBODY}, "name"),
    ("CreateTag", {"name": "Fire"}, "tag_type_id"),
    ("CreateTag", {"name": "Fire", "tag_type_id": "x"}, "tag_type_id"),
    ("CreateTag", {"name": "Fire", "tag_type_id": NOBODY, "tag_scope": ""}, "tag_scope"),
    ("CreateTag", {"name": "Fire", "tag_type_id": NOBODY, "tag_scope": "x"}, "tag_scope"),
    ("CreateTag", {"name": "Fire", "tag_type_id": NOBODY}, "tag_type_id"),
    ("GetTag", {"tag_id": "x"}, "tag_id"),
    ("UpdateTag", {"tag_id": NOBODY, "name": ""}, "name"),
    ("UpdateTag", {"tag_id": NOBODY, "update_mask": {"paths": ["name"]}}, "name"),
    ("UpdateTag", {"tag_id": NOBODY, "update_mask": {"paths": ["tag_scope"]}}, "update_mask"),
    ("DeleteTag", {}, "tag_id"),
    ("ListTags", {"tag_scope": ["x"]}, "tag_scope[0]"),
    ("ListTags", {"tag_scope": [NOBODY, "x"]}, "tag_scope[1]"),
    ("ListTags", {"tag_scope": [NOBODY] * 1001}, "tag_scope"),
    ("ListTags", {"tag_id": [""]}, "tag_id[0]"),
    ("ListTags", {"tag_type_id": [""]}, "tag_type_id[0]"),
    ("ListTags", {"page_limit": 1001}, "page_limit"),
    ("ListTags", {"page_limit": -1}, "page_limit"),
    ("ListTags", {"sort_by": "tag_scope"}, "sort_by"),
    ("ListTags", {"order": 9}, "order"),
    ("ListTags", {"after": "%%%"}, "after"),
    ("ListTags", {"before": "AAAA"}, "before"),
]


async def test_a_bad_field_of_a_tag_request_is_named(tagging: Tagging) -> None:
    for method, fields, parameter in BAD:
        refused = await tagging.ada.refused(method, **fields)
        assert (refused.reason, refused.details["parameter"]) == ("VALIDATION_ERROR", parameter), (method, fields)
    assert await events_of(tagging.db) == []
    assert (await tagging.tag("Fire", (await tagging.tag_type())["id"]))["name"] == "Fire"


async def test_pages_of_tags_walk_both_ways_in_every_sort(tagging: Tagging) -> None:
    one, two = await tagging.tag_type("One"), await tagging.tag_type("Two")
    made = [await tagging.tag(name, one["id"]) for name in ("b", "A", "a", "é")]
    made += [await tagging.tag(name, two["id"]) for name in ("a", "b")]
    for sort_by in ("name", "id", "created_at", "updated_at"):
        for order, reverse in ((1, False), (2, True)):
            expected = sorted(made, key=lambda row: (in_order(row[sort_by], sort_by), row["id"]), reverse=reverse)
            sort = {"sort_by": sort_by, "order": order, "page_limit": 4}
            first = await tagging.ann.call("ListTags", **sort)
            second = await tagging.ann.call("ListTags", **sort, after=first["paging"]["next"])
            assert [*first["tags"], *second["tags"]] == expected
            assert second["paging"]["next"] is None
            back = await tagging.ann.call("ListTags", **sort, before=second["paging"]["previous"])
            assert back == {**first, "paging": {**first["paging"], "previous": None}}


async def test_a_cursor_of_another_list_is_refused(tagging: Tagging) -> None:
    tag_type = await tagging.tag_type()
    await tagging.tag_type("Other")
    cursor = (await tagging.ann.call("ListTagTypes", page_limit=1))["paging"]["next"]
    made = await tagging.tag("a", tag_type["id"])
    assert (await tagging.ann.refused("ListTags", after=cursor)).details["parameter"] == "after"
    refused = await tagging.ann.refused("ListTagLinks", tag_id=made["id"], before=cursor)
    assert refused.details["parameter"] == "before"


async def test_a_walk_shows_each_surviving_tag_once_while_others_come_and_go(tagging: Tagging) -> None:
    tag_type = await tagging.tag_type()
    for sort_by in ("created_at", "name"):
        made = [(await tagging.tag(f"{sort_by} {number:03}", tag_type["id"]))["id"] for number in range(60)]
        gone = made[30:60:7]
        answer = await tagging.ann.call("ListTags", page_limit=11, sort_by=sort_by)
        seen = [row["id"] for row in answer["tags"]]
        for tag_id in gone:
            await tagging.ada.call("DeleteTag", tag_id=tag_id)
        for name in (f"before {sort_by}", f"{sort_by} 040 late"):
            await tagging.tag(name, tag_type["id"])
        while answer["paging"]["next"] is not None:
            after = answer["paging"]["next"]
            answer = await tagging.ann.call("ListTags", page_limit=11, sort_by=sort_by, after=after)
            seen += [row["id"] for row in answer["tags"]]
        assert len(seen) == len(set(seen))
        assert [tag_id for tag_id in seen if tag_id in made] == [tag_id for tag_id in made if tag_id not in gone]


async def test_a_page_of_tags_costs_the_same_statements_whatever_its_size(tagging: Tagging) -> None:
    project_id = await project_of(tagging)
    types = [await tagging.tag_type(f"type {number}") for number in range(10)]
    for number in range(30):
        await tagging.tag(f"t{number:02}", types[number % 10]["id"], project_id)
    for limit in (1, 25):
        first = await tagging.ann.call("ListTags", page_limit=limit, tag_scope=[project_id])
        with counted_statements() as seen:
            after = first["paging"]["next"]
            page = await tagging.ann.call("ListTags", page_limit=limit, tag_scope=[project_id], after=after)
        assert page["tags"][0]["name"] == f"t{limit:02}"
        assert len(seen) == 2, "the rows, the count"


async def test_a_shape_of_a_request_compiles_its_statements_once(tagging: Tagging) -> None:
    tag_type, project_id = await tagging.tag_type(), await project_of(tagging)
    compiled = [0]
    init = Statement.__init__

    def counting(self: Statement, statement: Any) -> None:
        compiled[0] += 1
        init(self, statement)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Statement, "__init__", counting)
        await listed(tagging.ann, tag_scope=[project_id], tag_type_id=[tag_type["id"]], sort_by="updated_at", order=2)
        first = compiled[0]
        await listed(tagging.bob, tag_scope=[NOBODY], tag_type_id=[NOBODY], sort_by="updated_at", order=2)
        assert compiled[0] == first > 0


async def test_events_of_tags_hold_the_tag(tagging: Tagging) -> None:
    tag_type = await tagging.tag_type()
    made = await tagging.tag("Fire", tag_type["id"], await project_of(tagging))
    changed = (await tagging.ada.call("UpdateTag", tag_id=made["id"], name="Smoke"))["tag"]
    deleted = (await tagging.ada.call("DeleteTag", tag_id=made["id"]))["tag"]
    events = (await events_of(tagging.db))[1:]
    assert [event["type"] for event in events] == [f"metadata.tag.{what}" for what in ("created", "updated", "deleted")]
    assert [event["data"] for event in events] == [{"tag": row} for row in (made, changed, deleted)]
    assert {event["subject"] for event in events} == {f"/metadata/v1/tags/{made['id']}"}
    assert {event["actor_id"] for event in events} == {tagging.people["ada"].user_id}


@pytest.mark.parametrize("unsafe", [False, True])
async def test_the_unique_index_alone_keeps_a_second_global_tag_out(tagging: Tagging, unsafe: bool) -> None:
    """NULL scopes are equal in the index; with the NULLs distinct, the same insert makes a second tag."""
    tag_type = await tagging.tag_type()
    if unsafe:
        async with tagging.db.transaction() as tx:
            await tx.execute(Statement(sa.text("DROP INDEX metadata.tag_name_tag_type_id_tag_scope_key")))
    values = {"name": "Fire", "tag_type_id": tag_type["id"], "tag_scope": None}
    for _ in range(2):
        async with tagging.db.transaction() as tx:
            await tx.execute(Statement(insert(tag_table).values(id=new_id(), **values).on_conflict_do_nothing()))
    assert await listed(tagging.ada) == ["Fire"] * (2 if unsafe else 1)
