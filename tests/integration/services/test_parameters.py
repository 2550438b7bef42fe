"""Parameters over the dispatcher: making, addressing, filters, pages, changes, deletion, hidden projects, bad input."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa
import uuid_utils

from catenary.parameter.v1 import parameter_service_pb2 as pb2
from catenary.parameter.v1 import parameter_type_pb2
from catenary_core.call.errors import CallError
from catenary_core.database.statements import Statement
from catenary_core.frame import Frame
from catenary_core.resources import listing, pages
from factories.checks.timestamps import moment
from factories.database.statement_counts import counted_statements
from factories.services.calls import events_of
from integration.services.data_world import NOBODY
from integration.services.parameter_world import ParameterWorld, check_refusals, number, parameter_world_of

SECOND = NOBODY[:-1] + "2"


@pytest.fixture
async def world(frame: Frame) -> ParameterWorld:
    return await parameter_world_of(frame)


async def test_a_parameter_shows_its_parents_type_makers_and_selected_entry(world: ParameterWorld) -> None:
    project, source, length = await world.project(), await world.source(), await world.unit_type()
    metre = await world.unit(length["id"])
    kind = await world.asset_type(asset_sub_type=True)
    await world.sub_type(kind["id"], "Basement")
    quantity = await world.parameter_type(unit_type_id=length["id"])
    top = await world.asset(project, kind["id"], "Basement")
    below = await world.asset(project, kind["id"], "Basement", parent_id=top["id"])
    entry = {
        "source_id": source["id"],
        "values": [number(450.0, metre["id"])],
        "comment": "c",
        "location_in_source": "p",
    }
    made = await world.parameter(project, quantity["id"], parent_ids=[below["id"], top["id"]], entries=[entry])
    assert made["project_id"] == project
    assets = await world.ann.call("ListAssets", asset_id=[top["id"], below["id"]], sort_by="id")
    assert made["parents"] == assets["assets"]
    assert [parent["children"] for parent in made["parents"]] == [[below["id"]], []]
    assert [parent["asset_type"] for parent in made["parents"]] == [kind, kind]
    assert made["parameter_type"] == quantity
    assert made["created_by"] == {"staff_name": "ann", "email": "ann@example.com"}
    selected = made["selected_entry"]
    assert list(selected) == ["entry_id", "revision_id", "status", "values", "source", "created_by", "created_at"]
    (value,) = selected["values"]
    assert value == {
        "id": value["id"],
        "value": 450.0,
        "unit": {key: metre[key] for key in ("id", "symbol", "unit_type_id", "unit_system_id")},
    }
    assert isinstance(value["value"], float)
    assert selected["status"] == "answered"
    kept = ("id", "created_at", "date_day", "date_month", "date_year", "reference", "title", "url")
    assert selected["source"] == {
        **{name: source[name] for name in kept},
        "source_type": {name: source["source_type"][name] for name in ("id", "name")},
    }
    assert selected["created_by"] == made["created_by"]
    assert (await world.ann.call("GetParameter", parameter_id=made["id"]))["parameter"] == made
    assert (await world.ann.call("ListParameters"))["parameters"] == [made]


async def test_a_parameter_without_entry_or_parents_is_project_wide_and_unanswered(world: ParameterWorld) -> None:
    made = await world.parameter(await world.project(), (await world.parameter_type())["id"])
    assert (made["parents"], made["selected_entry"]) == ([], None)
    listed = await world.ann.call("ListParameters", qa_status=[pb2.QA_STATUS_UNANSWERED])
    assert listed["parameters"] == [made]


async def test_an_item_addresses_the_parameter_of_its_project_type_and_parents(world: ParameterWorld) -> None:
    project, source, kind = await world.project(), await world.source(), await world.asset_type()
    quantity = await world.parameter_type()
    one, two = await world.asset(project, kind["id"]), await world.asset(project, kind["id"])
    base = {"project_id": project, "parameter_type_id": quantity["id"]}
    made = await world.parameter(**base, parent_ids=[one["id"], two["id"]])
    item = {**base, "parent_ids": [two["id"], one["id"]]}
    refusal = await world.ann.refused("CreateParameters", parameters=[item])
    assert (refusal.reason, refusal.details["parameter"]) == ("CONFLICT", "parameters[0].parent_ids")
    content = {"source_id": source["id"], "values": [number(1)]}
    entry_id = str(uuid_utils.uuid7())
    first = await world.parameter(**item, entries=[{**content, "entry_id": entry_id}])
    assert (first["id"], first["selected_entry"]["entry_id"]) == (made["id"], entry_id)
    for wrong in (content, {**content, "entry_id": NOBODY}):
        refusal = await world.ann.refused("CreateParameters", parameters=[{**item, "entries": [wrong]}])
        assert (refusal.reason, refusal.details["constraint"]) == ("CONFLICT", "one_entry")
    revised = {**content, "entry_id": entry_id, "values": [number(2)]}
    second = await world.parameter(**item, id=made["id"], entries=[revised])
    assert second["selected_entry"]["values"][0]["value"] == 2
    assert second["selected_entry"]["revision_id"] != first["selected_entry"]["revision_id"]
    refusal = await world.ann.refused("CreateParameters", parameters=[{**item, "id": NOBODY, "entries": [revised]}])
    assert (refusal.reason, refusal.details["parameter"]) == ("CONFLICT", "parameters[0].id")
    refusal = await world.ann.refused(
        "CreateParameters", parameters=[{**base, "id": made["id"], "parent_ids": [one["id"]]}]
    )
    assert (refusal.reason, refusal.details["parameter"]) == ("CONFLICT", "parameters[0].id")
    types = [row["type"] for row in await events_of(world.db) if "parameter.entry" in row["type"]]
    assert types == ["parameter.entry.created", "parameter.entry.updated"]
    assert len((await world.ann.call("ListParameters"))["parameters"]) == 1


async def test_many_parameters_are_made_or_none(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    quantity, text = await world.parameter_type(), await world.parameter_type(parameter_type_pb2.DATA_TYPE_STRING)
    asset = await world.asset(project, kind["id"])
    base = {"project_id": project, "parameter_type_id": quantity["id"]}
    items = [{**base, "parent_ids": [asset["id"]]}, base, {**base, "parameter_type_id": text["id"]}]
    refusal = await world.ann.refused("CreateParameters", parameters=[*items, items[0]])
    assert (refusal.details["parameter"], refusal.details["constraint"]) == ("parameters[3].parent_ids", "unique")
    assert (await world.ann.call("ListParameters"))["parameters"] == []
    made = (await world.ann.call("CreateParameters", parameters=items))["parameters"]
    assert [(row["parameter_type"]["id"], len(row["parents"])) for row in made] == [
        (quantity["id"], 1),
        (quantity["id"], 0),
        (text["id"], 0),
    ]


async def test_fifty_writers_of_one_parameter_make_it_once(world: ParameterWorld) -> None:
    project, source, kind = await world.project(), await world.source(), await world.asset_type()
    quantity, asset = await world.parameter_type(), await world.asset(project, kind["id"])
    entry = {"source_id": source["id"], "values": [number(1)]}
    item = {"project_id": project, "parameter_type_id": quantity["id"], "parent_ids": [asset["id"]], "entries": [entry]}

    async def make() -> str:
        try:
            return str((await world.one("CreateParameters", "parameters", world.ann, **item))["id"])
        except CallError as error:
            return error.code().name

    made = await asyncio.gather(*(make() for _ in range(50)))
    assert made.count("ABORTED") == 49
    (row,) = (await world.ann.call("ListParameters"))["parameters"]
    assert row["id"] in made
    assert len((await world.ann.list("ListEntries"))["entries"]) == 1


async def test_writers_of_the_same_many_parameters_in_other_orders_never_wait_for_each_other(
    world: ParameterWorld,
) -> None:
    project = await world.project()
    kinds = [await world.parameter_type() for _ in range(5)]
    items = [{"project_id": project, "parameter_type_id": kind["id"]} for kind in kinds]

    async def make(turn: int) -> str:
        try:
            await world.ann.call("CreateParameters", parameters=items[turn % 5 :] + items[: turn % 5])
        except CallError as error:
            return error.code().name
        return "made"

    made = await asyncio.gather(*(make(turn) for turn in range(20)))
    assert sorted(made) == ["ABORTED"] * 19 + ["made"]


async def test_each_filter_lets_through_what_it_names(world: ParameterWorld) -> None:
    length = await world.unit_type()
    metre, foot = await world.unit(length["id"], "m"), await world.unit(length["id"], "ft")
    quantities = [await world.parameter_type(unit_type_id=length["id"]) for _ in range(2)]
    kinds = [await world.asset_type() for _ in range(2)]
    projects = [await world.project() for _ in range(2)]
    sources = [await world.source(), await world.source()]
    assets = [await world.asset(projects[n], kinds[n]["id"]) for n in range(2)]
    made = []
    for n, unit in enumerate((metre, foot)):
        entry = {"source_id": sources[n]["id"], "values": [number(1, unit["id"])]}
        fields = {"parent_ids": [assets[n]["id"]], "entries": [entry]}
        made.append(await world.parameter(projects[n], quantities[n]["id"], **fields))
    bare = await world.parameter(projects[0], quantities[1]["id"])
    revision = {"revision_id": made[1]["selected_entry"]["revision_id"], "status": 4, "comment": "no"}
    await world.ann.call("UpdateRevisions", revisions=[revision])
    a, b, c = made[0]["id"], made[1]["id"], bare["id"]
    await _tag(world, NOBODY, a)
    await _tag(world, SECOND, b)
    for filters, expected in (
        ({"parameter_id": [a, c]}, {a, c}),
        ({"project_id": [projects[0]]}, {a, c}),
        ({"project_id": projects}, {a, b, c}),
        ({"asset_id": [assets[0]["id"]]}, {a}),
        ({"asset_id": [asset["id"] for asset in assets]}, {a, b}),
        ({"asset_type_id": [kinds[1]["id"]]}, {b}),
        ({"parameter_type_id": [quantities[1]["id"]]}, {b, c}),
        ({"source_id": [sources[0]["id"]]}, {a}),
        ({"source_type_id": [sources[1]["source_type"]["id"]]}, {b}),
        ({"unit_id": [foot["id"]]}, {b}),
        ({"tag_id": [NOBODY]}, {a}),
        ({"category_id": [NOBODY]}, {a}),
        ({"category_id": [NOBODY], "report_id": [SECOND]}, set()),
        ({"report_id": [SECOND], "discipline_id": [NOBODY, SECOND]}, {b}),
        ({"project_parameter": True}, {c}),
        ({"project_parameter": False}, {a, b}),
        ({"project_parameter": True, "project_id": [projects[1]]}, set()),
        ({"qa_status": [pb2.QA_STATUS_ANSWERED]}, {a}),
        ({"qa_status": [pb2.QA_STATUS_REJECTED, pb2.QA_STATUS_UNANSWERED]}, {b, c}),
        ({"qa_status": [pb2.QA_STATUS_APPROVED]}, set()),
        ({"project_id": [projects[0]], "qa_status": [pb2.QA_STATUS_ANSWERED], "unit_id": [metre["id"]]}, {a}),
        ({"project_id": [NOBODY]}, set()),
        ({"asset_id": [NOBODY]}, set()),
    ):
        listed = await world.bob.call("ListParameters", **filters)
        assert {row["id"] for row in listed["parameters"]} == expected, filters
        assert listed["summary"]["estimate_count"] == len(expected), filters
    entry = {
        "entry_id": made[0]["selected_entry"]["entry_id"],
        "parameter_id": a,
        "source_id": sources[1]["id"],
        "values": [number(1, foot["id"])],
    }
    await world.put(entry)
    for filters in ({"source_id": [sources[0]["id"]]}, {"unit_id": [metre["id"]]}):
        assert (await world.ann.call("ListParameters", **filters))["parameters"] == [], (
            "only the latest revision counts"
        )


async def test_pages_walk_both_ways(world: ParameterWorld) -> None:
    project = await world.project()
    ids = [(await world.parameter(project, (await world.parameter_type())["id"]))["id"] for _ in range(5)]
    first = await world.ann.call("ListParameters", page_limit=2)
    assert [row["id"] for row in first["parameters"]] == ids[:2]
    assert first["paging"]["previous"] is None
    second = await world.ann.call("ListParameters", page_limit=2, after=first["paging"]["next"])
    assert [row["id"] for row in second["parameters"]] == ids[2:4]
    back = await world.ann.call("ListParameters", page_limit=2, before=second["paging"]["previous"])
    assert back["parameters"] == first["parameters"]
    newest = await world.ann.call("ListParameters", page_limit=1, order=2, sort_by="updated_at")
    assert [row["id"] for row in newest["parameters"]] == ids[-1:]


async def test_a_parameter_changes_its_parents_unless_another_has_them(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    quantity, asset = await world.parameter_type(), await world.asset(project, kind["id"])
    foreign = await world.asset(await world.project(), kind["id"])
    wide = await world.parameter(project, quantity["id"])
    own = await world.parameter(project, quantity["id"], parent_ids=[asset["id"]])
    refusal = await world.ann.refused("UpdateParameter", parameter_id=wide["id"], parent_ids=[asset["id"]])
    assert refusal.reason == "CONFLICT"
    mask = {"paths": ["parent_ids"]}
    refusal = await world.ann.refused("UpdateParameter", parameter_id=own["id"], update_mask=mask)
    assert refusal.reason == "CONFLICT"
    refusal = await world.ann.refused("UpdateParameter", parameter_id=wide["id"], parent_ids=[foreign["id"]])
    assert refusal.details["parameter"] == "parent_ids[0]"
    await world.ann.call("DeleteParameter", parameter_id=wide["id"])
    changed = (await world.ann.call("UpdateParameter", parameter_id=own["id"], update_mask=mask))["parameter"]
    assert changed["parents"] == []
    assert moment(changed["updated_at"]) > moment(own["updated_at"])
    same = (await world.ann.call("UpdateParameter", parameter_id=own["id"]))["parameter"]
    assert same == changed
    assert (await world.ann.refused("UpdateParameter", parameter_id=wide["id"])).reason == "NOT_FOUND"


async def test_a_deleted_parameter_takes_its_entry_along_and_leaves_its_place_free(world: ParameterWorld) -> None:
    project, source, quantity = await world.project(), await world.source(), await world.parameter_type()
    entry = {"source_id": source["id"], "values": [number(1)]}
    made = await world.parameter(project, quantity["id"], entries=[entry])
    deleted = (await world.ann.call("DeleteParameter", parameter_id=made["id"]))["parameter"]
    assert deleted["selected_entry"] == made["selected_entry"]
    assert deleted["deleted_at"] is not None
    assert (await world.ann.refused("GetParameter", parameter_id=made["id"])).reason == "NOT_FOUND"
    assert (await world.ann.refused("DeleteParameter", parameter_id=made["id"])).reason == "NOT_FOUND"
    shown = await world.ann.call("ListParameters", show_deleted=True, show_active=False)
    assert shown["parameters"] == [deleted]
    (gone,) = (await world.ann.list("ListEntries", show_deleted=True))["entries"]
    assert gone["deleted_at"] is not None
    again = await world.parameter(project, quantity["id"])
    assert again["selected_entry"] is None
    events = {row["type"]: row["data"] for row in await events_of(world.db) if row["type"].endswith(".deleted")}
    assert set(events) == {"parameter.parameter.deleted", "parameter.entry.deleted"}
    assert "created_by" not in events["parameter.parameter.deleted"]["parameter"]
    assert "created_by" not in events["parameter.parameter.deleted"]["parameter"]["selected_entry"]


async def test_a_deleted_type_unit_and_source_go_on_showing(world: ParameterWorld) -> None:
    project, source, length = await world.project(), await world.source(), await world.unit_type()
    metre, quantity = await world.unit(length["id"]), await world.parameter_type(unit_type_id=length["id"])
    entry = {"source_id": source["id"], "values": [number(1, metre["id"])]}
    made = await world.parameter(project, quantity["id"], entries=[entry])
    await world.ada.call("DeleteUnit", unit_id=metre["id"])
    await world.ada.call("DeleteParameterType", parameter_type_id=quantity["id"])
    await world.world.as_("ada", "reference").call("DeleteSource", source_id=source["id"])
    shown = (await world.ann.call("GetParameter", parameter_id=made["id"]))["parameter"]
    assert shown["selected_entry"] == made["selected_entry"]
    assert shown["parameter_type"]["deleted_at"] is not None
    assert shown["parameter_type"]["units"] == [], "a node answers with the types as they are"
    item = {"project_id": project, "parameter_type_id": quantity["id"]}
    refusal = await world.ann.refused("CreateParameters", parameters=[item])
    assert refusal.details["parameter"] == "parameters[0].parameter_type_id"


async def test_parameters_of_a_hidden_project_are_as_if_they_were_not(world: ParameterWorld) -> None:
    quantity, source = await world.parameter_type(), await world.source()
    hidden, open_ = await world.project(confidential=True), await world.project()
    entry = {"source_id": source["id"], "values": [number(7)]}
    secret = await world.parameter(hidden, quantity["id"], entries=[entry])
    public = await world.parameter(open_, quantity["id"])
    for caller, count in ((world.ann, 2), (world.ada, 2), (world.bob, 1)):
        listed = await caller.call("ListParameters")
        assert (len(listed["parameters"]), listed["summary"]["estimate_count"]) == (count, count)
        assert len((await caller.list("ListEntries"))["entries"]) == count - 1
    for filters in ({"project_id": [hidden]}, {"parameter_id": [secret["id"]]}, {"source_id": [source["id"]]}):
        assert (await world.bob.call("ListParameters", **filters))["parameters"] == []
    for method, fields in (
        ("GetParameter", {"parameter_id": "?"}),
        ("GetParameter", {"parameter_id": "?", "show_deleted": True}),
        ("UpdateParameter", {"parameter_id": "?", "parent_ids": []}),
        ("DeleteParameter", {"parameter_id": "?"}),
    ):
        real = {key: secret["id"] if value == "?" else value for key, value in fields.items()}
        fake = {key: NOBODY if value == "?" else value for key, value in fields.items()}
        assert await world.bob.refused(method, **real) == await world.bob.refused(method, **fake)
    item = {"project_id": hidden, "parameter_type_id": quantity["id"]}
    refusal = await world.bob.refused("CreateParameters", parameters=[item])
    assert refusal.details["parameter"] == "parameters[0].project_id"
    assert (await world.ann.call("GetParameter", parameter_id=secret["id"]))["parameter"] == secret
    assert public["id"] != secret["id"]


async def test_tags_of_a_hidden_project_find_nothing(world: ParameterWorld) -> None:
    hidden = await world.project(confidential=True)
    made = await world.parameter(await world.project(), (await world.parameter_type())["id"])
    await _tag(world, NOBODY, made["id"], scope=hidden)
    assert (await world.ann.call("ListParameters", tag_id=[NOBODY]))["parameters"] == [made]
    assert (await world.bob.call("ListParameters", tag_id=[NOBODY]))["parameters"] == []


async def test_bad_input_names_its_field(world: ParameterWorld) -> None:
    project, source, quantity = await world.project(), await world.source(), await world.parameter_type()
    good = {"project_id": project, "parameter_type_id": quantity["id"]}
    entry = {"source_id": source["id"], "values": [number(1)]}
    await check_refusals(
        world.ann,
        [
            ("CreateParameters", {"parameters": []}, "parameters"),
            ("CreateParameters", {"parameters": [{**good, "id": "x"}]}, "parameters[0].id"),
            ("CreateParameters", {"parameters": [{**good, "project_id": NOBODY}]}, "parameters[0].project_id"),
            (
                "CreateParameters",
                {"parameters": [{**good, "parameter_type_id": NOBODY}]},
                "parameters[0].parameter_type_id",
            ),
            ("CreateParameters", {"parameters": [{**good, "parent_ids": [NOBODY]}]}, "parameters[0].parent_ids[0]"),
            ("CreateParameters", {"parameters": [{**good, "parent_ids": [NOBODY] * 2}]}, "parameters[0].parent_ids"),
            ("CreateParameters", {"parameters": [{**good, "entries": [entry, entry]}]}, "parameters[0].entries"),
            (
                "CreateParameters",
                {"parameters": [{**good, "entries": [{**entry, "values": [number(1), number(2)]}]}]},
                "parameters[0].entries[0].values",
            ),
            (
                "CreateParameters",
                {"parameters": [{**good, "entries": [{**entry, "source_id": NOBODY}]}]},
                "parameters[0].entries[0].source_id",
            ),
            (
                "CreateParameters",
                {"parameters": [{**good, "entries": [{**entry, "values": [{"value": {"string_value": "1"}}]}]}]},
                "parameters[0].entries[0].values[0].value",
            ),
            ("UpdateParameter", {"parameter_id": NOBODY, "parent_ids": ["x"]}, "parent_ids[0]"),
            ("UpdateParameter", {"parameter_id": NOBODY, "update_mask": {"paths": ["project_id"]}}, "update_mask"),
            ("ListParameters", {"qa_status": [0]}, "qa_status[0]"),
            ("ListParameters", {"sort_by": "name"}, "sort_by"),
            ("ListParameters", {"tag_id": ["x"]}, "tag_id[0]"),
            ("GetParameter", {"parameter_id": "x"}, "parameter_id"),
        ],
    )


async def test_a_page_costs_two_statements_and_one_parameter_one(world: ParameterWorld) -> None:
    project, source, kind = await world.project(), await world.source(), await world.asset_type()
    asset = await world.asset(project, kind["id"])
    for _ in range(6):
        entry = {"source_id": source["id"], "values": [number(1)]}
        quantity = await world.parameter_type()
        made = await world.parameter(project, quantity["id"], parent_ids=[asset["id"]], entries=[entry])
    await world.ann.call("ListParameters")
    for limit in (1, 6):
        with counted_statements() as seen:
            assert len((await world.ann.call("ListParameters", page_limit=limit))["parameters"]) == limit
        assert len(seen) == 2
    with counted_statements() as seen:
        await world.ann.call("GetParameter", parameter_id=made["id"])
    assert len(seen) == 1


_TAG_TABLES = (
    "CREATE SCHEMA IF NOT EXISTS metadata",
    "DROP VIEW IF EXISTS metadata.tagged",
    "CREATE TABLE metadata.marks (tag_id uuid, reference_id uuid, tag_scope uuid)",
    "CREATE VIEW metadata.tagged AS SELECT * FROM metadata.marks",
)
_HAS_TAGS = Statement(sa.text("SELECT to_regclass('metadata.marks') IS NOT NULL AS there"))


async def _tag(world: ParameterWorld, tag_id: str, reference_id: str, scope: str | None = None) -> None:
    """Tag a parameter in a table of the view's shape; the metadata service isn't part of these tests."""
    async with world.db.read() as tx:
        if not (await tx.one(_HAS_TAGS))["there"]:
            for sql in _TAG_TABLES:
                await tx.execute(Statement(sa.text(sql)))
        insert = sa.text("INSERT INTO metadata.marks VALUES (:tag_id ::uuid, :reference_id ::uuid, :scope ::uuid)")
        bound = [sa.bindparam(name, type_=sa.Text) for name in ("tag_id", "reference_id", "scope")]
        await tx.execute(Statement(insert.bindparams(*bound)), tag_id=tag_id, reference_id=reference_id, scope=scope)


async def _walked(world: ParameterWorld, **filters: Any) -> tuple[list[str], int]:
    """Return the ids that pages of two give, and the count.

    The pages give the same ids forward and backward.
    """
    ids: list[str] = []
    page = await world.ann.call("ListParameters", page_limit=2, **filters)
    count = page["summary"]["estimate_count"]
    while page["parameters"]:
        ids += [row["id"] for row in page["parameters"]]
        last = page
        if page["paging"]["next"] is None:
            break
        page = await world.ann.call("ListParameters", page_limit=2, after=page["paging"]["next"], **filters)
        assert page["summary"]["estimate_count"] == count
    back = [row["id"] for row in reversed(last["parameters"])] if ids else []
    while ids and last["paging"]["previous"] is not None:
        last = await world.ann.call("ListParameters", page_limit=2, before=last["paging"]["previous"], **filters)
        back += [row["id"] for row in reversed(last["parameters"])]
    assert back == ids[::-1]
    return ids, count


@pytest.mark.parametrize(("few", "most_keys"), [(3000, 20_000), (0, 20_000), (3000, 1), (0, 1)])
async def test_a_filter_by_other_tables_gives_the_same_rows_however_they_are_found(
    world: ParameterWorld, monkeypatch: pytest.MonkeyPatch, few: int, most_keys: int
) -> None:
    listing.count_statements.cache_clear()
    monkeypatch.setattr(pages, "_FEW", few)
    monkeypatch.setattr(listing, "_MOST_KEYS", most_keys)
    project, source = await world.project(), await world.source()
    storey, other = await world.asset_type(), await world.asset_type()
    assets = [await world.asset(project, storey["id"], f"Storey {n}") for n in range(3)]
    elsewhere = await world.asset(project, other["id"])
    ids = []
    for n in range(5):
        kind = await world.parameter_type()
        # The first two belong to two assets of the type at once.
        parents = [asset["id"] for asset in (assets[:2] if n < 2 else [assets[n % 3], elsewhere])]
        entry = {"source_id": source["id"], "values": [number(n)]}
        made = await world.parameter(project, kind["id"], parent_ids=parents, entries=[entry] if n % 2 else [])
        ids.append(made["id"])
    gone = await world.parameter(project, (await world.parameter_type())["id"], parent_ids=[assets[0]["id"]])
    await world.ann.call("DeleteParameter", parameter_id=gone["id"])
    try:
        assert await _walked(world, asset_type_id=[storey["id"]]) == (ids, 5)
        assert await _walked(world, asset_type_id=[storey["id"], other["id"]], project_id=[project]) == (ids, 5)
        assert await _walked(world, asset_type_id=[storey["id"]], order=2) == (ids[::-1], 5)
        assert await _walked(world, asset_type_id=[storey["id"]], sort_by="id") == (sorted(ids), 5)
        assert await _walked(world, asset_type_id=[storey["id"]], show_deleted=True) == ([*ids, gone["id"]], 6)
        assert await _walked(world, asset_id=[assets[0]["id"], assets[1]["id"]]) == ([*ids[:2], *ids[3:]], 4)
        assert await _walked(world, source_type_id=[source["source_type_id"]]) == (ids[1::2], 2)
        assert await _walked(world, asset_type_id=[NOBODY]) == ([], 0)
        assert await _walked(world, source_type_id=[source["source_type_id"]], asset_type_id=[other["id"]]) == (
            [ids[3]],
            1,
        )
    finally:
        listing.count_statements.cache_clear()


async def test_a_post_that_only_revises_says_200_and_one_that_creates_anything_does_not(world: ParameterWorld) -> None:
    project, source = await world.project(), await world.source()
    quantities = [(await world.parameter_type())["id"] for _ in range(3)]
    content = {"source_id": source["id"], "values": [number(1)]}
    made = await world.parameter(project, quantities[0], entries=[content])
    await world.parameter(project, quantities[1])
    own = {**content, "entry_id": made["selected_entry"]["entry_id"]}
    revised, answered, new = (
        {"project_id": project, "parameter_type_id": quantity, "entries": [entry]}
        for quantity, entry in zip(quantities, (own, content, content), strict=True)
    )
    for items, status in (([revised], "200"), ([revised, answered], None), ([revised, new], None), ([revised], "200")):
        told = await world.ann.metadata("CreateParameters", parameters=items)
        assert told.get("catenary-status") == status
