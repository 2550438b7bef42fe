"""Filters of the parameter and environment services by a part of a name, a place in the tree, or what is absent."""

from __future__ import annotations

from typing import Any

import pytest

from catenary_core.frame import Frame
from factories.database.statement_counts import counted_statements
from integration.services.data_world import NOBODY
from integration.services.parameter_world import ParameterWorld, check_refusals, parameter_world_of


@pytest.fixture
async def world(frame: Frame) -> ParameterWorld:
    return await parameter_world_of(frame)


async def _listed(world: ParameterWorld, method: str, **fields: Any) -> list[str]:
    """Return the ids of a list, to which its count is equal."""
    answer = await world.ann.call(method, **fields)
    (rows,) = (value for value in answer.values() if isinstance(value, list))
    assert answer["summary"]["estimate_count"] == len(rows) or "page_limit" in fields
    return [row["id"] for row in rows]


async def test_descendants_of_an_asset_are_those_at_every_level_and_not_itself(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    tower = await world.asset(project, kind["id"], "Tower")
    storey = await world.asset(project, kind["id"], "Storey", parent_id=tower["id"])
    slab = await world.asset(project, kind["id"], "Slab", parent_id=storey["id"])
    beside = await world.asset(project, kind["id"], "Bridge")
    pier = await world.asset(project, kind["id"], "Pier", parent_id=beside["id"])
    assert await _listed(world, "ListAssets", descendants_of=[tower["id"]]) == [storey["id"], slab["id"]]
    assert await _listed(world, "ListAssets", descendants_of=[storey["id"]]) == [slab["id"]]
    both = {"descendants_of": [tower["id"], storey["id"], beside["id"]]}
    assert await _listed(world, "ListAssets", **both) == [storey["id"], slab["id"], pier["id"]]
    assert await _listed(world, "ListAssets", **both, search="a", page_limit=1) == [slab["id"]]
    for nothing in (slab["id"], NOBODY):
        assert await _listed(world, "ListAssets", descendants_of=[nothing]) == []
    await world.ann.call("DeleteAsset", asset_id=storey["id"])
    assert await _listed(world, "ListAssets", descendants_of=[tower["id"]]) == []
    deleted = {"descendants_of": [tower["id"]], "show_deleted": True}
    assert await _listed(world, "ListAssets", **deleted) == [storey["id"], slab["id"]]


async def test_descendants_in_a_hidden_project_are_not_found(world: ParameterWorld) -> None:
    project, kind = await world.project(confidential=True), await world.asset_type()
    tower = await world.asset(project, kind["id"], "Tower")
    await world.asset(project, kind["id"], "Storey", parent_id=tower["id"])
    assert len(await _listed(world, "ListAssets", descendants_of=[tower["id"]])) == 1
    assert (await world.bob.call("ListAssets", descendants_of=[tower["id"]]))["assets"] == []
    assert (await world.bob.call("ListAssetTypes", parent_asset_id=[tower["id"]]))["asset_types"] == []
    for fields in ({"not_asset_id": tower["id"]}, {"not_project_id": project}):
        await world.parameter_type()
        assert (await world.bob.call("ListParameterTypes", **fields))["parameter_types"] == []


@pytest.mark.parametrize(
    ("search", "found"),
    [("TOWER", 2), ("ower", 2), ("Ä", 1), ("ä", 1), ("%", 1), ("_", 0), ("\\", 0), ("tower 2", 1), ("bridge", 0)],
)
async def test_a_search_finds_parts_of_names_in_any_case_as_they_are_written(
    world: ParameterWorld, search: str, found: int
) -> None:
    project, kind = await world.project(), await world.asset_type()
    for name in ("Tower 1", "TOWER 2 100%", "Fährhaus"):
        await world.asset(project, kind["id"], name)
        await world.parameter_type(name=name)
    assert len(await _listed(world, "ListAssets", search=search)) == found
    assert len(await _listed(world, "ListParameterTypes", search=search)) == found


async def test_a_search_of_projects_looks_at_number_title_and_organisation(world: ParameterWorld) -> None:
    caller = world.world.as_("ann", "environment")
    texts = {"project_number": "B-77", "short_title": "Harbour bridge", "client_organisation_name": "City of Bern"}
    made = (await caller.call("CreateProject", **texts))["project"]["project_id"]
    await caller.call("CreateProject", project_number="C-1", scope_of_works="bridge")
    for search, found in (("b-7", [made]), ("BRIDGE", [made]), ("bern", [made]), ("director", [])):
        listed = (await caller.list("ListProjects", search=search))["projects"]
        assert [row["project_id"] for row in listed] == found, search
    hidden = {"project_number": "B-78", "confidential": True}
    await caller.call("CreateProject", **hidden)
    bob = world.world.as_("bob", "environment")
    assert len((await bob.list("ListProjects", search="B-7"))["projects"]) == 1


async def test_asset_types_by_parent_asset_are_those_of_its_active_children(world: ParameterWorld) -> None:
    project = await world.project()
    building, storey, slab = [await world.asset_type() for _ in range(3)]
    tower = await world.asset(project, building["id"])
    floor = await world.asset(project, storey["id"], parent_id=tower["id"])
    await world.asset(project, slab["id"], parent_id=floor["id"])
    assert await _listed(world, "ListAssetTypes", parent_asset_id=[tower["id"]]) == [storey["id"]]
    assert await _listed(world, "ListAssetTypes", parent_asset_id=[tower["id"], floor["id"]]) == [
        storey["id"],
        slab["id"],
    ]
    assert await _listed(world, "ListAssetTypes", parent_asset_id=[NOBODY]) == []
    await world.ann.call("DeleteAsset", asset_id=floor["id"])
    assert await _listed(world, "ListAssetTypes", parent_asset_id=[tower["id"]]) == []


async def test_parameter_types_that_an_asset_or_project_lacks_are_listed(world: ParameterWorld) -> None:
    project, other = await world.project(), await world.project()
    kind = await world.asset_type()
    tower = await world.asset(project, kind["id"])
    on_asset, on_project, unused = [await world.parameter_type() for _ in range(3)]
    parameter = await world.parameter(project, on_asset["id"], parent_ids=[tower["id"]])
    await world.parameter(project, on_project["id"])
    await world.parameter(other, unused["id"])
    without_asset = {"not_asset_id": tower["id"]}
    assert await _listed(world, "ListParameterTypes", **without_asset) == [on_project["id"], unused["id"]]
    assert await _listed(world, "ListParameterTypes", not_project_id=project) == [unused["id"]]
    for nothing in ({"not_asset_id": NOBODY}, {"not_project_id": NOBODY}):
        assert await _listed(world, "ListParameterTypes", **nothing) == []
    await world.ann.call("DeleteParameter", parameter_id=parameter["id"])
    assert on_asset["id"] in await _listed(world, "ListParameterTypes", **without_asset)


async def test_the_filters_cost_no_further_statement(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    tower = await world.asset(project, kind["id"])
    await world.asset(project, kind["id"], parent_id=tower["id"])
    for method, fields in (
        ("ListAssets", {"descendants_of": [tower["id"]]}),
        ("ListAssets", {"search": "tower"}),
        ("ListAssetTypes", {"parent_asset_id": [tower["id"]]}),
        ("ListParameterTypes", {"not_asset_id": tower["id"], "search": "x"}),
        ("ListParameters", {"project_parameter": True}),
    ):
        with counted_statements() as seen:
            await world.ann.call(method, **fields)
        assert len(seen) <= 2, (method, seen)


async def test_bad_filters_name_their_field(world: ParameterWorld) -> None:
    await check_refusals(
        world.ann,
        [
            ("ListAssets", {"descendants_of": ["x"]}, "descendants_of[0]"),
            ("ListAssets", {"search": ""}, "search"),
            ("ListAssets", {"search": "x" * 201}, "search"),
            ("ListAssetTypes", {"parent_asset_id": ["x"]}, "parent_asset_id[0]"),
            ("ListParameterTypes", {"not_asset_id": "x"}, "not_asset_id"),
            ("ListParameterTypes", {"not_project_id": ""}, "not_project_id"),
            ("ListParameterTypes", {"search": ""}, "search"),
            ("ListParameters", {"category_id": ["x"]}, "category_id[0]"),
        ],
    )
