"""Giving parameters their values, for PUT /entries and POST /parameters.

See guide/conventions.md, "Values and revisions".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson
import uuid_utils

from catenary.parameter.v1 import entry_service_pb2, parameter_service_pb2
from catenary.parameter.v1.entry_shapes import Entry
from catenary.parameter.v1.parameter_type_shapes import ParameterType
from catenary_core.access import rights
from catenary_core.access.visibility import viewer
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, conflict, invalid
from catenary_core.call.item_faults import ItemFaults
from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.resources.resource import unknown
from catenary_core.services.parameter import messages
from catenary_core.services.parameter.entries import queries, values
from catenary_core.services.parameter.types.known_types import KnownTypes, TypeSnapshot
from catenary_wire.sentences import Argument, Fields

GivenEntry = entry_service_pb2.PutEntry | parameter_service_pb2.NewEntry
"""An entry of a request."""


@dataclass(frozen=True, slots=True)
class NewContent:
    """The content that a request gives to one parameter."""

    index: int
    """Place of the item in the request."""
    path: str
    """JSON path of the entry in the request, with a final dot, for errors."""
    parameter_id: str
    """Empty until POST /parameters knows it."""
    entry_id: str | None
    """The entry to create or revise; None: a new entry gets an id."""
    source_id: str
    value: Any
    """The plain value."""
    unit_id: str | None
    comment: str | None
    location: str | None
    """Location in the source, such as a page."""


def read_contents(given: Iterable[tuple[int, str, str, GivenEntry]]) -> list[NewContent]:
    """Return the contents of a request's entries.

    `given`: the place of each item, the entry's JSON path with a final dot, the parameter's id and the entry.

    Raises VALIDATION_ERROR: the JSON text of a value isn't acceptable.
    """
    found, faults = [], ItemFaults()
    for index, path, parameter_id, entry in given:
        with faults.of(index):
            found.append(
                NewContent(
                    index=index,
                    path=path,
                    parameter_id=parameter_id,
                    entry_id=entry.entry_id or None,
                    source_id=entry.source_id,
                    value=values.plain(entry.values[0].value, f"{path}values[0].value"),
                    unit_id=entry.values[0].unit_id if entry.values[0].HasField("unit_id") else None,
                    comment=entry.comment if entry.HasField("comment") else None,
                    location=entry.location_in_source if entry.HasField("location_in_source") else None,
                )
            )
    faults.refuse()
    return found


async def with_texts_read(tx: Transaction, known: KnownTypes, contents: Sequence[NewContent]) -> list[NewContent]:
    """Replace texts by the numbers and booleans that they write, where the parameter's type has such values."""
    rows = await tx.all(queries.TYPES, ids=[content.parameter_id for content in contents])
    types = await known.current(tx)
    type_of = {row["id"]: types.parameter_types[row["parameter_type_id"]] for row in rows}
    return [with_text_read(content, type_of.get(content.parameter_id)) for content in contents]


def with_text_read(content: NewContent, parameter_type: ParameterType | None) -> NewContent:
    """Replace a text by the number or boolean that it writes, if the type has such values."""
    if parameter_type is None or not isinstance(content.value, str):
        return content
    read = values.of_text(content.value, str(parameter_type["data_type"]))
    return content if read is None else replace(content, value=values.plain(read, content.path))


async def put(
    tx: Transaction, call: Call, known: KnownTypes, contents: Sequence[NewContent], faults: ItemFaults
) -> list[Entry]:
    """Give parameters their content; return the entries in the order of `contents`.

    Each entry that changes writes an event. `faults` may have faults of the same request.

    Raises PERMISSION_DENIED: the caller may not give values to a parameter's project.
    Raises VALIDATION_ERROR: a parameter or source isn't active, a value or unit doesn't fit the parameter's type, or an
    entry is given twice. Raises CONFLICT: a parameter would get a second entry, or `entry_id` belongs to another
    parameter.
    """
    check_named_once(contents, faults)
    items = _items(contents)
    results = await _written(tx, call, items)
    await rights.check(tx, call, rights.VALUES, results.values())
    types = await known.of_version(tx, max((row["catalogue_version"] for row in results.values()), default=0))
    sources = await _active_sources(tx, call, contents, items, results)
    written: set[str] = set()
    for content in contents:
        result = results.get(content.parameter_id)
        if result is None:
            with faults.of(content.index):
                raise unknown(f"{content.path}parameter_id", content.parameter_id, "parameter")
        else:
            check_value(content, types.parameter_types[result["parameter_type_id"]], types, faults)
            with faults.of(content.index):
                _check_entry(content, result, second=content.parameter_id in written)
            written.add(content.parameter_id)
        check_source(content, sources, faults)
    faults.refuse()

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


