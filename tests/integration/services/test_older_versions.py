"""The core's part in older REST versions: the right to see it, and the values that rows keep for them alone."""

from __future__ import annotations

from typing import Any

import pytest

from catenary.parameter.v1 import parameter_type_pb2
from catenary_core.frame import Frame
from integration.services.data_world import NOBODY
from integration.services.parameter_world import ParameterWorld, check_refusals, number, parameter_world_of

UUID7 = "00000000-0000-7000-8000-00000000000a"


@pytest.fixture
async def world(frame: Frame) -> ParameterWorld:
    return await parameter_world_of(frame)


async def _valued(world: ParameterWorld, **project: Any) -> dict[str, Any]:
    """Create a parameter of ann's with a value."""
    kind = await world.parameter_type(parameter_type_pb2.DATA_TYPE_NUMBER)
    source = await world.source()
    entry = {"source_id": source["id"], "values": [number(24)], "comment": "Seen"}
    return await world.parameter(await world.project(**project), kind["id"], entries=[entry])


async def test_details_of_a_revision_have_its_source_texts_and_maker(world: ParameterWorld) -> None:
    parameter = await _valued(world)
    revision_id = parameter["selected_entry"]["revision_id"]
    answer = await world.bob.call("ReadRevisionDetails", revision_ids=[revision_id, NOBODY])
    (details,) = answer["revisions"]
    assert (details["revision_id"], details["comment"], details["location_in_source"]) == (revision_id, "Seen", None)
    assert details["source"]["source_type"]["visible"] is True
    assert details["created_by"]["staff_name"] == "ann"
    assert isinstance(details["created_by"]["staff_id"], int)
    assert details["created_at"] == details["updated_at"] == parameter["selected_entry"]["created_at"]


async def test_what_belongs_to_a_hidden_project_is_left_out(world: ParameterWorld) -> None:
    parameter = await _valued(world, confidential=True)
    revisions = {"revision_ids": [parameter["selected_entry"]["revision_id"]]}
    makers = {"parameter_ids": [parameter["id"]]}
    for caller, seen in ((world.ann, 1), (world.ada, 1), (world.bob, 0)):
        assert len((await caller.call("ReadRevisionDetails", **revisions))["revisions"]) == seen
        assert len((await caller.call("ReadParameterMakers", **makers))["parameters"]) == seen


async def test_makers_of_parameters_and_item_types_are_kept(world: ParameterWorld) -> None:
    parameter = await _valued(world)
    people = world.world.people
    (maker,) = (await world.bob.call("ReadParameterMakers", parameter_ids=[parameter["id"]]))["parameters"]
    unknown = {"updated_by": None, "creator": None, "updater": None}
    assert maker == {"id": parameter["id"], "created_by": people["ann"].user_id, **unknown}
    asset_type = await world.asset_type()
    item = await world.one(
        "CreateItemTypes",
        "item_types",
        parameter_type_id=parameter["parameter_type"]["id"],
        asset_type_id=asset_type["id"],
    )
    asked = {"item_type_ids": [item["id"]]}
    (makers,) = (await world.bob.call("ReadItemTypeMakers", **asked))["item_types"]
    ids = {name: makers[name] for name in ("id", "created_by", "updated_by")}
    assert ids == {"id": item["id"], "created_by": people["ada"].user_id, "updated_by": people["ada"].user_id}
    assert makers["creator"] == makers["updater"]
    assert (makers["creator"]["staff_name"], makers["creator"]["company_centre_unit"]) == ("ada", "")


async def test_a_set_is_found_by_its_own_type_alone(world: ParameterWorld) -> None:
    project, asset_type = await world.project(), await world.asset_type()
    asset = await world.asset(project, asset_type["id"])
    category = (await world.ann.call("CreateParameterSetCategory", name="Briefs"))["parameter_set_category"]
    kinds = [
        (await world.ann.call("CreateParameterSetType", name=name, parameter_set_category_id=category["id"]))[
            "parameter_set_type"
        ]["id"]
        for name in ("mine", "other")
    ]
    given = {"name": "Set", "parameter_set_type_id": kinds[0], "project_id": project, "asset_id": asset["id"]}
    set_id = (await world.ann.call("CreateParameterSet", **given))["parameter_set"]["id"]
    other = {"parameter_set_id": set_id, "parameter_set_type_id": kinds[1]}
    for method in ("GetParameterSet", "DeleteParameterSet"):
        assert (await world.ann.refused(method, **other)).reason == "NOT_FOUND"
    assert (await world.ann.open_refused("ListParameterSetParameters", **other)).reason == "NOT_FOUND"
    own = {"parameter_set_id": set_id, "parameter_set_type_id": kinds[0]}
    await world.ann.list("ListParameterSetParameters", **own)
    assert (await world.ann.call("DeleteParameterSet", **own))["parameter_set"]["deleted_at"] is not None


async def test_bad_input_of_the_older_fields_names_its_field(world: ParameterWorld) -> None:
    many = [UUID7] * 1001
    await _valued(world)
    page = await world.ann.call("ListParameters", page_limit=1)
    refused: list[tuple[str, dict[str, Any], str]] = [
        ("ReadRevisionDetails", {"revision_ids": ["x"]}, "revision_ids[0]"),
        ("ReadRevisionDetails", {"revision_ids": many}, "revision_ids"),
        ("ReadParameterMakers", {"parameter_ids": ["x"]}, "parameter_ids[0]"),
        ("ReadItemTypeMakers", {"item_type_ids": ["x"]}, "item_type_ids[0]"),
        ("ListParameters", {"offset": -1}, "offset"),
        ("ListItemTypes", {"offset": 100_001}, "offset"),
        ("ListParameters", {"offset": 1, "after": page["paging"]["cursors"]["after"]}, "offset"),
    ]
    await check_refusals(world.ann, refused)


async def test_a_page_after_an_offset_knows_the_page_before_it(world: ParameterWorld) -> None:
    made = [await _valued(world) for _ in range(3)]
    page = await world.ann.call("ListParameters", offset=1, page_limit=1)
    assert [row["id"] for row in page["parameters"]] == [made[1]["id"]]
    before = await world.ann.call("ListParameters", before=page["paging"]["previous"], page_limit=1)
    after = await world.ann.call("ListParameters", after=page["paging"]["next"], page_limit=1)
    assert [row["id"] for row in (*before["parameters"], *after["parameters"])] == [made[0]["id"], made[2]["id"]]
    beyond = await world.ann.call("ListParameters", offset=3)
    assert (beyond["parameters"], beyond["paging"]["next"]) == ([], None)


async def test_regions_keep_their_codes(world: ParameterWorld) -> None:
    ada = world.world.as_("ada", "environment")
    fields = {"region_code": "A1", "region_name": "Alps", "region_level": 2, "company_code": "CH"}
    region_id = (await ada.call("CreateRegion", **fields))["region"]["region_id"]
    asked = {"region_ids": [region_id, NOBODY]}
    expected = {"region_id": region_id, "region_level": 2, "company_code": "CH"}
    assert (await ada.call("ReadRegionCodes", **asked))["regions"] == [expected]
    await ada.call("UpdateRegion", region_id=region_id, update_mask={"paths": ["company_code"]})
    assert (await ada.call("ReadRegionCodes", **asked))["regions"] == [{**expected, "company_code": None}]
    await ada.call("UpdateRegion", region_id=region_id, region_name="The Alps")
    assert (await ada.call("ReadRegionCodes", **asked))["regions"] == [{**expected, "company_code": None}]
