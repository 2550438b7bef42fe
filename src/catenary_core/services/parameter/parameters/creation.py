"""Creation of parameters, and giving values to existing ones, for POST /parameters.

See guide/conventions.md, "Values and revisions".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import uuid_utils

from catenary.parameter.v1 import parameter_service_pb2
from catenary.parameter.v1.parameter_shapes import Parameter
from catenary_core.access import rights
from catenary_core.access.visibility import viewer
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, conflict, invalid
from catenary_core.call.item_faults import ItemFaults
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.resources.resource import unknown
from catenary_core.services.parameter import locks, messages
from catenary_core.services.parameter.assets import deletion
from catenary_core.services.parameter.entries import writing
from catenary_core.services.parameter.parameters import queries
from catenary_core.services.parameter.types.known_types import KnownTypes, TypeSnapshot
from catenary_wire.sentences import Fields

Key = tuple[str, str, str]
"""Project id, type id, and parents as sorted ids with commas between them."""


@dataclass(frozen=True, slots=True)
class _Item:
    index: int
    path: str
    id: str
    key: Key
    given: parameter_service_pb2.NewParameter


async def make(
    tx: Transaction,
    call: Call,
    known: KnownTypes,
    request: parameter_service_pb2.CreateParametersRequest,
) -> list[Parameter]:
    """Create the parameters that don't exist and give the listed values; return all in the order of the request.

    Raises PERMISSION_DENIED: the caller lacks the role that an item needs in its project.
    Raises VALIDATION_ERROR: a reference isn't active or visible, a value or unit doesn't fit the parameter's type, or two
    items name the same parameter or entry. Raises CONFLICT: an `id` is taken or not that of the named parameter, an item
    without entries names an existing parameter, or `entry_id` is not that of its entry.
    """
    items = [_item(index, new) for index, new in enumerate(request.parameters)]
    contents = {
        content.index: content
        for content in writing.read_contents(
            (item.index, f"{item.path}entries[0].", "", item.given.entries[0]) for item in items if item.given.entries
        )
    }
    types = await known.current(tx)
    if request.texts_as_values:
        for index, content in contents.items():
            parameter_type = types.parameter_types.get(items[index].given.parameter_type_id)
            contents[index] = writing.with_text_read(content, parameter_type)
    faults = ItemFaults()
    await _check_references(tx, call, types, items, contents, faults)
    if faults:  # a missing right is told first
        there = {_key(row) for row in await _addressed(tx, items)}
        rights.require(call, rights.CONTENT, {item.given.project_id for item in items if item.key not in there})
    faults.refuse()
    made = {row["id"] for row in await tx.all(queries.ADD, **_columns(items), created_by=call.caller.user_id)}
    rights.require(call, rights.CONTENT, {item.given.project_id for item in items if item.id in made})
    before = await _addressed(tx, items)
    addressed = {_key(row): row["id"] for row in before}
    valued = []
    for item in items:
        parameter_id = addressed.get(item.key)
        with faults.of(item.index):
            if parameter_id is None or (item.given.HasField("id") and parameter_id != item.id):
                raise _taken(item)
            if item.index in contents:
                valued.append(replace(contents[item.index], parameter_id=parameter_id))
            elif parameter_id not in made:
                raise _exists(item)
    if valued:
        await writing.put(tx, call, known, valued, faults)
    faults.refuse()
    rows = {row["id"]: row for row in await tx.all(queries.READ, ids=list(addressed.values()))}
    types = await known.of_version(tx, next(iter(rows.values()))["catalogue_version"])
    parameters = {id_: messages.parameter(row, types) for id_, row in rows.items()}
    ordered = [parameters[addressed[item.key]] for item in items]
    await deletion.note_parameters(tx, call, "created", [item for item in ordered if item["id"] in made])
    if not made and all(row["entry_id"] is not None for row in before):
        call.reply["catenary-status"] = "200"  # nothing is new
    return ordered


def _item(index: int, new: parameter_service_pb2.NewParameter) -> _Item:
    return _Item(
        index=index,
        path=f"parameters[{index}].",
        id=new.id if new.HasField("id") else str(uuid_utils.uuid7()),
        key=(new.project_id, new.parameter_type_id, ",".join(sorted(new.parent_ids))),
        given=new,
    )


def _columns(items: Sequence[_Item]) -> dict[str, list[str]]:
    return {
        "ids": [item.id for item in items],
        "project_ids": [item.key[0] for item in items],
        "type_ids": [item.key[1] for item in items],
        "parent_ids": [item.key[2] for item in items],
    }


async def _addressed(tx: Transaction, items: Sequence[_Item]) -> list[Row]:
    """Read the active parameters that the items name by project, type and parents."""
    return await tx.all(queries.ADDRESSED, **{name: ids for name, ids in _columns(items).items() if name != "ids"})


def _key(row: Row) -> Key:
    return row["project_id"], row["parameter_type_id"], row["parent_ids"]


async def _check_references(
    tx: Transaction,
    call: Call,
    types: TypeSnapshot,
    items: Sequence[_Item],
    contents: Mapping[int, writing.NewContent],
    faults: ItemFaults,
) -> None:
    """Record the faults of the items; lock the assets that they name, so that they stay active.

    Raises PERMISSION_DENIED: the caller may not even give values to a project.
    """
    needed = dict.fromkeys((item.given.project_id for item in items), rights.VALUES)
    # An item without an entry gives no value: it makes a parameter.
    needed |= dict.fromkeys((item.given.project_id for item in items if not item.given.entries), rights.CONTENT)
    projects = await rights.writable_projects(tx, call, needed)
    await locks.hold_assets(tx, projects, alone=False)
    project_of, sources = await _referred(tx, call, items, contents.values())
    keys: set[Key] = set()
    for item in items:
        new = item.given
        with faults.of(item.index):
            if new.project_id not in projects:
                raise unknown(f"{item.path}project_id", new.project_id, "project")
        parameter_type = types.parameter_types.get(new.parameter_type_id)
        with faults.of(item.index):
            if parameter_type is None or parameter_type["deleted_at"] is not None:
                raise unknown(f"{item.path}parameter_type_id", new.parameter_type_id, "parameter type")
        for index, parent_id in enumerate(new.parent_ids):
            with faults.of(item.index):
                if new.project_id in projects and project_of.get(parent_id) != new.project_id:
                    raise unknown(f"{item.path}parent_ids[{index}]", parent_id, "asset of the project")
        with faults.of(item.index):
            if item.key in keys:
                raise _named_twice(item)
        keys.add(item.key)
        if item.index in contents:
            if parameter_type is not None:
                writing.check_value(contents[item.index], parameter_type, types, faults)
            writing.check_source(contents[item.index], sources, faults)
    writing.check_named_once(contents.values(), faults)


async def _referred(
    tx: Transaction, call: Call, items: Iterable[_Item], contents: Iterable[writing.NewContent]
) -> tuple[dict[str, str], set[str]]:
    """Return the active assets that are named as parents, each with its project, and the active sources."""
    parents = {parent_id for item in items for parent_id in item.given.parent_ids}
    sources = {content.source_id for content in contents}
    if not parents and not sources:
        return {}, set()
    rows = await tx.all(queries.REFERRED, asset_ids=sorted(parents), source_ids=sorted(sources), **viewer(call))
    project_of = {row["id"]: row["project_id"] for row in rows if row["project_id"] is not None}
    return project_of, {row["id"] for row in rows if row["project_id"] is None}


def _named_twice(item: _Item) -> DomainError:
    return invalid(
        f"{item.path}parent_ids",
        "{field}: an earlier item names the same parameter by project, type and parents; give each parameter once.",
        value=list(item.given.parent_ids),
        constraint="unique",
    )


def _taken(item: _Item) -> DomainError:
    return conflict(
        f"{item.path}id",
        "The {field} {id} is taken, or is not that of the parameter that project, type and parents name; leave it out.",
        value=item.id,
        id=item.id,
    )


def _exists(item: _Item) -> DomainError:
    return conflict(
        f"{item.path}parent_ids",
        "{field}: an active parameter of this project, type and set of parents is there already; give it a value by "
        "{entries}.",
        value=list(item.given.parent_ids),
        entries=Fields("entries"),
    )