def check_named_once(contents: Iterable[NewContent], faults: ItemFaults) -> None:
    """Record a fault for each entry that an earlier content names already."""
    before: set[str] = set()
    for content in contents:
        with faults.of(content.index):
            if content.entry_id in before:
                raise invalid(
                    f"{content.path}entry_id",
                    "{field} stands twice; give each entry once.",
                    value=content.entry_id,
                    constraint="unique",
                )
        if content.entry_id is not None:
            before.add(content.entry_id)


def check_value(content: NewContent, parameter_type: ParameterType, types: TypeSnapshot, faults: ItemFaults) -> None:
    """Record the faults of a value and a unit that the parameter's type doesn't take."""
    data_type = str(parameter_type["data_type"])  # every type has one
    with faults.of(content.index):
        if not values.fits(content.value, data_type):
            raise values.misfit(f"{content.path}values[0].value", content.value, data_type)
    default = parameter_type["default_unit"]
    unit_id = content.unit_id or (default["id"] if default is not None else None)
    with faults.of(content.index):
        if not types.fitting_unit(parameter_type, unit_id):
            raise _misfitting_unit(f"{content.path}values[0].unit_id", unit_id, parameter_type, types)


def check_source(content: NewContent, active: Collection[str], faults: ItemFaults) -> None:
    """Record a fault for a source that isn't among the active ones."""
    with faults.of(content.index):
        if content.source_id not in active:
            raise unknown(f"{content.path}source_id", content.source_id, "source")


def _items(contents: Iterable[NewContent]) -> dict[str, Row]:
    """Return the items of `queries.PUT` by parameter.

    A request that names a parameter or an entry twice is refused after the statement, which takes each once: the first
    item of a parameter, and another id for the entry.
    """
    items: dict[str, Row] = {}
    entry_ids: set[str | None] = {None}
    for content in contents:
        if content.parameter_id not in items:
            entry_id = str(uuid_utils.uuid7()) if content.entry_id in entry_ids else content.entry_id
            entry_ids.add(entry_id)
            items[content.parameter_id] = _item(content, entry_id)
    return items


def _item(content: NewContent, entry_id: str | None) -> Row:
    """Build one item of `queries.PUT`."""
    return {
        "parameter_id": content.parameter_id,
        "entry_id": entry_id,
        "new_id": str(uuid_utils.uuid7()),
        "value_id": str(uuid_utils.uuid7()),
        "value": orjson.dumps(content.value).decode(),
        "unit_id": content.unit_id,
        "source_id": content.source_id,
        "comment": content.comment,
        "location": content.location,
    }


async def _active_sources(
    tx: Transaction, call: Call, contents: Iterable[NewContent], items: Mapping[str, Row], results: Mapping[str, Row]
) -> set[str]:
    """Return the active sources among those of the contents that the caller may see.

    The results tell of the sources of written items. Others are of a request that is refused, so it alone has a further
    statement.
    """
    told = {items[id_]["source_id"]: row["source"] for id_, row in results.items()}
    active = {id_ for id_, source in told.items() if source is not None and source["deleted_at"] is None}
    if untold := {content.source_id for content in contents} - told.keys():
        active |= {row["id"] for row in await tx.all(queries.ACTIVE_SOURCES, ids=sorted(untold), **viewer(call))}
    return active


def _check_entry(content: NewContent, result: Row, *, second: bool) -> None:
    """Refuse a second entry of a parameter, and the id of another entry.

    Raises CONFLICT: the parameter has another entry, or gets one by an earlier item (`second`), or the id is taken.
    """
    if second:
        raise _second(
            content, "{field}: a parameter has one entry at most, and this one has another entry of this request."
        )
    if result["held_entry_id"] is not None and content.entry_id != result["held_entry_id"]:
        raise _second(
            content,
            "{field}: a parameter has one entry at most, and this one has an entry already; send its {entry_id} to "
            "revise it.",
            entry_id=Fields("entry_id"),
        )
    if result["before_id"] is None and not result["changed"]:
        raise conflict(
            f"{content.path}entry_id",
            "{field} is that of another entry; give one that is unused.",
            value=content.entry_id,
        )


def _misfitting_unit(
    field: str, unit_id: str | None, parameter_type: ParameterType, types: TypeSnapshot
) -> DomainError:
    unit_type = parameter_type["unit_type"]
    if unit_type is None:
        return invalid(
            field, "The parameter's type has no unit; leave {field} out.", value=unit_id, constraint="unit_type"
        )
    # A deleted unit is refused in the same words as an unknown id.
    given = types.units[unit_id] if unit_id in types.active_units else None
    return invalid(
        field,
        "{field}: the parameter's type needs an active unit of {unit_type} (such as: {some}){given}; give the id of one.",
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
