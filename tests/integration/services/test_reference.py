"""Sources and source types over the dispatcher: rules, filters, unique names, deletion, catalogue, bad input."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from catenary_core.call.errors import CallError
from catenary_core.frame import Frame
from catenary_core.resources.catalogues import Loaded
from catenary_core.services.reference import catalogue
from factories.database.statement_counts import counted_statements
from factories.services.calls import Caller, events_of
from integration.services.data_world import NOBODY, URL, World, world_of


@pytest.fixture
async def world(frame: Frame) -> World:
    return await world_of(frame)


async def source_type(world: World, name: str = "Survey") -> dict[str, Any]:
    return dict((await world.as_("ada", "reference").call("CreateSourceType", name=name))["source_type"])


async def source(caller: Caller, type_id: str, title: str = "Site survey", **fields: Any) -> dict[str, Any]:
    return dict((await caller.call("CreateSource", source_type_id=type_id, title=title, **fields))["source"])


async def test_a_source_keeps_what_it_was_given(world: World) -> None:
    kind = await source_type(world)
    assert kind["visible"] is True
    given = {
        "reference": "DOC-1",
        "url": URL,
        "date_day": "29",
        "date_month": "02",
        "date_year": "2028",
        "time": "13:45",
        "reference_id": NOBODY,
        "reference_table": "asset",
        "reference_url": URL,
        "scope": "Piles",
    }
    ann = world.as_("ann", "reference")
    made = await source(ann, kind["id"], **given)
    assert given.items() <= made.items()
    assert made["source_type"] == kind
    assert made["source_type_id"] == kind["id"]
    assert (await ann.call("GetSource", source_id=made["id"]))["source"] == made
    bare = await source(ann, kind["id"])
    assert all(bare[name] is None for name in given)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"title": " "}, "title"),
        ({"title": "x" * 1001}, "title"),
        ({"date_day": "0"}, "date_day"),
        ({"date_day": "32"}, "date_day"),
        ({"date_month": "13"}, "date_month"),
        ({"date_year": "28"}, "date_year"),
        ({"date_day": "30", "date_month": "2"}, "date_day"),
        ({"date_day": "29", "date_month": "2", "date_year": "2027"}, "date_day"),
        ({"time": "24:00"}, "time"),
        ({"url": "javascript:alert(1)"}, "url"),
        ({"reference_id": "x"}, "reference_id"),
        ({"source_type_id": NOBODY}, "source_type_id"),
        ({"source_type_id": "x"}, "source_type_id"),
    ],
)
async def test_a_bad_field_of_a_source_is_named(world: World, fields: dict[str, Any], field: str) -> None:
    kind = await source_type(world)
    ann = world.as_("ann", "reference")
    refused = await ann.refused("CreateSource", **({"source_type_id": kind["id"], "title": "x"} | fields))
    assert refused.reason == "VALIDATION_ERROR"
    assert refused.details["parameter"] == field
    made = await source(ann, kind["id"], date_day="28", date_month="2", date_year="2027")
    refused = await ann.refused("UpdateSource", source_id=made["id"], **fields)
    assert refused.details["parameter"] == field
    assert (await ann.call("GetSource", source_id=made["id"]))["source"] == made


async def test_a_patch_changes_the_given_fields_and_null_clears(world: World) -> None:
    kind, other = await source_type(world), await source_type(world, "Legislation")
    ann = world.as_("ann", "reference")
    made = await source(ann, kind["id"], scope="Piles", reference="R")
    mask = {"paths": ["title", "scope", "source_type_id"]}
    changed = await ann.call(
        "UpdateSource", source_id=made["id"], title="New", source_type_id=other["id"], update_mask=mask
    )
    assert changed["source"]["title"] == "New"
    assert changed["source"]["scope"] is None
    assert changed["source"]["reference"] == "R"
    assert changed["source"]["source_type"]["name"] == "Legislation"
    for name in ("title", "source_type_id"):
        refused = await ann.refused("UpdateSource", source_id=made["id"], update_mask={"paths": [name]})
        assert refused.details["parameter"] == name


async def test_a_deleted_type_stays_on_its_sources_and_takes_no_new_ones(world: World) -> None:
    kind = await source_type(world)
    ann, ada = world.as_("ann", "reference"), world.as_("ada", "reference")
    made = await source(ann, kind["id"])
    deleted = (await ada.call("DeleteSourceType", source_type_id=kind["id"]))["source_type"]
    (row,) = (await ann.list("ListSources"))["sources"]
    assert row["source_type"] == deleted
    refused = await ann.refused("CreateSource", source_type_id=kind["id"], title="x")
    assert refused.details["parameter"] == "source_type_id"
    # A source of that type can still be changed otherwise.
    changed = await ann.call("UpdateSource", source_id=made["id"], source_type_id=kind["id"], title="y")
    assert changed["source"]["title"] == "y"


async def test_only_an_admin_changes_source_types(world: World) -> None:
    kind = await source_type(world)
    bob = world.as_("bob", "reference")
    for method, fields in (
        ("CreateSourceType", {"name": "x"}),
        ("UpdateSourceType", {"source_type_id": kind["id"], "name": "x"}),
        ("DeleteSourceType", {"source_type_id": kind["id"]}),
    ):
        assert (await bob.refused(method, **fields)).reason == "PERMISSION_DENIED"
    assert (await bob.list("ListSourceTypes"))["source_types"] == [kind]
    assert (await bob.call("GetSourceType", source_type_id=kind["id"]))["source_type"] == kind


async def test_names_of_source_types_are_unique_among_active_ones(world: World) -> None:
    ada = world.as_("ada", "reference")
    survey, other = await source_type(world), await source_type(world, "Other")
    assert (await ada.refused("CreateSourceType", name="Survey")).reason == "CONFLICT"
    assert (await ada.refused("UpdateSourceType", source_type_id=other["id"], name="Survey")).reason == "CONFLICT"
    await ada.call("UpdateSourceType", source_type_id=survey["id"], name="Survey")
    await ada.call("DeleteSourceType", source_type_id=survey["id"])
    again = (await ada.call("UpdateSourceType", source_type_id=other["id"], name="Survey"))["source_type"]
    assert again["name"] == "Survey"


async def test_of_writers_of_one_name_at_once_one_wins(world: World) -> None:
    ada = world.as_("ada", "reference")
    others = [await source_type(world, f"n{number}") for number in range(6)]

    async def tried(method: str, **fields: Any) -> str:
        try:
            await ada.call(method, name="Same", **fields)
        except CallError as error:
            return error.code().name
        return "OK"

    creations = [tried("CreateSourceType") for _ in range(6)]
    renames = [tried("UpdateSourceType", source_type_id=other["id"]) for other in others]
    assert sorted(await asyncio.gather(*creations, *renames)) == ["ABORTED"] * 11 + ["OK"]


async def test_sources_are_found_by_each_filter(world: World) -> None:
    kind, other = await source_type(world), await source_type(world, "Legislation")
    ann = world.as_("ann", "reference")
    a = await source(ann, kind["id"], "A, B", reference="R1", reference_id=NOBODY)
    b = await source(ann, other["id"], "B", reference="R2")

    async def found(**filters: Any) -> list[str]:
        return [row["title"] for row in (await ann.list("ListSources", **filters))["sources"]]

    assert await found(source_id=[b["id"]]) == ["B"]
    assert await found(reference_id=[NOBODY]) == ["A, B"]
    assert await found(source_type_id=[kind["id"], other["id"]]) == ["A, B", "B"]
    assert await found(title=["A, B"]) == ["A, B"]
    assert await found(title=["A"]) == []
    assert await found(reference=["R2", "R3"]) == ["B"]
    assert await found(source_id=[a["id"]], title=["B"]) == []
    for method, fields in (
        ("ListSources", {"source_id": ["x"]}),
        ("ListSources", {"page_limit": 0}),
        ("ListSources", {"page_limit": 1001}),
        ("ListSources", {"sort_by": "name"}),
        ("ListSources", {"before": "x"}),
        ("ListSourceTypes", {"after": "x"}),
        ("ListSourceTypes", {"sort_by": "visible"}),
        ("ListSourceTypes", {"order": 7}),
    ):
        refused = await ann.open_refused(method, **fields)
        assert refused.reason == "VALIDATION_ERROR"
        assert refused.details["parameter"].startswith(next(iter(fields)))


async def test_a_deleted_source_is_gone_unless_it_is_asked_for(world: World) -> None:
    ann = world.as_("ann", "reference")
    made = await source(ann, (await source_type(world))["id"])
    deleted = (await ann.call("DeleteSource", source_id=made["id"]))["source"]
    assert deleted["deleted_at"] is not None
    for method in ("GetSource", "UpdateSource", "DeleteSource"):
        assert (await ann.refused(method, source_id=made["id"])).reason == "NOT_FOUND"
        assert (await ann.refused(method, source_id=NOBODY)).reason == "NOT_FOUND"
        assert (await ann.refused(method, source_id="x")).details["parameter"] == "source_id"
    assert (await ann.call("GetSource", source_id=made["id"], show_deleted=True))["source"] == deleted
    kinds = world.as_("ada", "reference")
    for method in ("GetSourceType", "UpdateSourceType", "DeleteSourceType"):
        assert (await kinds.refused(method, source_type_id=NOBODY)).reason == "NOT_FOUND"
        assert (await kinds.refused(method, source_type_id="x")).details["parameter"] == "source_type_id"
    assert (await kinds.refused("CreateSourceType", name="")).details["parameter"] == "name"
    types = [event["type"] for event in await events_of(world.db)]
    assert types == ["reference.source_type.created", "reference.source.created", "reference.source.deleted"]


async def test_the_catalogue_loads_once_and_again_without_doubling(world: World) -> None:
    ada = world.as_("ada", "reference")
    async with world.db.transaction() as tx:
        await catalogue.load_at_first_start(tx)
    kinds = (await ada.list("ListSourceTypes", sort_by="name"))["source_types"]
    assert [kind["name"] for kind in kinds] == sorted(catalogue.SOURCE_TYPES)
    survey = next(kind for kind in kinds if kind["name"] == "Survey")
    await ada.call("DeleteSourceType", source_type_id=survey["id"])
    async with world.db.transaction() as tx:
        await catalogue.load_at_first_start(tx)
        assert len((await ada.list("ListSourceTypes"))["source_types"]) == 8
    before = await events_of(world.db)
    async with world.db.transaction() as tx:
        assert await catalogue.load_catalogue(tx, announce=True) == [Loaded("source_type", 0, 8, 1)]
    assert await events_of(world.db) == before


async def test_what_a_newer_release_brings_is_added_with_an_event(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world.db.transaction() as tx:
        await catalogue.load_at_first_start(tx)
    assert await events_of(world.db) == []
    monkeypatch.setattr(catalogue, "SOURCE_TYPES", (*catalogue.SOURCE_TYPES, "Sensor"))
    async with world.db.transaction() as tx:
        assert await catalogue.load_catalogue(tx, announce=True) == [Loaded("source_type", 1, 9, 0)]
    (event,) = await events_of(world.db)
    assert event["type"] == "reference.source_type.created"
    assert event["data"]["source_type"]["name"] == "Sensor"


async def test_a_page_of_sources_costs_the_same_statements_whatever_its_size(world: World) -> None:
    ann = world.as_("ann", "reference")
    kind = await source_type(world)
    for number in range(20):
        await source(ann, kind["id"], str(number))
    counts = []
    for limit in (1, 15):
        with counted_statements() as seen:
            await ann.list("ListSources", page_limit=limit, source_type_id=[kind["id"]])
        counts.append(len(seen))
    assert counts == [2, 2]
