"""Giving parameters their values, for PUT /entries and POST /parameters.

See guide/conventions.md, "Values and revisions".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import orjson
import uuid_utils

from catenary.parameter.v1 import entry_service_pb2
from catenary.parameter.v1.entry_shapes import Entry
from catenary.parameter.v1.parameter_type_shapes import ParameterType
from catenary_core.access import rights
from catenary_core.access.visibility import viewer
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, conflict, invalid
from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.resources.resource import unknown
from catenary_core.services.parameter import messages
from catenary_core.services.parameter.entries import queries, values
from catenary_core.services.parameter.types.known_types import KnownTypes, TypeSnapshot
from catenary_wire.sentences import Argument, Fields


@dataclass(frozen=True, slots=True)
class NewContent:
    """The content that a request gives to one parameter."""

    path: str
    """JSON path of the entry in the request, with a final dot, for errors."""
    parameter_id: str
    entry_id: str | None
    """The entry to create or revise; None: a new entry gets an id."""
    source_id: str
    value: entry_service_pb2.NewEntryValue
    comment: str | None
    location: str | None
    """Location in the source, such as a page."""


async def with_texts_read(tx: Transaction, known: KnownTypes, contents: Sequence[NewContent]) -> list[NewContent]:
    """Replace texts by the numbers and booleans that they write, where the parameter's type has such values."""
    rows = await tx.all(queries.TYPES, ids=[content.parameter_id for content in contents])
    types = await known.current(tx)
    data_types = {row["id"]: types.parameter_types[row["parameter_type_id"]]["data_type"] for row in rows}
    return [_with_text_read(content, str(data_types.get(content.parameter_id))) for content in contents]


async def put(tx: Transaction, call: Call, known: KnownTypes, contents: Sequence[NewContent]) -> list[Entry]:
    """Give parameters their content; return the entries in the order of `contents`.

    Each entry that changes writes an event.

    Raises PERMISSION_DENIED: the caller may not give values to a parameter's project.
    Raises VALIDATION_ERROR: a parameter or source isn't active, a value or unit doesn't fit the parameter's type, or an
    entry is given twice. Raises CONFLICT: a parameter would get a second entry, or `entry_id` belongs to another
    parameter.
    """
    _check_named_once(contents)
    items = {content.parameter_id: _item(content) for content in contents}
    results = await _written(tx, call, items)
    await rights.check(tx, call, rights.VALUES, results.values())
    for content in contents:
        if content.parameter_id not in results:
            raise unknown(f"{content.path}parameter_id", content.parameter_id, "parameter")
    types = await known.of_version(tx, results[contents[0].parameter_id]["catalogue_version"])
    for content in contents:
        _check_fit(content, results[content.parameter_id], types)
    for content in contents:
        _check_references(content, items[content.parameter_id], results[content.parameter_id])
    same = [items[id_]["entry_id"] for id_, result in results.items() if not result["changed"]]
    unchanged = dict(zip(same, await queries.ENTRY.read(tx, same), strict=True)) if same else {}
    entries: list[Entry] = []
    events: dict[str, list[Entry]] = {"created": [], "updated": []}
    for content in contents:
        item, result = items[content.parameter_id], results[content.parameter_id]
        if result["changed"]:
            entries.append(messages.new_entry(item, result, types))
            events["created" if result["before_id"] is None else "updated"].append(entries[-1])
        else:
            entries.append(unchanged[item["entry_id"]])
    projects = {items[id_]["entry_id"]: result["project_id"] for id_, result in results.items()}
    for what, changed in events.items():
        await queries.ENTRY.write_events(tx, call, what, changed, projects)
    return entries


def _with_text_read(content: NewContent, data_type: str) -> NewContent:
    if content.value.value.WhichOneof("kind") != "string_value":
        return content
    read = values.of_text(content.value.value.string_value, data_type)
    if read is None:
        return content
    unit_id = content.value.unit_id if content.value.HasField("unit_id") else None
    return replace(content, value=entry_service_pb2.NewEntryValue(value=read, unit_id=unit_id))


