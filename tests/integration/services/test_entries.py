"""Entries and revisions over the dispatcher: one entry per parameter, revisions, QA states, parallel writers, bad input."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa
import uuid_utils

from catenary.parameter.v1 import entry_pb2, parameter_type_pb2
from catenary_core.call.errors import CallError
from catenary_core.database.statements import Statement
from catenary_core.frame import Frame
from factories.checks.timestamps import moment
from factories.database.statement_counts import counted_statements
from factories.services.calls import Refusal, events_of
from integration.services.data_world import NOBODY
from integration.services.parameter_world import ParameterWorld, check_refusals, number, parameter_world_of

ANSWERED, CHECKED, APPROVED, REJECTED = (
    entry_pb2.REVISION_STATUS_ANSWERED,
    entry_pb2.REVISION_STATUS_CHECKED,
    entry_pb2.REVISION_STATUS_APPROVED,
    entry_pb2.REVISION_STATUS_REJECTED,
)


class EntryWorld(ParameterWorld):
    """A world with a source and a parameter of numbers without a unit."""

    source_id = ""
    parameter_id = ""

    async def prepare(self) -> None:
        self.source_id = (await self.source())["id"]
        self.project_id = await self.project()
        self.parameter_id = await self.new_parameter()

    async def new_parameter(self) -> str:
        return str((await self.parameter(self.project_id, (await self.parameter_type())["id"]))["id"])

    def item(self, value: float = 1, **fields: Any) -> dict[str, Any]:
        """Return an entry as PUT takes it, with a new id."""
        return {
            "entry_id": str(uuid_utils.uuid7()),
            "parameter_id": self.parameter_id,
            "source_id": self.source_id,
            "values": [number(value)],
            **fields,
        }

    async def selected(self, parameter_id: str = "") -> dict[str, Any]:
        """Return the selected entry of the parameter."""
        found = await self.ann.call("GetParameter", parameter_id=parameter_id or self.parameter_id)
        return dict(found["parameter"]["selected_entry"] or {})

    async def put_refused(self, *items: dict[str, Any]) -> Refusal:
        """Return the refusal of a put."""
        return await self.ann.refused("PutEntries", entries=list(items))

    async def revisions(self, entry_id: str, **fields: Any) -> list[dict[str, Any]]:
        """Return the revisions of an entry."""
        return list((await self.ann.list("ListRevisions", entry_id=entry_id, **fields))["revisions"])


@pytest.fixture
async def world(frame: Frame) -> EntryWorld:
    made = EntryWorld((await parameter_world_of(frame)).world)
    await made.prepare()
    return made


async def test_an_unknown_id_makes_the_entry_and_the_known_one_revises_it(world: EntryWorld) -> None:
    item = world.item(1, comment="first", location_in_source="p. 3")
    made = await world.put(item)
    assert (made["entry_id"], made["parameter_id"]) == (item["entry_id"], world.parameter_id)
    assert (made["status"], made["comment"], made["location_in_source"]) == ("answered", "first", "p. 3")
    assert made["source"]["id"] == world.source_id
    assert made["source"]["source_type"]["visible"] is True
    assert made["source"]["created_at"].endswith("Z")
    assert made["created_by"] == {"staff_name": "ann", "email": "ann@example.com"}
    assert made["deleted_at"] is None
    revised = await world.put({**item, "values": [number(2)], "comment": "second"}, world.bob)
    assert revised["created_at"] == made["created_at"]
    assert moment(revised["updated_at"]) > moment(made["updated_at"])
    assert (revised["values"][0]["value"], revised["comment"]) == (2, "second")
    assert revised["created_by"]["staff_name"] == "bob"
    assert (await world.ann.list("ListEntries", parameter_id=[world.parameter_id]))["entries"] == [revised]
    newest, oldest = await world.revisions(item["entry_id"])
    assert [row["values"][0]["value"] for row in (newest, oldest)] == [2, 1]
    assert newest["revision_id"] == revised["revision_id"]
    assert oldest["revision_id"] == made["revision_id"]
    shown = [key for key in revised if key != "parameter_id"]
    shown.insert(shown.index("created_at"), "review")
    assert list(newest) == shown
    selected = await world.selected()
    assert (selected["entry_id"], selected["revision_id"]) == (made["entry_id"], newest["revision_id"])
    assert selected["created_by"]["staff_name"] == "bob"
    events = [row for row in await events_of(world.db) if row["type"].startswith("parameter.entry.")]
    assert [row["type"] for row in events] == ["parameter.entry.created", "parameter.entry.updated"]
    assert not {"created_by", "comment"} & events[0]["data"]["entry"].keys()


async def test_a_parameter_never_gets_a_second_entry(world: EntryWorld) -> None:
    first = await world.put(world.item())
    refusal = await world.put_refused(world.item(2))
    assert (refusal.reason, refusal.details["constraint"]) == ("CONFLICT", "one_entry")
    other = await world.new_parameter()
    refusal = await world.put_refused(world.item(2, entry_id=first["entry_id"], parameter_id=other))
    assert (refusal.reason, refusal.details["constraint"]) == ("CONFLICT", "unique")
    refusal = await world.put_refused(world.item(1, parameter_id=other), world.item(2, parameter_id=other))
    assert (refusal.reason, refusal.details["constraint"]) == ("CONFLICT", "one_entry")
    again = world.item(1, parameter_id=other)
    refusal = await world.put_refused(again, {**world.item(), "entry_id": again["entry_id"]})
    assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", "entries[1].entry_id")
    assert len((await world.ann.list("ListEntries"))["entries"]) == 1


async def test_equal_content_changes_nothing_unless_the_latest_is_rejected(world: EntryWorld) -> None:
    item = world.item(450, comment="c")
    made = await world.put(item)
    before = len(await events_of(world.db))
    assert await world.put(item, world.bob) == made
    assert len(await events_of(world.db)) == before
    assert len(await world.revisions(item["entry_id"])) == 1
    for change in ({"values": [number(450.0)]}, {"comment": "d"}, {"location_in_source": "x"}, {"source_id": None}):
        changed = {**item, **change}
        if changed["source_id"] is None:
            changed["source_id"] = (await world.source())["id"]
        assert (await world.put(changed))["revision_id"] != made["revision_id"], change
    latest = await world.put(item)
    rejected = {"revision_id": latest["revision_id"], "status": REJECTED, "comment": "c"}
    await world.ann.call("UpdateRevisions", revisions=[rejected])
    again = await world.put(item)
    assert (again["revision_id"] != latest["revision_id"], again["status"]) == (True, "answered")


async def test_several_entries_are_put_together_or_not_at_all(world: EntryWorld) -> None:
    others = [await world.new_parameter() for _ in range(3)]
    items = [world.item(n, parameter_id=id_) for n, id_ in enumerate(others)]
    refusal = await world.put_refused(*items, world.item(1, source_id=NOBODY))
    assert refusal.details["parameter"] == "entries[3].source_id"
    assert (await world.ann.list("ListEntries"))["entries"] == []
    put = (await world.ann.call("PutEntries", entries=items))["entries"]
    assert [row["parameter_id"] for row in put] == others
    mixed = [{**items[2], "values": [number(9)]}, world.item(5), items[0]]
    put = (await world.ann.call("PutEntries", entries=mixed))["entries"]
    assert [row["values"][0]["value"] for row in put] == [9, 5, 0]
    types = [row["type"] for row in await events_of(world.db) if row["type"].startswith("parameter.entry.")]
    assert types == ["parameter.entry.created"] * 4 + ["parameter.entry.updated"]


async def test_fifty_writers_never_make_a_second_entry(world: EntryWorld) -> None:
    async def write(n: int) -> str:
        try:
            await world.put(world.item(n))
        except CallError as error:
            return error.code().name
        return "put"

    results = await asyncio.gather(*(write(n) for n in range(50)))
    assert (results.count("put"), results.count("ABORTED")) == (1, 49)
    assert len((await world.ann.list("ListEntries", show_deleted=True))["entries"]) == 1


async def test_fifty_writers_never_lose_a_revision(world: EntryWorld) -> None:
    item = world.item(-1)
    written = await asyncio.gather(*(world.put({**item, "values": [number(n)]}) for n in range(50)))
    ids = [row["revision_id"] for row in written]
    assert len(set(ids)) == 50
    revisions = await world.revisions(item["entry_id"])
    assert {row["revision_id"] for row in revisions} == set(ids)
    assert {row["values"][0]["value"] for row in revisions} == set(range(50))
    latest = await world.selected()
    assert latest["revision_id"] == revisions[0]["revision_id"]
    (entry,) = (await world.ann.list("ListEntries"))["entries"]
    assert entry["revision_id"] == revisions[0]["revision_id"]


async def test_writers_of_many_entries_in_other_orders_never_wait_for_each_other(world: EntryWorld) -> None:
    items = [world.item(0, parameter_id=await world.new_parameter()) for _ in range(4)]

    async def write(turn: int) -> None:
        turned = [{**item, "values": [number(turn)]} for item in items[turn % 4 :] + items[: turn % 4]]
        await world.ann.call("PutEntries", entries=turned)

    await asyncio.gather(*(write(turn) for turn in range(1, 21)))
    for item in items:
        assert len(await world.revisions(item["entry_id"])) == 20


async def test_a_judgement_and_a_new_value_at_once_never_judge_an_old_revision(world: EntryWorld) -> None:
    item = world.item(0)
    for n in range(1, 16):
        made = await world.put({**item, "values": [number(n)]})
        judgement = {"revision_id": made["revision_id"], "status": APPROVED}
        _, judged = await asyncio.gather(
            world.put({**item, "values": [number(-n)]}),
            world.ann.call("UpdateRevisions", revisions=[judgement]),
            return_exceptions=True,
        )
        statuses = [row["status"] for row in await world.revisions(item["entry_id"])][:2]
        if isinstance(judged, CallError):
            assert judged.code().name == "ABORTED"
            assert statuses == ["answered", "answered"]
        else:
            assert statuses == ["answered", "approved"]


async def test_an_equal_value_that_waits_for_a_rejection_is_a_new_revision(world: EntryWorld) -> None:
    item = world.item(0)
    made = await world.put(item)
    judged = {"revision_id": made["revision_id"]}
    async with world.db.transaction() as tx:
        await tx.execute(
            Statement(sa.text("UPDATE parameter.revision SET status = 'rejected' WHERE revision_id = :revision_id")),
            **judged,
        )
        await tx.execute(
            Statement(sa.text("UPDATE parameter.parameter SET status = 'rejected' WHERE revision_id = :revision_id")),
            **judged,
        )
        waiting = asyncio.create_task(world.put(item))
        await asyncio.sleep(0.3)
        assert not waiting.done()
    again = await waiting
    assert again["revision_id"] != made["revision_id"]
    assert [row["status"] for row in await world.revisions(item["entry_id"])] == ["answered", "rejected"]


async def test_only_the_latest_revision_changes_its_status(world: EntryWorld) -> None:
    item = world.item()
    old = await world.put(item)
    new = await world.put({**item, "values": [number(2)]})
    refusal = await world.ann.refused(
        "UpdateRevisions", revisions=[{"revision_id": old["revision_id"], "status": CHECKED}]
    )
    assert (refusal.reason, refusal.details["constraint"]) == ("CONFLICT", "latest")
    before = new
    for status, name in ((CHECKED, "checked"), (APPROVED, "approved"), (ANSWERED, "answered"), (CHECKED, "checked")):
        update = {"revision_id": new["revision_id"], "status": status}
        (judged,) = (await world.bob.call("UpdateRevisions", revisions=[update]))["revisions"]
        assert (judged["status"], judged["comment"]) == (name, None)
        assert moment(judged["updated_at"]) > moment(before["updated_at"])
        before = judged
    assert judged["created_by"]["staff_name"] == "ann", "the one who gave the value"
    assert (await world.selected())["status"] == "checked"
    types = [row["type"] for row in await events_of(world.db) if "revision" in row["type"]]
    assert types == ["parameter.revision.updated"] * 4


async def test_a_rejection_needs_a_comment_and_the_comment_of_who_gave_the_value_stays(world: EntryWorld) -> None:
    made = await world.put(world.item(comment="mine"))
    update = {"revision_id": made["revision_id"], "status": REJECTED}
    for comment in ({}, {"comment": ""}, {"comment": " \n"}):
        refusal = await world.ann.refused("UpdateRevisions", revisions=[update | comment])
        assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", "revisions[0].comment")
    (judged,) = (await world.ann.call("UpdateRevisions", revisions=[{**update, "comment": "too high"}]))["revisions"]
    assert (judged["status"], judged["comment"], judged["review"]["comment"]) == ("rejected", "mine", "too high")
    (judged,) = (await world.ann.call("UpdateRevisions", revisions=[{**update, "status": CHECKED}]))["revisions"]
    assert (judged["comment"], judged["review"]["comment"]) == ("mine", None), "each review has its own"
    data = [row["data"] for row in await events_of(world.db) if "revision" in row["type"]]
    assert all(not {"comment", "review"} & item["revision"].keys() for item in data)


async def test_revisions_of_several_entries_change_together_or_not_at_all(world: EntryWorld) -> None:
    made = [await world.put(world.item(1, parameter_id=await world.new_parameter())) for _ in range(3)]
    stale = made[2]
    item = {key: made[2][key] for key in ("entry_id", "parameter_id")}
    await world.put({**world.item(7), **item})
    updates = [{"revision_id": row["revision_id"], "status": APPROVED} for row in made]
    assert (await world.ann.refused("UpdateRevisions", revisions=updates)).reason == "CONFLICT"
    assert (await world.selected(made[0]["parameter_id"]))["status"] == "answered"
    refusal = await world.ann.refused("UpdateRevisions", revisions=[*updates[:2], updates[0]])
    assert refusal.details["parameter"] == "revisions[2].revision_id"
    refusal = await world.ann.refused(
        "UpdateRevisions", revisions=[*updates[:2], {"revision_id": NOBODY, "status": APPROVED}]
    )
    assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", "revisions[2].revision_id")
    assert (await world.selected(made[0]["parameter_id"]))["status"] == "answered"
    answer = await world.ann.call("UpdateRevisions", revisions=updates[1::-1])
    assert [row["revision_id"] for row in answer["revisions"]] == [made[1]["revision_id"], made[0]["revision_id"]]
    assert [(await world.selected(row["parameter_id"]))["status"] for row in made[:2]] == ["approved", "approved"]
    assert stale["revision_id"] != (await world.selected(stale["parameter_id"]))["revision_id"]


async def test_a_deleted_entry_leaves_its_parameter_without_one(world: EntryWorld) -> None:
    made = await world.put(world.item())
    deleted = (await world.ann.call("DeleteEntry", entry_id=made["entry_id"]))["entry"]
    assert deleted["deleted_at"] is not None
    assert deleted["values"] == made["values"]
    assert await world.selected() == {}
    assert (await world.ann.refused("DeleteEntry", entry_id=made["entry_id"])).reason == "NOT_FOUND"
    assert (await world.ann.open_refused("ListRevisions", entry_id=made["entry_id"])).reason == "NOT_FOUND"
    (shown,) = await world.revisions(made["entry_id"], show_deleted=True)
    assert shown["deleted_at"] == deleted["deleted_at"]
    update = {"revision_id": made["revision_id"], "status": CHECKED}
    refusal = await world.ann.refused("UpdateRevisions", revisions=[update])
    assert refusal.details["constraint"] == "unknown"
    refusal = await world.put_refused(world.item(entry_id=made["entry_id"]))
    assert (refusal.reason, refusal.details["constraint"]) == ("CONFLICT", "unique")
    again = await world.put(world.item(2))
    assert (await world.selected())["entry_id"] == again["entry_id"]
    assert (await world.ann.list("ListEntries"))["entries"] == [again]
    types = [row["type"] for row in await events_of(world.db) if row["type"].startswith("parameter.entry.")]
    assert types == ["parameter.entry.created", "parameter.entry.deleted", "parameter.entry.created"]


async def test_values_fit_the_data_type_and_come_back_exactly(world: EntryWorld) -> None:
    kinds = {name: getattr(parameter_type_pb2, f"DATA_TYPE_{name.upper()}") for name in _GOOD}
    for name, values in _GOOD.items():
        quantity = await world.parameter_type(kinds[name])
        parameter_id = (await world.parameter(world.project_id, quantity["id"]))["id"]
        item = world.item(parameter_id=parameter_id)
        for value, expected in values:
            put = await world.put({**item, "values": [{"value": value}]})
            for shown in (put, await world.selected(parameter_id)):
                got = shown["values"][0]["value"]
                assert (got, type(got)) == (expected, type(expected))
        for value in _BAD[name]:
            refusal = await world.put_refused({**item, "values": [{"value": value}]})
            assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", "entries[0].values[0].value")


_GOOD: dict[str, list[tuple[dict[str, Any], Any]]] = {
    "string": [({"string_value": "Beton é 漢"}, "Beton é 漢"), ({"string_value": ""}, "")],
    "number": [
        ({"integer_value": 2**63 - 1}, 2**63 - 1),
        ({"integer_value": -(2**63)}, -(2**63)),
        ({"integer_value": 2**53 + 1}, 2**53 + 1),
        ({"double_value": 450.0}, 450.0),
        ({"double_value": 0.1}, 0.1),
        ({"double_value": 1e16}, 1e16),
        ({"double_value": 5e-324}, 5e-324),
    ],
    "integer": [({"integer_value": 2**53 + 1}, 2**53 + 1), ({"integer_value": 0}, 0)],
    "boolean": [({"bool_value": True}, True), ({"bool_value": False}, False)],
    "date": [({"string_value": "2028-02-29"}, "2028-02-29")],
    "json": [
        ({"json_value": {"text": '{"b": 1, "a": [450.0, null]}'}}, {"b": 1, "a": [450.0, None]}),
        ({"string_value": "x"}, "x"),
        ({"bool_value": True}, True),
    ],
}
_BAD: dict[str, list[dict[str, Any]]] = {
    "string": [{"integer_value": 1}, {"bool_value": True}, {"json_value": {"text": "[]"}}],
    "number": [{"string_value": "1"}, {"bool_value": True}, {"json_value": {"text": "{}"}}],
    "integer": [{"double_value": 1.0}, {"string_value": "1"}, {"bool_value": False}],
    "boolean": [{"integer_value": 1}, {"string_value": "true"}],
    "date": [{"string_value": "2027-02-29"}, {"string_value": "29.02.2028"}, {"string_value": "20280229"}],
    "json": [
        {"json_value": {"text": "null"}},
        {"json_value": {"text": "{"}},
        {"json_value": {"text": '{"a":1,"a":2}'}},
    ],
}


async def test_a_unit_must_be_one_of_the_parameter_types_unit_type(world: EntryWorld) -> None:
    length, mass = await world.unit_type(), await world.unit_type()
    metre, gone, kilo = [await world.unit(kind["id"], s) for kind, s in ((length, "m"), (length, "ell"), (mass, "kg"))]
    await world.ada.call("DeleteUnit", unit_id=gone["id"])
    quantity = await world.parameter_type(unit_type_id=length["id"])
    item = world.item(parameter_id=(await world.parameter(world.project_id, quantity["id"]))["id"])
    for unit_id in (None, kilo["id"], gone["id"], NOBODY):
        refusal = await world.put_refused({**item, "values": [number(1, unit_id)]})
        assert refusal.details["parameter"] == "entries[0].values[0].unit_id"
        assert refusal.details["constraint"] == "unit_type"
    refusal = await world.put_refused(world.item(values=[number(1, metre["id"])]))
    assert refusal.details["constraint"] == "unit_type"
    put = await world.put({**item, "values": [number(1, metre["id"])]})
    assert put["values"][0]["unit"]["symbol"] == "m"
    await world.ada.call("UpdateUnit", unit_id=metre["id"], symbol="metre")
    assert (await world.selected(item["parameter_id"]))["values"][0]["unit"]["symbol"] == "metre"


async def test_a_value_without_a_unit_has_the_default_unit_of_its_type(world: EntryWorld) -> None:
    length, mass = await world.unit_type(), await world.unit_type()
    metre, foot, kilo = [await world.unit(kind["id"], s) for kind, s in ((length, "m"), (length, "ft"), (mass, "kg"))]
    quantity = await world.parameter_type(unit_type_id=length["id"], default_unit_id=metre["id"])
    item = world.item(parameter_id=(await world.parameter(world.project_id, quantity["id"]))["id"])
    put = await world.put(item)
    assert put["values"][0]["unit"] == {
        name: metre[name] for name in ("id", "symbol", "unit_type_id", "unit_system_id")
    }
    assert (await world.selected(item["parameter_id"]))["values"][0]["unit"]["symbol"] == "m"
    again = await world.put({**item, "values": [number(1, metre["id"])]})
    assert again["revision_id"] == put["revision_id"], "the unit said is the one that it has already"
    in_feet = await world.put({**item, "values": [number(1, foot["id"])]})
    assert in_feet["values"][0]["unit"]["symbol"] == "ft"
    back = await world.put(item)
    assert back["revision_id"] not in (put["revision_id"], in_feet["revision_id"])
    assert back["values"][0]["unit"]["symbol"] == "m"

    entry = {"source_id": world.source_id, "values": [number(2)]}
    other = await world.asset_type()
    asset = await world.asset(world.project_id, other["id"])
    made = await world.parameter(world.project_id, quantity["id"], parent_ids=[asset["id"]], entries=[entry])
    assert made["selected_entry"]["values"][0]["unit"]["symbol"] == "m"

    refusal = await world.put_refused({**item, "values": [number(1, kilo["id"])]})
    assert refusal.details["parameter"] == "entries[0].values[0].unit_id"
    assert f"needs an active unit of {length['name']} (such as: ft, m), not kg;" in refusal.message
    await world.ada.call("DeleteUnit", unit_id=metre["id"])
    refusal = await world.put_refused(item)
    assert (refusal.details["parameter"], refusal.details["constraint"]) == (
        "entries[0].values[0].unit_id",
        "unit_type",
    )


async def test_entries_of_a_hidden_project_are_as_if_they_were_not(world: EntryWorld) -> None:
    quantity = await world.parameter_type()
    hidden = (await world.parameter(await world.project(confidential=True), quantity["id"]))["id"]
    secret = await world.put(world.item(parameter_id=hidden))
    assert (await world.bob.list("ListEntries", parameter_id=[hidden]))["entries"] == []
    assert (await world.bob.list("ListEntries", page_limit=5))["summary"]["estimate_count"] == 0
    for method, fields in (("DeleteEntry", {}), ("ListRevisions", {}), ("ListRevisions", {"show_deleted": True})):
        refuse = world.bob.open_refused if method == "ListRevisions" else world.bob.refused
        real, fake = [await refuse(method, entry_id=id_, **fields) for id_ in (secret["entry_id"], NOBODY)]
        assert real == fake
    refusal = await world.bob.refused("PutEntries", entries=[world.item(parameter_id=hidden)])
    assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", "entries[0].parameter_id")
    update = {"revision_id": secret["revision_id"], "status": CHECKED}
    refusal = await world.bob.refused("UpdateRevisions", revisions=[update])
    assert refusal.details["constraint"] == "unknown"
    refusal = await world.bob.refused("PutEntries", entries=[world.item(entry_id=secret["entry_id"])])
    assert refusal.reason == "CONFLICT"
    assert (await world.ann.list("ListEntries"))["entries"] == [secret]


async def test_bad_input_names_its_field(world: EntryWorld) -> None:
    good = world.item()
    await check_refusals(
        world.ann,
        [
            ("PutEntries", {"entries": []}, "entries"),
            ("PutEntries", {"entries": [{**good, "entry_id": ""}]}, "entries[0].entry_id"),
            ("PutEntries", {"entries": [{**good, "parameter_id": NOBODY}]}, "entries[0].parameter_id"),
            ("PutEntries", {"entries": [{**good, "source_id": NOBODY}]}, "entries[0].source_id"),
            ("PutEntries", {"entries": [{**good, "values": []}]}, "entries[0].values"),
            ("PutEntries", {"entries": [{**good, "values": [number(1)] * 2}]}, "entries[0].values"),
            ("PutEntries", {"entries": [{**good, "values": [{}]}]}, "entries[0].values[0].value"),
            (
                "PutEntries",
                {"entries": [{**good, "values": [number(float("nan"))]}]},
                "entries[0].values[0].value.double_value",
            ),
            ("PutEntries", {"entries": [{**good, "comment": "x" * 10001}]}, "entries[0].comment"),
            ("UpdateRevisions", {"revisions": []}, "revisions"),
            ("UpdateRevisions", {"revisions": [{"revision_id": NOBODY}]}, "revisions[0].status"),
            ("UpdateRevisions", {"revisions": [{"revision_id": NOBODY, "status": 9}]}, "revisions[0].status"),
            ("DeleteEntry", {"entry_id": "x"}, "entry_id"),
        ],
    )
    for method, fields in (
        ("ListEntries", {"page_limit": 0}),
        ("ListEntries", {"after": "x"}),
        ("ListEntries", {"parameter_id": ["x"]}),
        ("ListRevisions", {"entry_id": "x"}),
    ):
        assert (await world.ann.open_refused(method, **fields)).reason == "VALIDATION_ERROR"


async def test_a_put_costs_the_same_statements_whatever_the_number_of_entries(world: EntryWorld) -> None:
    items = [world.item(1, parameter_id=await world.new_parameter()) for _ in range(6)]
    await world.ann.call("PutEntries", entries=items[:1])
    for count in (1, 5):
        batch = [{**item, "values": [number(count + 10)]} for item in items[:count]]
        await world.ann.call("PutEntries", entries=batch)
        batch = [{**item, "values": [number(count + 20)]} for item in items[:count]]
        with counted_statements() as seen:
            await world.ann.call("PutEntries", entries=batch)
        assert len(seen) == 2, "hold and write, events"


async def test_revisions_and_entries_come_in_pages_when_asked(world: EntryWorld) -> None:
    item = world.item(0)
    for n in range(5):
        await world.put({**item, "values": [number(n)]})
    page = await world.ann.list("ListRevisions", entry_id=item["entry_id"], page_limit=2)
    assert [row["values"][0]["value"] for row in page["revisions"]] == [4, 3]
    page = await world.ann.list("ListRevisions", entry_id=item["entry_id"], page_limit=2, after=page["paging"]["next"])
    assert [row["values"][0]["value"] for row in page["revisions"]] == [2, 1]
    entries = await world.ann.list("ListEntries", page_limit=1, sort_by="updated_at", order=2)
    assert (len(entries["entries"]), entries["summary"]["estimate_count"]) == (1, 1)


@pytest.mark.parametrize(
    ("data_type", "text", "value"),
    [
        (parameter_type_pb2.DATA_TYPE_NUMBER, "20", 20),
        (parameter_type_pb2.DATA_TYPE_NUMBER, "0.25", 0.25),
        (parameter_type_pb2.DATA_TYPE_NUMBER, "-1e-05", -1e-05),
        (parameter_type_pb2.DATA_TYPE_NUMBER, "100000000000000000000", 1e20),
        (parameter_type_pb2.DATA_TYPE_INTEGER, "-9223372036854775808", -(2**63)),
        (parameter_type_pb2.DATA_TYPE_BOOLEAN, "true", True),
        (parameter_type_pb2.DATA_TYPE_BOOLEAN, "False", False),
        (parameter_type_pb2.DATA_TYPE_STRING, "20", "20"),
        (parameter_type_pb2.DATA_TYPE_JSON, "true", "true"),
        (parameter_type_pb2.DATA_TYPE_DATE, "2026-11-22", "2026-11-22"),
    ],
)
async def test_a_text_is_the_number_or_boolean_that_it_writes_where_that_is_asked(
    world: ParameterWorld, data_type: int, text: str, value: Any
) -> None:
    project, source = await world.project(), await world.source()
    kind = await world.parameter_type(data_type)
    written = {"source_id": source["id"], "values": [{"value": {"string_value": text}}]}
    item = {"project_id": project, "parameter_type_id": kind["id"], "entries": [written]}
    answer = await world.ann.call("CreateParameters", parameters=[item], texts_as_values=True)
    entry = answer["parameters"][0]["selected_entry"]
    shown = entry["values"][0]["value"]
    assert (shown, type(shown)) == (value, type(value))
    again = {**written, "entry_id": entry["entry_id"], "parameter_id": answer["parameters"][0]["id"]}
    put = (await world.ann.call("PutEntries", entries=[again], texts_as_values=True))["entries"][0]
    assert put["revision_id"] == entry["revision_id"], "an equal content changes nothing"
    if not isinstance(value, str):
        assert (await world.ann.refused("PutEntries", entries=[again])).details["constraint"] == "data_type"


@pytest.mark.parametrize(
    ("data_type", "text"),
    [
        *(
            (parameter_type_pb2.DATA_TYPE_NUMBER, text)
            for text in ("", " 20", "20 m", "0x10", "1e999", "NaN", "1_000", "٢")
        ),
        *((parameter_type_pb2.DATA_TYPE_INTEGER, text) for text in ("1.5", "9223372036854775808", "9" * 5000, "true")),
        *((parameter_type_pb2.DATA_TYPE_BOOLEAN, text) for text in ("1", "yes", "")),
    ],
)
async def test_a_text_that_writes_no_value_of_the_type_is_refused(
    world: ParameterWorld, data_type: int, text: str
) -> None:
    kind, source = await world.parameter_type(data_type), await world.source()
    written = {"source_id": source["id"], "values": [{"value": {"string_value": text}}]}
    item = {"project_id": await world.project(), "parameter_type_id": kind["id"], "entries": [written]}
    refusal = await world.ann.refused("CreateParameters", parameters=[item], texts_as_values=True)
    assert (refusal.reason, refusal.details["constraint"]) == ("VALIDATION_ERROR", "data_type")
    assert refusal.details["parameter"] == "parameters[0].entries[0].values[0].value"
