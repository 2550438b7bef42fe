"""Creation of parameters, and giving values to existing ones, for POST /parameters.

See guide/conventions.md, "Values and revisions".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import uuid_utils

from catenary.parameter.v1 import parameter_service_pb2
from catenary.parameter.v1.parameter_shapes import Parameter
from catenary_core.access import rights
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, conflict, invalid
from catenary_core.database.transactions import Transaction
from catenary_core.resources.resource import unknown
from catenary_core.services.parameter import locks, messages
from catenary_core.services.parameter.assets import deletion
from catenary_core.services.parameter.entries import writing
from catenary_core.services.parameter.parameters import queries
from catenary_core.services.parameter.types.known_types import KnownTypes
from catenary_wire.sentences import Fields

Key = tuple[str, str, str]
"""Project id, type id, and parents as sorted ids with commas between them."""


@dataclass(frozen=True, slots=True)
class _Item:
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
    Raises VALIDATION_ERROR: a reference isn't active or visible, or two items name the same parameter. Raises CONFLICT:
    an `id` is taken or not that of the named parameter, or an item without entries names an existing parameter.
    """
    items = [_item(index, new) for index, new in enumerate(request.parameters)]
    await _check_references(tx, call, known, items)
    made = {row["id"] for row in await tx.all(queries.ADD, **_columns(items), created_by=call.caller.user_id)}
    rights.require(call, rights.CONTENT, {item.given.project_id for item in items if item.id in made})
    keys = {name: column for name, column in _columns(items).items() if name != "ids"}
    before = await tx.all(queries.ADDRESSED, **keys)
    addressed = {(row["project_id"], row["parameter_type_id"], row["parent_ids"]): row["id"] for row in before}
    contents = []
    for item in items:
        parameter_id = addressed.get(item.key)
        if parameter_id is None or (item.given.HasField("id") and parameter_id != item.id):
            raise _taken(item)
        if item.given.entries:
            contents.append(_content(item, parameter_id))
        elif parameter_id not in made:
            raise _exists(item)
    if contents:
        if request.texts_as_values:
            contents = await writing.with_texts_read(tx, known, contents)
        await writing.put(tx, call, known, contents)
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


async def _check_references(tx: Transaction, call: Call, known: KnownTypes, items: Sequence[_Item]) -> None:
    """Check that all references are active and visible to the caller; lock the assets so that they stay active.

    Raises PERMISSION_DENIED: the caller may not even give values to a project. Raises VALIDATION_ERROR: a reference isn't
    active or visible, or two items name the same parameter.
    """
    needed = dict.fromkeys((item.given.project_id for item in items), rights.VALUES)
    # An item without an entry gives no value: it makes a parameter.
    needed |= dict.fromkeys((item.given.project_id for item in items if not item.given.entries), rights.CONTENT)
    projects = await rights.writable_projects(tx, call, needed)
    await locks.hold_assets(tx, projects, alone=False)
    parents = {parent_id for item in items for parent_id in item.given.parent_ids}
    rows = await tx.all(queries.PARENT_ASSETS, ids=sorted(parents)) if parents else []
    project_of = {row["id"]: row["project_id"] for row in rows}
    types = await known.current(tx)
    keys: set[Key] = set()
    for item in items:
        new = item.given
        if new.project_id not in projects:
            raise unknown(f"{item.path}project_id", new.project_id, "project")
        parameter_type = types.parameter_types.get(new.parameter_type_id)
        if parameter_type is None or parameter_type["deleted_at"] is not None:
            raise unknown(f"{item.path}parameter_type_id", new.parameter_type_id, "parameter type")
        for index, parent_id in enumerate(new.parent_ids):
            if project_of.get(parent_id) != new.project_id:
                raise unknown(f"{item.path}parent_ids[{index}]", parent_id, "asset of the project")
        if item.key in keys:
            raise invalid(
                f"{item.path}parent_ids",
                "Two items name the same parameter by project, type and parents; give each parameter once.",
                constraint="unique",
            )
        keys.add(item.key)


def _content(item: _Item, parameter_id: str) -> writing.NewContent:
    (entry,) = item.given.entries
    return writing.NewContent(
        path=f"{item.path}entries[0].",
        parameter_id=parameter_id,
        entry_id=entry.entry_id if entry.HasField("entry_id") else None,
        source_id=entry.source_id,
        value=entry.values[0],
        comment=entry.comment if entry.HasField("comment") else None,
        location=entry.location_in_source if entry.HasField("location_in_source") else None,
    )


def _taken(item: _Item) -> DomainError:
    return conflict(
        f"{item.path}id",
        "The id {id} is taken, or is not that of the parameter that project, type and parents name; leave it out.",
        value=item.id,
        id=item.id,
    )


def _exists(item: _Item) -> DomainError:
    return conflict(
        f"{item.path}parent_ids",
        "An active parameter of this project, type and set of parents is there already; give it a value by {entries}.",
        value=None,
        entries=Fields("entries"),
    )
