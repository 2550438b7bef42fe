"""Parameter sets, their types and categories over the dispatcher: items, parameters of a set, deletion, hidden projects."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from catenary_core.call.errors import CallError
from catenary_core.frame import Frame
from factories.database.statement_counts import counted_statements
from factories.services.calls import events_of
from integration.services.data_world import NOBODY
from integration.services.parameter_world import ParameterWorld, check_refusals, number, parameter_world_of


class SetWorld(ParameterWorld):
    """A world with short makers of sets."""

    async def category(self) -> dict[str, Any]:
        answer = await self.ann.call("CreateParameterSetCategory", name="Loads")
        return dict(answer["parameter_set_category"])

    async def set_type(self, *item_type_ids: str) -> dict[str, Any]:
        category = await self.category()
        fields = {"name": "Floor loads", "parameter_set_category_id": category["id"]}
        answer = await self.ann.call("CreateParameterSetType", **fields, item_type_ids=item_type_ids)
        return dict(answer["parameter_set_type"])

    async def item_type(self, asset_type_id: str, **fields: Any) -> dict[str, Any]:
        quantity = await self.parameter_type()
        item = {"parameter_type_id": quantity["id"], "asset_type_id": asset_type_id, **fields}
        return await self.one("CreateItemTypes", "item_types", **item)

    async def set(self, type_id: str, project_id: str, asset_id: str) -> dict[str, Any]:
        fields = {"name": "Level 1", "parameter_set_type_id": type_id, "project_id": project_id, "asset_id": asset_id}
        return dict((await self.ann.call("CreateParameterSet", **fields))["parameter_set"])


@pytest.fixture
async def world(frame: Frame) -> SetWorld:
    return SetWorld((await parameter_world_of(frame)).world)


async def test_a_set_type_holds_its_items_in_the_order_in_which_they_came(world: SetWorld) -> None:
    kind = await world.asset_type()
    items = [await world.item_type(kind["id"]) for _ in range(4)]
    ids = [item["id"] for item in items]
    made = await world.set_type(ids[2], ids[0])
    assert made["items"] == [items[2], items[0]]
    path = {"parameter_set_type_id": made["id"]}
    more = await world.ann.call("CreateParameterSetTypeItems", **path, item_type_ids=[ids[3], ids[1]])
    assert [item["id"] for item in more["parameter_set_type"]["items"]] == [ids[2], ids[0], ids[3], ids[1]]
    refusal = await world.ann.refused("CreateParameterSetTypeItems", **path, item_type_ids=[ids[1]])
    assert (refusal.reason, refusal.details["parameter"]) == ("CONFLICT", "item_type_ids[0]")
    less = await world.ann.call("DeleteParameterSetTypeItem", **path, item_type_id=ids[0])
    assert [item["id"] for item in less["parameter_set_type"]["items"]] == [ids[2], ids[3], ids[1]]
    refusal = await world.ann.refused("DeleteParameterSetTypeItem", **path, item_type_id=ids[0])
    assert refusal.reason == "NOT_FOUND"
    assert (await world.ann.list("ListParameterSetTypes"))["parameter_set_types"] == [less["parameter_set_type"]]
    types = [row["type"] for row in await events_of(world.db) if "parameter_set_type." in row["type"]]
    assert types == ["parameter.parameter_set_type.created"] + ["parameter.parameter_set_type.updated"] * 2


async def test_items_that_come_at_once_all_stay(world: SetWorld) -> None:
    kind = await world.asset_type()
    made = await world.set_type()
    items = [(await world.item_type(kind["id"]))["id"] for _ in range(10)]
    path = {"parameter_set_type_id": made["id"]}
    await asyncio.gather(*(world.ann.call("CreateParameterSetTypeItems", **path, item_type_ids=[id_]) for id_ in items))
    (shown,) = (await world.ann.list("ListParameterSetTypes"))["parameter_set_types"]
    assert sorted(item["id"] for item in shown["items"]) == sorted(items)


async def test_a_set_has_the_parameters_that_its_items_ask_of_its_asset(world: SetWorld) -> None:
    project, source = await world.project(), await world.source()
    kind, other = await world.asset_type(asset_sub_type=True), await world.asset_type()
    basement = await world.sub_type(kind["id"], "Basement")
    attic = await world.sub_type(kind["id"], "Attic")
    wanted = await world.item_type(kind["id"])
    of_basement = await world.item_type(kind["id"], asset_sub_type_id=basement["id"])
    of_attic = await world.item_type(kind["id"], asset_sub_type_id=attic["id"])
    of_other = await world.item_type(other["id"])
    asset = await world.asset(project, kind["id"], "Basement")
    beside = await world.asset(project, kind["id"], "Basement")
    entry = {"source_id": source["id"], "values": [number(5)]}
    made = []
    for item in (wanted, of_basement, of_attic, of_other):
        fields = {"parent_ids": [asset["id"]], "entries": [entry]}
        made.append(await world.parameter(project, item["parameter_type"]["id"], **fields))
    await world.parameter(project, wanted["parameter_type"]["id"], parent_ids=[beside["id"]])
    await world.parameter(project, wanted["parameter_type"]["id"])
    set_type = await world.set_type(wanted["id"], of_basement["id"], of_attic["id"], of_other["id"])
    own = await world.set(set_type["id"], project, asset["id"])
    path = {"parameter_set_id": own["id"]}
    shown = (await world.ann.list("ListParameterSetParameters", **path))["parameter_set_parameters"]
    assert [row["id"] for row in shown] == [made[0]["id"], made[1]["id"]]
    names = ("id", "name", "data_type", "global_parameter")
    assert shown[0] == {
        "id": made[0]["id"],
        "project_id": project,
        "parameter_type": {name: wanted["parameter_type"][name] for name in names},
        "parents": [
            {
                "id": asset["id"],
                "asset_sub_type": asset["asset_sub_type"],
                "children": [],
                "name": asset["name"],
                "parent": None,
                "asset_type": {name: asset["asset_type"][name] for name in ("id", "name", "parent_id")},
            }
        ],
        "selected_entry": made[0]["selected_entry"],
    }
    page = await world.ann.list("ListParameterSetParameters", **path, page_limit=1)
    assert len(page["parameter_set_parameters"]) == 1
    assert page["summary"]["estimate_count"] == 2
    await world.ann.call("DeleteParameter", parameter_id=made[0]["id"])
    shown = (await world.ann.list("ListParameterSetParameters", **path))["parameter_set_parameters"]
    assert [row["id"] for row in shown] == [made[1]["id"]]
    await world.ann.call(
        "DeleteParameterSetTypeItem", parameter_set_type_id=set_type["id"], item_type_id=of_basement["id"]
    )
    assert (await world.ann.list("ListParameterSetParameters", **path))["parameter_set_parameters"] == []


async def test_sets_types_and_categories_are_deleted_softly(world: SetWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    asset, item = await world.asset(project, kind["id"]), await world.item_type(kind["id"])
    set_type = await world.set_type()
    made = await world.set(set_type["id"], project, asset["id"])
    assert made["asset_id"] == asset["id"]
    found = await world.ann.call("GetParameterSet", parameter_set_id=made["id"])
    assert found["parameter_set"] == made
    listed = await world.ann.list("ListParameterSets", parameter_set_type_id=[set_type["id"]])
    assert listed["parameter_sets"] == [made]
    category_id = set_type["parameter_set_category_id"]
    gone = await world.ann.call("DeleteParameterSetCategory", parameter_set_category_id=category_id)
    assert gone["parameter_set_category"]["deleted_at"]
    fields = {"name": "x", "parameter_set_category_id": category_id}
    refusal = await world.ann.refused("CreateParameterSetType", **fields)
    assert refusal.details["parameter"] == "parameter_set_category_id"
    gone = await world.ann.call("DeleteParameterSetType", parameter_set_type_id=set_type["id"])
    assert gone["parameter_set_type"]["deleted_at"]
    fields = {"name": "x", "parameter_set_type_id": set_type["id"], "project_id": project, "asset_id": asset["id"]}
    refusal = await world.ann.refused("CreateParameterSet", **fields)
    assert refusal.details["parameter"] == "parameter_set_type_id"
    deleted = (await world.ann.call("DeleteParameterSet", parameter_set_id=made["id"]))["parameter_set"]
    assert (await world.ann.refused("GetParameterSet", parameter_set_id=made["id"])).reason == "NOT_FOUND"
    shown = await world.ann.call("GetParameterSet", parameter_set_id=made["id"], show_deleted=True)
    assert shown["parameter_set"] == deleted
    for method, key in (
        ("ListParameterSetCategories", "parameter_set_categories"),
        ("ListParameterSetTypes", "parameter_set_types"),
        ("ListParameterSets", "parameter_sets"),
    ):
        assert (await world.ann.list(method))[key] == []
        assert len((await world.ann.list(method, show_deleted=True))[key]) == 1
    for method, fields in (
        ("DeleteParameterSetCategory", {"parameter_set_category_id": category_id}),
        ("DeleteParameterSetType", {"parameter_set_type_id": set_type["id"]}),
        ("DeleteParameterSet", {"parameter_set_id": made["id"]}),
        ("CreateParameterSetTypeItems", {"parameter_set_type_id": set_type["id"], "item_type_ids": [item["id"]]}),
        ("DeleteParameterSetTypeItem", {"parameter_set_type_id": set_type["id"], "item_type_id": NOBODY}),
    ):
        assert (await world.ann.refused(method, **fields)).reason == "NOT_FOUND", method


async def test_sets_of_a_hidden_project_are_as_if_they_were_not(world: SetWorld) -> None:
    hidden, kind = await world.project(confidential=True), await world.asset_type()
    asset = await world.asset(hidden, kind["id"])
    set_type = await world.set_type()
    secret = await world.set(set_type["id"], hidden, asset["id"])
    assert (await world.ann.list("ListParameterSets"))["parameter_sets"] == [secret]
    listed = await world.bob.list("ListParameterSets", page_limit=10)
    assert (listed["parameter_sets"], listed["summary"]["estimate_count"]) == ([], 0)
    for method in ("GetParameterSet", "DeleteParameterSet"):
        real, fake = [await world.bob.refused(method, parameter_set_id=id_) for id_ in (secret["id"], NOBODY)]
        assert real == fake
    assert (
        await world.bob.open_refused("ListParameterSetParameters", parameter_set_id=secret["id"])
    ).reason == "NOT_FOUND"
    fields = {"name": "x", "parameter_set_type_id": set_type["id"], "project_id": hidden, "asset_id": asset["id"]}
    refusal = await world.bob.refused("CreateParameterSet", **fields)
    assert refusal.details["parameter"] == "project_id"


async def test_bad_input_names_its_field(world: SetWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    foreign = await world.asset(await world.project(), kind["id"])
    category, set_type = await world.category(), await world.set_type()
    new_type = {"name": "x", "parameter_set_category_id": category["id"]}
    new_set = {"name": "x", "parameter_set_type_id": set_type["id"], "project_id": project, "asset_id": foreign["id"]}
    items = {"parameter_set_type_id": set_type["id"]}
    await check_refusals(
        world.ann,
        [
            ("CreateParameterSetCategory", {"name": " "}, "name"),
            ("CreateParameterSetType", {**new_type, "name": ""}, "name"),
            ("CreateParameterSetType", {**new_type, "parameter_set_category_id": "x"}, "parameter_set_category_id"),
            ("CreateParameterSetType", {**new_type, "item_type_ids": [NOBODY]}, "item_type_ids[0]"),
            ("CreateParameterSetType", {**new_type, "item_type_ids": [NOBODY] * 2}, "item_type_ids"),
            ("CreateParameterSetTypeItems", {**items, "item_type_ids": []}, "item_type_ids"),
            ("CreateParameterSetTypeItems", {**items, "item_type_ids": [NOBODY]}, "item_type_ids[0]"),
            ("DeleteParameterSetTypeItem", {**items, "item_type_id": "x"}, "item_type_id"),
            ("CreateParameterSet", new_set, "asset_id"),
            ("CreateParameterSet", {**new_set, "asset_id": NOBODY}, "asset_id"),
            ("CreateParameterSet", {**new_set, "project_id": NOBODY}, "project_id"),
            ("GetParameterSet", {"parameter_set_id": "x"}, "parameter_set_id"),
        ],
    )
    for method, fields in (
        ("ListParameterSetCategories", {"sort_by": "created_by"}),
        ("ListParameterSetTypes", {"page_limit": 1001}),
        ("ListParameterSets", {"parameter_set_type_id": ["x"]}),
        ("ListParameterSetParameters", {"parameter_set_id": "x"}),
    ):
        with pytest.raises(CallError):
            await world.ann.open(method, **fields)


async def test_a_page_of_set_types_costs_two_statements(world: SetWorld) -> None:
    kind = await world.asset_type()
    for _ in range(3):
        await world.set_type((await world.item_type(kind["id"]))["id"])
    for limit in (1, 3):
        with counted_statements() as seen:
            listed = await world.ann.list("ListParameterSetTypes", page_limit=limit)
        assert (len(listed["parameter_set_types"]), len(seen)) == (limit, 2)