async def _written(tx: Transaction, call: Call, items: Mapping[str, Row]) -> dict[str, Row]:
    """Run `queries.PUT`, again for stale parameters; return its rows by parameter.

    The checks of the items follow: an error rolls everything back.
    """
    rows = await tx.all(queries.PUT, items=json_value(list(items.values())), **viewer(call))
    results = {row["parameter_id"]: row for row in rows}
    stale = [items[row["parameter_id"]] for row in rows if row["stale"]]
    if stale:
        again = await tx.all(queries.PUT, items=json_value(stale), **viewer(call))
        results |= {row["parameter_id"]: row for row in again}
    return results


def _check_named_once(contents: Sequence[NewContent]) -> None:
    parameters: set[str] = set()
    entries: set[str] = set()
    for content in contents:
        if content.entry_id in entries:
            raise invalid(
                f"{content.path}entry_id",
                "{field} stands twice; give each entry once.",
                value=content.entry_id,
                constraint="unique",
            )
        if content.entry_id is not None:
            entries.add(content.entry_id)
        if content.parameter_id in parameters:
            raise _second(content, "A parameter has one entry at most, and this one has another entry of this request.")
        parameters.add(content.parameter_id)


def _item(content: NewContent) -> Row:
    """Build one item of `queries.PUT`."""
    return {
        "parameter_id": content.parameter_id,
        "entry_id": content.entry_id or str(uuid_utils.uuid7()),
        "new_id": str(uuid_utils.uuid7()),
        "value_id": str(uuid_utils.uuid7()),
        "value": orjson.dumps(values.plain(content.value.value, f"{content.path}values[0].value")).decode(),
        "unit_id": content.value.unit_id if content.value.HasField("unit_id") else None,
        "source_id": content.source_id,
        "comment": content.comment,
        "location": content.location,
    }


def _check_fit(content: NewContent, result: Row, types: TypeSnapshot) -> None:
    """Refuse a second entry of the parameter, and a value or unit that its type doesn't take."""
    if result["held_entry_id"] is not None and content.entry_id != result["held_entry_id"]:
        raise _second(
            content,
            "A parameter has one entry at most, and this one has an entry already; send its {entry_id} to revise it.",
            entry_id=Fields("entry_id"),
        )
    parameter_type = types.parameter_types[result["parameter_type_id"]]
    field = f"{content.path}values[0]."
    value = values.plain(content.value.value, f"{field}value")
    data_type = str(parameter_type["data_type"])  # every type has one
    if not values.fits(value, data_type):
        raise values.misfit(f"{field}value", value, data_type)
    if not types.fitting_unit(parameter_type, result["unit_id"]):
        raise _misfitting_unit(f"{field}unit_id", result["unit_id"], parameter_type, types)


def _check_references(content: NewContent, item: Row, result: Row) -> None:
    if result["before_id"] is None and not result["changed"]:
        raise conflict(
            f"{content.path}entry_id",
            "{field} is that of another entry; give one that is unused.",
            value=item["entry_id"],
        )
    if result["source"] is None or result["source"]["deleted_at"] is not None:
        raise unknown(f"{content.path}source_id", content.source_id, "source")


def _misfitting_unit(
    field: str, unit_id: str | None, parameter_type: ParameterType, types: TypeSnapshot
) -> DomainError:
    unit_type = parameter_type["unit_type"]
    if unit_type is None:
        return invalid(
            field, "The parameter's type has no unit; leave {field} out.", value=unit_id, constraint="unit_type"
        )
    given = types.units.get(unit_id or "")
    return invalid(
        field,
        "The parameter's type needs an active unit of {unit_type} (such as: {some}){given}; give the id of one.",
        value=unit_id,
        constraint="unit_type",
        unit_type=unit_type["name"],
        some=", ".join(unit["symbol"] for unit in parameter_type["units"][:10]) or "none yet",
        given="" if given is None else f", not {given['symbol']}",
    )


def _second(content: NewContent, template: str, **arguments: Argument) -> DomainError:
    return conflict(
        f"{content.path}entry_id",
        template,
        value=content.entry_id,
        constraint="one_entry",
        **arguments,
    )
