"""Asset type groups, asset types, sub types, parameter types and item types over the dispatcher."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from catenary.parameter.v1 import parameter_type_pb2
from catenary_core.call.errors import CallError
from catenary_core.frame import Frame
from factories.database.statement_counts import counted_statements
from factories.services.calls import events_of
from integration.services.data_world import NOBODY
from integration.services.parameter_world import NUMBER, ParameterWorld, check_refusals, parameter_world_of

STRING = parameter_type_pb2.DATA_TYPE_STRING


@pytest.fixture
async def world(frame: Frame) -> ParameterWorld:
    return await parameter_world_of(frame)


async def test_an_asset_type_shows_its_group_and_keeps_showing_a_deleted_one(world: ParameterWorld) -> None:
    kind = await world.asset_type(asset_sub_type=True)
    group = kind["asset_type_group"]
    assert list(group) == ["id", "name", "created_at", "updated_at", "deleted_at"]
    assert group["created_at"].endswith("Z")
    assert (kind["parent_id"], kind["asset_sub_type"]) == (None, True)
    listed = await world.ann.call("ListAssetTypes", asset_type_group_id=[group["id"]])
    assert listed["asset_types"] == [kind]
    gone = (await world.ada.call("DeleteAssetTypeGroup", asset_type_group_id=group["id"]))["asset_type_group"]
    (shown,) = (await world.ann.call("ListAssetTypes", asset_type_id=[kind["id"]]))["asset_types"]
    assert shown["asset_type_group"] == gone
    item = {"name": "Other", "asset_type_group_id": group["id"]}
    refusal = await world.ada.refused("CreateAssetTypes", asset_types=[item])
    assert refusal.details["parameter"] == "asset_types[0].asset_type_group_id"
    groups = await world.ann.call("ListAssetTypeGroups", show_deleted=True, asset_type_group_id=[group["id"]])
    assert groups["asset_type_groups"] == [gone]


async def test_the_tree_of_asset_types_has_the_active_ones_below(world: ParameterWorld) -> None:
    root = await world.asset_type(name="Building")
    storey = await world.asset_type(name="Storey", parent_id=root["id"])
    await world.asset_type(name="Slab", parent_id=storey["id"])
    gone = await world.asset_type(name="Core", parent_id=root["id"])
    await world.ada.call("DeleteAssetType", asset_type_id=gone["id"])
    tree = (await world.ann.call("GetAssetTypeTree", asset_type_id=root["id"]))["asset_type_tree"]
    assert tree["name"] == "Building"
    (below,) = tree["children"]
    assert (below["name"], below["parent_id"], below["children"][0]["name"]) == ("Storey", root["id"], "Slab")
    assert below["children"][0]["children"] == []
    assert {key: tree[key] for key in root} == root
    assert (await world.ann.refused("GetAssetTypeTree", asset_type_id=gone["id"])).reason == "NOT_FOUND"
    assert (await world.ann.refused("GetAssetTypeTree", asset_type_id=NOBODY)).reason == "NOT_FOUND"


async def test_a_tree_has_no_circle_and_at_most_32_levels(world: ParameterWorld) -> None:
    top = below = await world.asset_type()
    for _ in range(31):
        below = await world.asset_type(parent_id=below["id"])
    group_id = top["asset_type_group"]["id"]
    item = {"name": "Too deep", "asset_type_group_id": group_id, "parent_id": below["id"]}
    refusal = await world.ada.refused("CreateAssetTypes", asset_types=[item])
    assert refusal.details["constraint"] == "depth"
    for parent in (top, below):
        refusal = await world.ada.refused("UpdateAssetType", asset_type_id=top["id"], parent_id=parent["id"])
        assert refusal.details["constraint"] == "cycle"
    above = await world.asset_type()
    refusal = await world.ada.refused("UpdateAssetType", asset_type_id=top["id"], parent_id=above["id"])
    assert refusal.details["constraint"] == "depth"
    moved = await world.ada.call("UpdateAssetType", asset_type_id=below["id"], update_mask={"paths": ["parent_id"]})
    assert moved["asset_type"]["parent_id"] is None


async def test_sub_types_belong_to_their_asset_type(world: ParameterWorld) -> None:
    kind, other = [await world.asset_type(asset_sub_type=True) for _ in range(2)]
    basement = await world.sub_type(kind["id"], "Basement")
    await world.sub_type(other["id"], "Basement")
    low = await world.sub_type(kind["id"], "Low", parent_asset_sub_type_id=basement["id"])
    assert (low["asset_type_id"], low["parent_asset_sub_type_id"]) == (kind["id"], basement["id"])
    listed = await world.ann.call("ListAssetSubTypes", asset_type_id=kind["id"], sort_by="name", order=2)
    assert [row["name"] for row in listed["asset_sub_types"]] == ["Low", "Basement"]
    path = {"asset_type_id": kind["id"], "asset_sub_type_id": basement["id"]}
    assert (await world.ada.refused("UpdateAssetSubType", **path, name="Low")).reason == "CONFLICT"
    refusal = await world.ada.refused("UpdateAssetSubType", **path, parent_asset_sub_type_id=low["id"])
    assert refusal.details["constraint"] == "cycle"
    foreign = {"asset_type_id": other["id"], "asset_sub_type_id": basement["id"]}
    assert (await world.ada.refused("DeleteAssetSubType", **foreign)).reason == "NOT_FOUND"
    changed = (await world.ada.call("UpdateAssetSubType", **path, name="Cellar"))["asset_sub_type"]
    assert changed["name"] == "Cellar"
    await world.ada.call("DeleteAssetSubType", **path)
    item = {"name": "New", "parent_asset_sub_type_id": basement["id"]}
    refusal = await world.ada.refused("CreateAssetSubTypes", asset_type_id=kind["id"], asset_sub_types=[item])
    assert refusal.details["constraint"] == "unknown"
    assert (await world.ann.refused("ListAssetSubTypes", asset_type_id=NOBODY)).reason == "NOT_FOUND"
    subjects = {row["subject"] for row in await events_of(world.db) if "asset_sub_type." in row["type"]}
    assert f"/parameter/v1/asset_types/{kind['id']}/asset_sub_types/{basement['id']}" in subjects


async def test_a_parameter_type_shows_its_unit_type_its_default_unit_and_the_active_units(
    world: ParameterWorld,
) -> None:
    length = await world.unit_type()
    metre, foot = await world.unit(length["id"], "m"), await world.unit(length["id"], "ft")
    kind = await world.parameter_type(unit_type_id=length["id"], default_unit_id=metre["id"], global_parameter=True)
    references = [
        {key: unit[key] for key in ("id", "symbol", "unit_type_id", "unit_system_id")} for unit in (foot, metre)
    ]
    assert kind["data_type"] == "number"
    assert kind["global_parameter"] is True
    assert kind["unit_type"] == {"id": length["id"], "name": length["name"]}
    assert (kind["default_unit"], kind["units"]) == (references[1], references)
    await world.ada.call("DeleteUnit", unit_id=metre["id"])
    (shown,) = (await world.ann.call("ListParameterTypes", parameter_type_id=[kind["id"]]))["parameter_types"]
    assert (shown["default_unit"], shown["units"]) == (references[1], references[:1])
    assert (await world.ann.call("ListUnits", parameter_type_id=[kind["id"]]))["units"] == [foot]
    path = {"parameter_type_id": kind["id"]}
    refusal = await world.ada.refused(
        "UpdateParameterType", **path, default_unit_id=(await world.unit((await world.unit_type())["id"]))["id"]
    )
    assert (refusal.details["parameter"], refusal.details["constraint"]) == ("default_unit_id", "unknown")
    changed = (await world.ada.call("UpdateParameterType", **path, default_unit_id=foot["id"]))["parameter_type"]
    assert changed["default_unit"] == references[0]
    mask = {"paths": ["default_unit_id"]}
    cleared = (await world.ada.call("UpdateParameterType", **path, update_mask=mask))["parameter_type"]
    assert cleared["default_unit"] is None
    plain = await world.parameter_type(STRING)
    assert (plain["unit_type"], plain["default_unit"], plain["units"]) == (None, None, [])
    text = await world.parameter_type(STRING)
    refusal = await world.ada.refused("UpdateParameterType", parameter_type_id=plain["id"], name=text["name"])
    assert refusal.reason == "CONFLICT"
    assert (await world.ada.call("DeleteParameterType", parameter_type_id=plain["id"]))["parameter_type"]["deleted_at"]


async def test_an_item_type_joins_a_parameter_type_and_an_asset_type_once(world: ParameterWorld) -> None:
    length, kind = await world.unit_type(), await world.asset_type(asset_sub_type=True)
    quantity = await world.parameter_type(unit_type_id=length["id"])
    sub_type = await world.sub_type(kind["id"], "Basement")
    triple = {"parameter_type_id": quantity["id"], "asset_type_id": kind["id"]}
    any_sub_type = await world.one("CreateItemTypes", "item_types", **triple)
    assert any_sub_type["parameter_type"] == quantity
    assert any_sub_type["asset_type"] == kind
    assert any_sub_type["asset_sub_type"] is None
    assert (await world.ada.refused("CreateItemTypes", item_types=[triple])).reason == "CONFLICT"
    one = await world.one("CreateItemTypes", "item_types", **triple, asset_sub_type_id=sub_type["id"])
    assert one["asset_sub_type"] == sub_type
    path = {"item_type_id": one["id"]}
    refusal = await world.ada.refused("UpdateItemType", **path, update_mask={"paths": ["asset_sub_type_id"]})
    assert refusal.reason == "CONFLICT"
    other = await world.asset_type()
    refusal = await world.ada.refused("UpdateItemType", **path, asset_type_id=other["id"])
    assert refusal.details["parameter"] == "asset_sub_type_id"
    mask = {"paths": ["asset_type_id", "asset_sub_type_id"]}
    moved = (await world.ada.call("UpdateItemType", **path, asset_type_id=other["id"], update_mask=mask))["item_type"]
    assert (moved["asset_type"]["id"], moved["asset_sub_type"]) == (other["id"], None)
    listed = await world.ann.call("ListItemTypes", asset_type_id=[other["id"]], parameter_type_id=[quantity["id"]])
    assert listed["item_types"] == [moved]
    of_type = await world.ann.call("ListParameterTypes", asset_type_id=[other["id"]])
    assert [row["id"] for row in of_type["parameter_types"]] == [quantity["id"]]
    await world.ada.call("DeleteItemType", **path)
    assert (await world.ann.call("ListItemTypes", item_type_id=[one["id"]]))["item_types"] == []
    assert (await world.ann.call("ListParameterTypes", asset_type_id=[other["id"]]))["parameter_types"] == []


async def test_only_admins_change_types(world: ParameterWorld) -> None:
    item = {"item_types": [{"parameter_type_id": NOBODY, "asset_type_id": NOBODY}]}
    sub_type = {"asset_type_id": NOBODY, "asset_sub_type_id": NOBODY}
    for method, fields in {
        "CreateAssetTypeGroups": {"asset_type_groups": [{"name": "x"}]},
        "UpdateAssetTypeGroup": {"asset_type_group_id": NOBODY, "name": "x"},
        "DeleteAssetTypeGroup": {"asset_type_group_id": NOBODY},
        "CreateAssetTypes": {"asset_types": [{"name": "x", "asset_type_group_id": NOBODY}]},
        "UpdateAssetType": {"asset_type_id": NOBODY, "name": "x"},
        "DeleteAssetType": {"asset_type_id": NOBODY},
        "CreateAssetSubTypes": {"asset_type_id": NOBODY, "asset_sub_types": [{"name": "x"}]},
        "UpdateAssetSubType": {**sub_type, "name": "x"},
        "DeleteAssetSubType": sub_type,
        "CreateParameterTypes": {"parameter_types": [{"name": "x", "data_type": NUMBER}]},
        "UpdateParameterType": {"parameter_type_id": NOBODY, "name": "x"},
        "DeleteParameterType": {"parameter_type_id": NOBODY},
        "CreateItemTypes": item,
        "UpdateItemType": {"item_type_id": NOBODY},
        "DeleteItemType": {"item_type_id": NOBODY},
    }.items():
        assert (await world.ann.refused(method, **fields)).reason == "PERMISSION_DENIED", method
        if method.startswith(("Update", "Delete")):
            assert (await world.ada.refused(method, **fields)).reason == "NOT_FOUND", method


async def test_bad_input_names_its_field(world: ParameterWorld) -> None:
    length, kind = await world.unit_type(), await world.asset_type()
    quantity = await world.parameter_type()
    foreign = await world.unit((await world.unit_type())["id"])
    new_type = {"name": "T", "data_type": NUMBER}
    item = {"parameter_type_id": quantity["id"], "asset_type_id": kind["id"]}
    await check_refusals(
        world.ada,
        [
            ("CreateAssetTypeGroups", {"asset_type_groups": [{"name": "x" * 201}]}, "asset_type_groups[0].name"),
            (
                "CreateAssetTypes",
                {"asset_types": [{"name": "x", "asset_type_group_id": NOBODY}]},
                "asset_types[0].asset_type_group_id",
            ),
            ("CreateAssetSubTypes", {"asset_type_id": kind["id"], "asset_sub_types": [{"name": "x"}]}, "asset_type_id"),
            (
                "CreateAssetTypes",
                {"asset_types": [{**_new(kind), "parent_id": NOBODY}]},
                "asset_types[0].parent_id",
            ),
            ("UpdateAssetType", {"asset_type_id": kind["id"], "asset_type_group_id": NOBODY}, "asset_type_group_id"),
            ("UpdateAssetType", {"asset_type_id": kind["id"], "update_mask": {"paths": ["name"]}}, "name"),
            ("UpdateAssetType", {"asset_type_id": kind["id"], "update_mask": {"paths": ["id"]}}, "update_mask"),
            ("CreateParameterTypes", {"parameter_types": [{"name": "T"}]}, "parameter_types[0].data_type"),
            (
                "CreateParameterTypes",
                {"parameter_types": [{**new_type, "unit_type_id": NOBODY}]},
                "parameter_types[0].unit_type_id",
            ),
            (
                "CreateParameterTypes",
                {"parameter_types": [{**new_type, "unit_type_id": length["id"], "default_unit_id": foreign["id"]}]},
                "parameter_types[0].default_unit_id",
            ),
            (
                "CreateItemTypes",
                {"item_types": [{**item, "parameter_type_id": NOBODY}]},
                "item_types[0].parameter_type_id",
            ),
            ("CreateItemTypes", {"item_types": [{**item, "asset_type_id": NOBODY}]}, "item_types[0].asset_type_id"),
            (
                "CreateItemTypes",
                {"item_types": [{**item, "asset_sub_type_id": NOBODY}]},
                "item_types[0].asset_sub_type_id",
            ),
            ("ListAssetTypes", {"project_id": ["x"]}, "project_id[0]"),
            ("ListParameterTypes", {"after": "AAAA"}, "after"),
            ("ListItemTypes", {"sort_by": "name"}, "sort_by"),
            ("ListAssetSubTypes", {"asset_type_id": "x"}, "asset_type_id"),
            ("GetAssetTypeTree", {"asset_type_id": ""}, "asset_type_id"),
        ],
    )


async def test_a_page_of_types_costs_the_same_statements_whatever_its_size(world: ParameterWorld) -> None:
    kind, length = await world.asset_type(), await world.unit_type()
    for _ in range(4):
        quantity = await world.parameter_type(unit_type_id=length["id"])
        await world.one("CreateItemTypes", "item_types", parameter_type_id=quantity["id"], asset_type_id=kind["id"])
        await world.asset_type()
    for method in ("ListAssetTypes", "ListParameterTypes", "ListItemTypes", "ListAssetTypeGroups"):
        for limit in (1, 4):
            with counted_statements() as seen:
                await world.ann.call(method, page_limit=limit)
            assert len(seen) == 2, method


def _new(kind: dict[str, Any]) -> dict[str, Any]:
    return {"name": "New", "asset_type_group_id": kind["asset_type_group"]["id"]}


async def test_a_name_repeats_in_another_group_or_below_another_parent_and_nowhere_else(world: ParameterWorld) -> None:
    root = await world.asset_type(name="Part")
    group_id = root["asset_type_group"]["id"]
    places: list[dict[str, Any]] = [
        {"asset_type_group_id": group_id, "parent_id": root["id"]},
        {"parent_id": root["id"]},
        {},
    ]
    made = [await world.one("CreateAssetTypes", "asset_types", name="Part", **place) for place in places]
    assert [row["asset_type_group"] for row in made] == [root["asset_type_group"], None, None]
    for place in ({"asset_type_group_id": group_id}, *places):
        refusal = await world.ada.refused("CreateAssetTypes", asset_types=[{"name": "Part", **place}])
        assert (refusal.reason, refusal.details["value"]) == ("CONFLICT", "Part")
        assert "asset_type_group_id and parent_id" in refusal.message
    mask = {"paths": ["asset_type_group_id"]}
    refusal = await world.ada.refused("UpdateAssetType", asset_type_id=root["id"], update_mask=mask)
    assert refusal.reason == "CONFLICT"
    renamed = await world.one("CreateAssetTypes", "asset_types", name="Other", asset_type_group_id=group_id)
    moved = (await world.ada.call("UpdateAssetType", asset_type_id=renamed["id"], update_mask=mask))["asset_type"]
    assert moved["asset_type_group"] is None
    tree = (await world.ann.call("GetAssetTypeTree", asset_type_id=root["id"]))["asset_type_tree"]
    assert [child["asset_type_group"] for child in tree["children"]] == [root["asset_type_group"], None]
    asset = await world.asset(await world.project(), made[2]["id"])
    assert asset["asset_type"] == made[2]


async def test_two_admins_who_create_equal_asset_types_at_once_make_one(world: ParameterWorld) -> None:
    async def make() -> str:
        try:
            await world.ada.call("CreateAssetTypes", asset_types=[{"name": "Part"}])
        except CallError as error:
            return error.code().name
        return "made"

    assert sorted(await asyncio.gather(*(make() for _ in range(10)))) == ["ABORTED"] * 9 + ["made"]


async def test_a_parameter_type_of_another_unit_type_may_have_the_same_name(world: ParameterWorld) -> None:
    length, area = await world.unit_type(), await world.unit_type()
    for fields in ({"unit_type_id": length["id"]}, {"unit_type_id": area["id"]}, {}):
        made = await world.parameter_type(name="Size", **fields)
        assert made["name"] == "Size"
        item = {"name": "Size", "data_type": STRING, **fields}
        refusal = await world.ada.refused("CreateParameterTypes", parameter_types=[item])
        assert (refusal.reason, refusal.details["parameter"]) == ("CONFLICT", "parameter_types[0].name")


@pytest.mark.parametrize("data_type", [name for name in parameter_type_pb2.DataType.values() if name])
async def test_a_unit_type_fits_any_data_type(world: ParameterWorld, data_type: int) -> None:
    length = await world.unit_type()
    metre = await world.unit(length["id"])
    made = await world.parameter_type(data_type, unit_type_id=length["id"], default_unit_id=metre["id"])
    assert made["default_unit"]["id"] == metre["id"]
    project, source = await world.project(), await world.source()
    kinds: dict[str, dict[str, Any]] = {
        "string": {"string_value": "tall"},
        "number": {"double_value": 1.5},
        "integer": {"integer_value": 1},
        "boolean": {"bool_value": True},
        "date": {"string_value": "2026-11-22"},
        "json": {"json_value": {"text": "[1, 2]"}},
    }
    entry = {"source_id": source["id"], "values": [{"value": kinds[made["data_type"]], "unit_id": metre["id"]}]}
    parameter = await world.parameter(project, made["id"], entries=[entry])
    assert parameter["selected_entry"]["values"][0]["unit"]["id"] == metre["id"]


async def test_names_and_symbols_have_up_to_200_characters(world: ParameterWorld) -> None:
    long, longer = "ä" * 200, "ä" * 201
    length, system, kind = (
        await world.unit_type(),
        await world.unit_system(),
        await world.asset_type(asset_sub_type=True),
    )
    unit = {"unit_type_id": length["id"], "unit_system_id": system["id"]}
    project = {"project_id": await world.project()}
    plain = await world.asset_type()
    rows: list[tuple[str, str, str, dict[str, Any]]] = [
        ("CreateUnits", "units", "symbol", unit),
        ("CreateUnitTypes", "unit_types", "name", {}),
        ("CreateUnitSystems", "unit_systems", "name", {}),
        ("CreateAssetTypeGroups", "asset_type_groups", "name", {}),
        ("CreateAssetTypes", "asset_types", "name", {}),
        ("CreateAssetSubTypes", "asset_sub_types", "name", {"asset_type_id": kind["id"]}),
        ("CreateParameterTypes", "parameter_types", "name", {"data_type": STRING}),
        ("CreateAssets", "assets", "name", {**project, "asset_type_id": plain["id"]}),
    ]
    for method, items, name, fields in rows:
        made = await world.one(method, items, **{name: long, **fields})
        assert made[name] == long
        path = {"asset_type_id": kind["id"]} if method == "CreateAssetSubTypes" else {}
        item = {name: longer, **{key: value for key, value in fields.items() if key not in path}}
        refusal = await world.ada.refused(method, **path, **{items: [item]})
        assert refusal.details["parameter"] == f"{items}[0].{name}"
