"""Giving parameters their values: the one way for PUT /entries and POST /parameters (contract, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import uuid_utils

from catenary.parameter.v1 import entry_service_pb2
from catenary_core.call import Call
from catenary_core.data_rows import unknown
from catenary_core.db import Row, Transaction
from catenary_core.errors import DomainError, invalid
from catenary_core.services.parameter import entry_queries as queries
from catenary_core.services.parameter import values
from catenary_core.services.parameter.known_types import KnownTypes, Types
from catenary_core.visibility import viewer


@dataclass(frozen=True, slots=True)
class NewContent:
    """What an entry is to hold; `path` is its JSON path in the request. Without an `entry_id` a new entry gets one."""

    path: str
    parameter_id: str
    entry_id: str | None
    source_id: str
    value: entry_service_pb2.NewEntryValue
    comment: str | None
    location: str | None


async def put(tx: Transaction, call: Call, known: KnownTypes, contents: Sequence[NewContent]) -> list[Row]:
    """The entries with their new content, in the order of `contents`; with the events of those that changed.

    VALIDATION_ERROR for a parameter or source that isn't active, and for a value that doesn't fit; CONFLICT for a second entry of
    a parameter and an id of another entry.
    """
    held = await _held(tx, call, contents)
    types = await known.of_version(tx, next(iter(held.values()))["catalogue_version"])
    rows = [_row(content, held[content.parameter_id], types) for content in contents]
    columns = {f"{name}s": [row[name] for row in rows] for name in rows[0]}
    results = {row["entry_id"]: row for row in await tx.all(queries.PUT, **columns, created_by=call.caller.user_id)}
    for content, row in zip(contents, rows, strict=True):
        result = results[row["entry_id"]]
        if result["taken"]:
            raise _taken(f"{content.path}entry_id", row["entry_id"])
        if not result["source_known"]:
            raise unknown(f"{content.path}source_id", content.source_id, "source")
    messages = await queries.ENTRY.read(tx, [row["entry_id"] for row in rows])
    changed = [
        (row["before_id"] is None, message)
        for row, message in zip(rows, messages, strict=True)
        if results[row["entry_id"]]["changed"]
    ]
    projects = {row["entry_id"]: held[row["parameter_id"]]["project_id"] for row in rows}
    await queries.ENTRY.note(tx, call, "created", [message for new, message in changed if new], projects)
    await queries.ENTRY.note(tx, call, "updated", [message for new, message in changed if not new], projects)
    return messages


async def _held(tx: Transaction, call: Call, contents: Sequence[NewContent]) -> dict[str, Row]:
    """The parameters, held against other writers."""
    given: dict[str, NewContent] = {}
    entries: set[str] = set()
    for content in contents:
        if content.entry_id in entries:
            raise invalid(
                f"{content.path}entry_id",
                "entry_id stands twice; give each entry once.",
                value=content.entry_id,
                constraint="unique",
            )
        if content.entry_id is not None:
            entries.add(content.entry_id)
        if content.parameter_id in given:
            raise _second(content, "another entry of this request")
        given[content.parameter_id] = content
    rows = await tx.all(queries.HOLD, ids=list(given), **viewer(call))
    held = {row["id"]: row for row in rows}
    for parameter_id, content in given.items():
        if parameter_id not in held:
            raise unknown(f"{content.path}parameter_id", parameter_id, "parameter")
    return held


def _row(content: NewContent, held: Row, types: Types) -> dict[str, Any]:
    """The item of `queries.PUT`."""
    if held["entry_id"] is not None and content.entry_id != held["entry_id"]:
        raise _second(content, "an entry already; send its entry_id to revise it")
    parameter_type = types.parameter_types[held["parameter_type_id"]]
    unit_id = content.value.unit_id if content.value.HasField("unit_id") else None
    field = f"{content.path}values[0]."
    value = values.plain(content.value.value, f"{field}value")
    if not values.fits(value, parameter_type["data_type"]):
        raise values.misfit(f"{field}value", value, parameter_type["data_type"])
    if not types.fitting_unit(parameter_type, unit_id):
        raise _misfitting_unit(f"{field}unit_id", unit_id, parameter_type)
    return {
        "parameter_id": content.parameter_id,
        "entry_id": content.entry_id or str(uuid_utils.uuid7()),
        "before_id": held["revision_id"],
        "new_id": str(uuid_utils.uuid7()),
        "value_id": str(uuid_utils.uuid7()),
        "content": orjson.dumps(value).decode(),
        "unit_id": unit_id,
        "source_id": content.source_id,
        "comment": content.comment,
        "location": content.location,
    }


def _misfitting_unit(field: str, unit_id: str | None, parameter_type: Row) -> DomainError:
    unit_type = parameter_type["unit_type"]
    if unit_type is None:
        why = "The parameter's type has no unit; leave unit_id out."
    else:
        some = ", ".join(unit["symbol"] for unit in parameter_type["units"][:10]) or "none yet"
        why = f"The parameter's type needs an active unit of {unit_type['name']} (such as: {some}); give the id of one."
    return invalid(field, why, value=unit_id, constraint="unit_type")


def _second(content: NewContent, what: str) -> DomainError:
    return DomainError(
        "CONFLICT",
        f"A parameter has one entry at most, and this one has {what}.",
        details={"parameter": f"{content.path}entry_id", "value": content.entry_id, "constraint": "one_entry"},
    )


def _taken(field: str, entry_id: str) -> DomainError:
    return DomainError(
        "CONFLICT",
        "entry_id is that of another entry; give one that is unused.",
        details={"parameter": field, "value": entry_id, "constraint": "unique"},
    )
