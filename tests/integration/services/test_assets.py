"""Assets over the dispatcher: the three rules of POST, trees, hierarchies, deletion, hidden projects, bad input."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from catenary_core.call.errors import CallError
from catenary_core.frame import Frame
from catenary_core.services.parameter.assets import rules as asset_rules
from factories.database.statement_counts import counted_statements
from factories.services.calls import events_of
from integration.services.data_world import NOBODY
from integration.services.parameter_world import ParameterWorld, check_refusals, number, parameter_world_of


@pytest.fixture
async def world(frame: Frame) -> ParameterWorld:
    return await parameter_world_of(frame)


async def test_a_sub_type_tells_the_type_and_fills_a_blank_name(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type(asset_sub_type=True)
    basement = await world.sub_type(kind["id"], "Basement")
    item = {"project_id": project, "asset_sub_type_id": basement["id"]}
    for name in ({}, {"name": ""}, {"name": " \u00a0\u2003"}):
        made = await world.one("CreateAssets", "assets", world.ann, **item, **name)
        assert made["name"] == "Basement"
        assert (made["asset_type"], made["asset_sub_type"]) == (kind, basement)
    assert made["asset_sub_type"]["asset_type_id"] == kind["id"]
    named = await world.one("CreateAssets", "assets", world.ann, **item, name="Car park")
    assert named["name"] == "Car park"
    assert (await world.ann.call("GetAsset", asset_id=named["id"]))["asset"] == named


async def test_a_type_with_sub_types_takes_only_their_names(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type(asset_sub_type=True)
    basement = await world.sub_type(kind["id"], "Basement")
    gone = await world.sub_type(kind["id"], "Attic")
    await world.ada.call("DeleteAssetSubType", asset_type_id=kind["id"], asset_sub_type_id=gone["id"])
    assert (await world.asset(project, kind["id"], "Basement"))["asset_sub_type"] == basement
    for name, constraint in (("Attic", "sub_type_name"), ("basement", "sub_type_name"), (" ", "required")):
        item = {"project_id": project, "asset_type_id": kind["id"], "name": name}
        refusal = await world.ann.refused("CreateAssets", assets=[item])
        assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", "assets[0].name")
        assert refusal.details["constraint"] == constraint
    assert "Basement" in (await world.ann.refused("CreateAssets", assets=[{**item, "name": "x"}])).message
    plain = await world.asset_type()
    assert (await world.asset(project, plain["id"], "Anything"))["asset_sub_type"] is None


async def test_exactly_one_of_type_and_sub_type_is_needed(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type(asset_sub_type=True)
    sub_type = await world.sub_type(kind["id"], "Basement")
    item = {"project_id": project, "name": "A"}
    for ids in ({}, {"asset_type_id": kind["id"], "asset_sub_type_id": sub_type["id"]}):
        refusal = await world.ann.refused("CreateAssets", assets=[item | ids])
        assert (refusal.reason, refusal.details["constraint"]) == ("VALIDATION_ERROR", "oneof")


async def test_assets_form_a_tree_whose_ways_and_children_are_shown(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    tower, storey, slab = NOBODY[:-1] + "1", NOBODY[:-1] + "2", NOBODY[:-1] + "3"
    base = {"project_id": project, "asset_type_id": kind["id"]}
    batch = [
        {**base, "id": tower, "name": "Tower"},
        {**base, "id": storey, "name": "Storey", "parent_id": tower},
        {**base, "id": slab, "name": "Slab", "parent_id": storey},
    ]
    made = (await world.ann.call("CreateAssets", assets=batch))["assets"]
    assert [(row["parent"], row["children"]) for row in made] == [(None, [storey]), (tower, [slab]), (storey, [])]
    ways = (await world.ann.call("ListHierarchies", asset_ids=f"{slab},{tower.upper()}"))["hierarchies"]
    expected = [{"id": row["id"], "name": row["name"], "asset_type_id": kind["id"]} for row in made]
    assert ways == [expected, expected[:1]]
    tree = (await world.ann.call("GetAssetTree", asset_id=tower))["asset_tree"]
    assert (tree["name"], tree["children"][0]["name"], tree["children"][0]["children"][0]["name"]) == (
        "Tower",
        "Storey",
        "Slab",
    )
    assert tree["asset_type"] == kind
    listed = await world.ann.call("ListAssets", parent_id=[tower], project_id=[project], asset_type_id=[kind["id"]])
    assert listed["assets"] == [made[1]]
    assert (await world.ann.refused("ListHierarchies", asset_ids=f"{slab},{NOBODY}")).reason == "NOT_FOUND"
    assert (await world.ann.refused("CreateAssets", assets=[batch[0]])).reason == "CONFLICT"


async def test_an_asset_moves_within_its_project_but_never_below_itself(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    tower = await world.asset(project, kind["id"])
    storey = await world.asset(project, kind["id"], parent_id=tower["id"])
    foreign = await world.asset(await world.project(), kind["id"])
    for parent_id, constraint in ((storey["id"], "cycle"), (tower["id"], "cycle"), (foreign["id"], "unknown")):
        refusal = await world.ann.refused("UpdateAsset", asset_id=tower["id"], parent_id=parent_id)
        assert (refusal.details["parameter"], refusal.details["constraint"]) == ("parent_id", constraint)
    mask = {"paths": ["parent_id"]}
    moved = (await world.ann.call("UpdateAsset", asset_id=storey["id"], update_mask=mask))["asset"]
    assert moved["parent"] is None
    renamed = (await world.bob.call("UpdateAsset", asset_id=tower["id"], name="Spire"))["asset"]
    assert (renamed["name"], renamed["children"]) == ("Spire", [])
    types = [row["type"] for row in await events_of(world.db) if row["subject"].endswith(tower["id"])]
    assert types == ["parameter.asset.created", "parameter.asset.updated"]


async def test_a_tree_of_assets_has_at_most_32_levels(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    ids = [f"00000000-0000-7000-8000-0000000000{level:02x}" for level in range(33)]
    base = {"project_id": project, "asset_type_id": kind["id"], "name": "A"}
    items = [{**base, "id": id_, **({"parent_id": ids[n - 1]} if n else {})} for n, id_ in enumerate(ids)]
    refusal = await world.ann.refused("CreateAssets", assets=items)
    assert (refusal.details["parameter"], refusal.details["constraint"]) == ("assets[32].parent_id", "depth")
    await world.ann.call("CreateAssets", assets=items[:32])
    refusal = await world.ann.refused("CreateAssets", assets=items[32:])
    assert refusal.details["constraint"] == "depth"
    (way,) = (await world.ann.call("ListHierarchies", asset_ids=ids[31]))["hierarchies"]
    assert [element["id"] for element in way] == ids[:32]
    top = await world.asset(project, kind["id"])
    refusal = await world.ann.refused("UpdateAsset", asset_id=ids[0], parent_id=top["id"])
    assert refusal.details["constraint"] == "depth"


async def test_a_deleted_asset_takes_along_what_is_below_it_and_their_parameters(world: ParameterWorld) -> None:
    project, kind, source = await world.project(), await world.asset_type(), await world.source()
    quantity = await world.parameter_type()
    tower = await world.asset(project, kind["id"])
    storey = await world.asset(project, kind["id"], parent_id=tower["id"])
    beside = await world.asset(project, kind["id"])
    entry = {"source_id": source["id"], "values": [number(3)]}
    deep = await world.parameter(project, quantity["id"], parent_ids=[storey["id"]], entries=[entry])
    kept = await world.parameter(project, quantity["id"], parent_ids=[beside["id"]])
    deleted = (await world.ann.call("DeleteAsset", asset_id=tower["id"]))["asset"]
    assert deleted["deleted_at"] is not None
    for method, fields in (
        ("GetAsset", {"asset_id": storey["id"]}),
        ("GetAsset", {"asset_id": tower["id"]}),
        ("GetParameter", {"parameter_id": deep["id"]}),
        ("GetAssetTree", {"asset_id": tower["id"]}),
        ("ListHierarchies", {"asset_ids": storey["id"]}),
        ("UpdateAsset", {"asset_id": tower["id"], "name": "x"}),
        ("DeleteAsset", {"asset_id": tower["id"]}),
    ):
        assert (await world.ann.refused(method, **fields)).reason == "NOT_FOUND", method
    assert [row["id"] for row in (await world.ann.call("ListParameters"))["parameters"]] == [kept["id"]]
    shown = (await world.ann.call("GetParameter", parameter_id=deep["id"], show_deleted=True))["parameter"]
    assert shown["deleted_at"] is not None
    assert shown["selected_entry"] == deep["selected_entry"]
    assert (await world.ann.list("ListEntries"))["entries"] == []
    assert (await world.ann.call("GetAsset", asset_id=tower["id"], show_deleted=True))["asset"] == deleted
    types = sorted(row["type"] for row in await events_of(world.db) if row["type"].endswith(".deleted"))
    assert types == ["parameter.asset.deleted"] * 2 + ["parameter.entry.deleted", "parameter.parameter.deleted"]
    item = {"project_id": project, "asset_type_id": kind["id"], "name": "x", "parent_id": tower["id"]}
    refusal = await world.ann.refused("CreateAssets", assets=[item])
    assert refusal.details["constraint"] == "unknown"
    again = await world.asset(project, kind["id"])
    assert again["id"] not in (tower["id"], storey["id"])


async def test_children_that_come_while_their_parent_is_deleted_are_refused_or_go_along(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    quantity = await world.parameter_type()
    tower = await world.asset(project, kind["id"])

    calls = []
    for _ in range(12):
        calls.append(world.asset(project, kind["id"], parent_id=tower["id"]))
        calls.append(world.parameter(project, quantity["id"], parent_ids=[tower["id"]]))
    calls.insert(12, world.ann.call("DeleteAsset", asset_id=tower["id"]))
    for ended in await asyncio.gather(*calls, return_exceptions=True):
        assert isinstance(ended, dict) or ended.code().name in ("INVALID_ARGUMENT", "ABORTED")
    assert (await world.ann.call("ListAssets"))["assets"] == []
    assert (await world.ann.call("ListParameters"))["parameters"] == []


async def test_two_moves_at_once_never_make_a_circle(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    for _ in range(5):
        one, two = await world.asset(project, kind["id"]), await world.asset(project, kind["id"])

        async def move(asset: dict[str, Any], below: dict[str, Any]) -> bool:
            try:
                await world.ann.call("UpdateAsset", asset_id=asset["id"], parent_id=below["id"])
            except CallError:
                return False
            return True

        assert sorted(await asyncio.gather(move(one, two), move(two, one))) == [False, True]


async def test_assets_of_a_hidden_project_are_as_if_they_were_not(world: ParameterWorld) -> None:
    kind = await world.asset_type()
    hidden, open_ = await world.project(confidential=True), await world.project()
    secret = await world.asset(hidden, kind["id"], "Vault")
    public = await world.asset(open_, kind["id"])
    for caller, ids in ((world.ann, {secret["id"], public["id"]}), (world.bob, {public["id"]})):
        listed = await caller.call("ListAssets")
        assert {row["id"] for row in listed["assets"]} == ids
        assert listed["summary"]["estimate_count"] == len(ids)
    assert (await world.ada.call("GetAsset", asset_id=secret["id"]))["asset"] == secret
    assert (await world.ann.call("ListAssetTypes", project_id=[hidden]))["asset_types"] == [kind]
    assert (await world.bob.call("ListAssetTypes", project_id=[hidden]))["asset_types"] == []
    for method, fields in (
        ("GetAsset", {"asset_id": "?"}),
        ("GetAsset", {"asset_id": "?", "show_deleted": True}),
        ("UpdateAsset", {"asset_id": "?", "name": "x"}),
        ("UpdateAsset", {"asset_id": "?", "parent_id": public["id"]}),
        ("DeleteAsset", {"asset_id": "?"}),
        ("GetAssetTree", {"asset_id": "?"}),
        ("ListHierarchies", {"asset_ids": "?"}),
    ):
        real = {key: secret["id"] if value == "?" else value for key, value in fields.items()}
        fake = {key: NOBODY if value == "?" else value for key, value in fields.items()}
        assert await world.bob.refused(method, **real) == await world.bob.refused(method, **fake)
    item = {"project_id": hidden, "asset_type_id": kind["id"], "name": "x"}
    refusal = await world.bob.refused("CreateAssets", assets=[item])
    assert (refusal.details["parameter"], refusal.details["constraint"]) == ("assets[0].project_id", "unknown")
    item = {"project_id": open_, "asset_type_id": kind["id"], "name": "x", "parent_id": secret["id"]}
    refusal = await world.bob.refused("CreateAssets", assets=[item])
    assert refusal.details["parameter"] == "assets[0].parent_id"


async def test_bad_input_names_its_field(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    await world.ada.call("DeleteAssetType", asset_type_id=kind["id"])
    good = {"project_id": project, "asset_type_id": NOBODY, "name": "A"}
    await check_refusals(
        world.ann,
        [
            ("CreateAssets", {"assets": []}, "assets"),
            ("CreateAssets", {"assets": [{**good, "project_id": "x"}]}, "assets[0].project_id"),
            ("CreateAssets", {"assets": [{**good, "project_id": NOBODY}]}, "assets[0].project_id"),
            ("CreateAssets", {"assets": [good]}, "assets[0].asset_type_id"),
            ("CreateAssets", {"assets": [{**good, "asset_type_id": kind["id"]}]}, "assets[0].asset_type_id"),
            (
                "CreateAssets",
                {"assets": [{"project_id": project, "asset_sub_type_id": NOBODY}]},
                "assets[0].asset_sub_type_id",
            ),
            ("CreateAssets", {"assets": [{**good, "name": "x" * 201}]}, "assets[0].name"),
            ("CreateAssets", {"assets": [{**good, "id": "x"}]}, "assets[0].id"),
            ("UpdateAsset", {"asset_id": NOBODY, "name": " "}, "name"),
            ("ListAssets", {"sort_by": "project_id"}, "sort_by"),
            ("ListAssets", {"asset_id": [NOBODY] * 1001}, "asset_id"),
            ("ListHierarchies", {"asset_ids": "x"}, "asset_ids"),
            ("ListHierarchies", {"asset_ids": ",".join([NOBODY] * 101)}, "asset_ids"),
            ("GetAssetTree", {"asset_id": "x"}, "asset_id"),
        ],
    )


async def test_a_page_of_assets_costs_two_statements_and_a_tree_one(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    top = await world.asset(project, kind["id"])
    for _ in range(5):
        await world.asset(project, kind["id"], parent_id=top["id"])
    for limit in (1, 6):
        with counted_statements() as seen:
            assert len((await world.ann.call("ListAssets", page_limit=limit))["assets"]) == limit
        assert len(seen) == 2
    for method, fields in (("GetAssetTree", {"asset_id": top["id"]}), ("ListHierarchies", {"asset_ids": top["id"]})):
        with counted_statements() as seen:
            await world.ann.call(method, **fields)
        assert len(seen) == 1


async def test_a_sub_type_is_taken_only_where_the_asset_type_has_sub_types(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type(asset_sub_type=True)
    basement = await world.sub_type(kind["id"], "Basement")
    await world.ada.call("UpdateAssetType", asset_type_id=kind["id"], asset_sub_type=False)
    item = {"project_id": project, "asset_sub_type_id": basement["id"]}
    refusal = await world.ann.refused("CreateAssets", assets=[item])
    assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", "assets[0].asset_sub_type_id")
    assert refusal.details["constraint"] == "sub_type"
    new = {"asset_type_id": kind["id"], "asset_sub_types": [{"name": "Attic"}]}
    refusal = await world.ada.refused("CreateAssetSubTypes", **new)
    assert (refusal.details["parameter"], refusal.details["constraint"]) == ("asset_type_id", "sub_type")
    assert (await world.asset(project, kind["id"], "Anything"))["asset_sub_type"] is None


async def test_an_equal_asset_is_refused_where_that_is_asked(world: ParameterWorld) -> None:
    project, kind, other = await world.project(), await world.asset_type(), await world.asset_type()
    tower = await world.asset(project, kind["id"], "Tower")
    item = {"project_id": project, "asset_type_id": kind["id"], "name": "Tower"}
    storey = {**item, "name": "Storey", "parent_id": tower["id"]}

    async def refused(*assets: dict[str, Any]) -> str:
        refusal = await world.ann.refused("CreateAssets", assets=assets, refuse_equal=True)
        assert refusal.reason == "CONFLICT"
        return str(refusal.details["parameter"])

    assert await refused(item) == "assets[0].name"
    assert await refused(storey, storey) == "assets[1].name"
    assert await refused(storey, {**item, "name": "Other"}, item) == "assets[2].name"
    different = [
        storey,
        {**item, "name": "tower"},
        {**item, "asset_type_id": other["id"]},
        {**item, "project_id": await world.project()},
    ]
    await world.ann.call("CreateAssets", assets=different, refuse_equal=True)
    assert await refused(storey) == "assets[0].name"
    await world.ann.call("DeleteAsset", asset_id=tower["id"])
    await world.ann.call("CreateAssets", assets=[item], refuse_equal=True)
    await world.ann.call("CreateAssets", assets=[item])


async def test_of_two_who_create_an_equal_asset_at_once_one_is_refused(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    item = {"project_id": project, "asset_type_id": kind["id"], "name": "Tower"}

    async def make() -> str:
        try:
            await world.ann.call("CreateAssets", assets=[item], refuse_equal=True)
        except CallError as error:
            return error.code().name
        return "made"

    assert sorted(await asyncio.gather(*(make() for _ in range(10)))) == ["ABORTED"] * 9 + ["made"]


async def test_an_asset_takes_no_more_children_than_its_answers_hold_however_many_add_at_once(
    world: ParameterWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, kind = await world.project(), await world.asset_type()
    parent, other = await world.asset(project, kind["id"], "parent"), await world.asset(project, kind["id"], "other")
    monkeypatch.setattr(asset_rules, "MOST_CHILDREN", 3)

    async def add(*names: str) -> list[dict[str, Any]]:
        item = {"project_id": project, "asset_type_id": kind["id"], "parent_id": parent["id"]}
        return list((await world.ann.call("CreateAssets", assets=[{**item, "name": name} for name in names]))["assets"])

    results = await asyncio.gather(*(add(f"a{number}") for number in range(6)), return_exceptions=True)
    assert sum(isinstance(one, list) for one in results) == 3, results
    item = {"project_id": project, "asset_type_id": kind["id"], "parent_id": parent["id"], "name": "x"}
    refusal = await world.ann.refused("CreateAssets", assets=[item])
    assert (refusal.reason, refusal.details["parameter"]) == ("CONFLICT", "assets[0].parent_id")
    assert "at most 3 direct children" in refusal.message
    refusal = await world.ann.refused("UpdateAsset", asset_id=other["id"], parent_id=parent["id"])
    assert (refusal.reason, refusal.details["parameter"]) == ("CONFLICT", "parent_id")
    first = next(one for one in results if isinstance(one, list))[0]
    same = await world.ann.call("UpdateAsset", asset_id=first["id"], parent_id=parent["id"])
    assert same["asset"]["parent"] == parent["id"], "a child stays where it is"
    await world.ann.call("DeleteAsset", asset_id=first["id"])
    await world.ann.call("UpdateAsset", asset_id=other["id"], parent_id=parent["id"])
    monkeypatch.setattr(asset_rules, "MOST_CHILDREN", 5_000)
    assert len(await add("more", "and more")) == 2
