"""QA records and record types over the dispatcher."""

from __future__ import annotations

from typing import Any

import pytest

from catenary_core.frame import Frame
from factories.database.statement_counts import counted_statements
from factories.services.calls import events_of
from integration.services.data_world import NOBODY, URL, World, world_of

REFERENCE = "11111111-1111-7111-8111-111111111111"


@pytest.fixture
async def world(frame: Frame) -> World:
    return await world_of(frame)


async def record_type(world: World, name: str = "Checked") -> dict[str, Any]:
    return dict((await world.as_("ada", "qa").call("CreateRecordType", name=name))["record_type"])


def record(type_id: str, **fields: Any) -> dict[str, Any]:
    return {"type_id": type_id, "reference_id": REFERENCE, "reference_table": "entry", "reference_url": URL, **fields}


async def test_records_are_made_all_or_none_with_their_creator(world: World) -> None:
    kind = await record_type(world)
    ann = world.as_("ann", "qa")
    refused = await ann.refused("CreateRecords", records=[record(kind["id"]), record(NOBODY)])
    assert refused.reason == "VALIDATION_ERROR"
    assert refused.details["parameter"] == "records[1].type_id"
    assert (await ann.list("ListRecords"))["records"] == []
    made = (await ann.call("CreateRecords", records=[record(kind["id"]), record(kind["id"])]))["records"]
    assert made[0]["created_by"] == {"staff_name": "ann", "email": "ann@example.com"}
    assert made[0]["type_id"] == kind["id"]
    assert (await world.as_("bob", "qa").list("ListRecords"))["records"] == made
    events = await events_of(world.db)
    assert [event["type"] for event in events] == ["qa.record_type.created"] + ["qa.record.created"] * 2
    assert "created_by" not in events[1]["data"]["record"]


async def test_records_are_found_by_each_filter_and_paged(world: World) -> None:
    kind, other = await record_type(world), await record_type(world, "Approved")
    ann = world.as_("ann", "qa")
    made = (await ann.call("CreateRecords", records=[record(kind["id"]), record(other["id"], reference_id=NOBODY)]))[
        "records"
    ]
    assert (await ann.list("ListRecords", type_id=[kind["id"]]))["records"] == made[:1]
    assert (await ann.list("ListRecords", reference_id=[NOBODY]))["records"] == made[1:]
    assert (await ann.list("ListRecords", reference_id=[NOBODY], type_id=[kind["id"]]))["records"] == []
    with counted_statements() as seen:
        page = await ann.list("ListRecords", page_limit=1)
    assert page["records"] == made[:1]
    assert page["summary"]["estimate_count"] == 2
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"type_id": "x"}, "type_id"),
        ({"reference_id": ""}, "reference_id"),
        ({"reference_table": ""}, "reference_table"),
        ({"reference_url": "x"}, "reference_url"),
    ],
)
async def test_a_bad_field_of_a_record_is_named(world: World, fields: dict[str, Any], field: str) -> None:
    kind = await record_type(world)
    refused = await world.as_("ann", "qa").refused("CreateRecords", records=[record(kind["id"]) | fields])
    assert refused.reason == "VALIDATION_ERROR"
    assert refused.details["parameter"] == f"records[0].{field}"


async def test_no_record_and_a_bad_filter_are_refused(world: World) -> None:
    ann = world.as_("ann", "qa")
    assert (await ann.refused("CreateRecords")).details["parameter"] == "records"
    assert (await ann.open_refused("ListRecords", type_id=["x"])).reason == "VALIDATION_ERROR"
    assert (await ann.open_refused("ListRecordTypes", page_limit=-1)).reason == "VALIDATION_ERROR"


async def test_only_an_admin_makes_record_types_with_unique_names(world: World) -> None:
    kind = await record_type(world)
    assert (await world.as_("ann", "qa").refused("CreateRecordType", name="x")).reason == "PERMISSION_DENIED"
    ada = world.as_("ada", "qa")
    assert (await ada.refused("CreateRecordType", name="Checked")).reason == "CONFLICT"
    assert (await ada.refused("CreateRecordType", name="  ")).details["parameter"] == "name"
    assert (await world.as_("ann", "qa").list("ListRecordTypes"))["record_types"] == [kind]
