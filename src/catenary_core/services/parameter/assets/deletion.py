"""Deletion of assets, parameters and entries, with the rows that belong to them.

See guide/conventions.md, "Deleted rows".
"""

from __future__ import annotations

from collections.abc import Sequence

from catenary.parameter.v1 import parameter_service_pb2
from catenary.parameter.v1.asset_shapes import Asset
from catenary.parameter.v1.entry_shapes import Entry
from catenary.parameter.v1.parameter_shapes import Parameter
from catenary_core.access import rights
from catenary_core.access.visibility import viewer
from catenary_core.call import preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import not_found
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.services.parameter import messages
from catenary_core.services.parameter.assets import deletion_queries as queries
from catenary_core.services.parameter.assets import queries as asset_queries
from catenary_core.services.parameter.entries import queries as entry_queries
from catenary_core.services.parameter.parameters import queries as parameter_queries
from catenary_core.services.parameter.types.known_types import KnownTypes

_PARAMETER = resource_path(parameter_service_pb2, "GetParameter")


async def delete_asset(tx: Transaction, call: Call, known: KnownTypes, asset_id: str) -> Asset:
    """Delete an asset, the assets below it, and all their parameters and entries; return the asset.

    The caller has locked the project's asset tree.

    Raises NOT_FOUND: no such active asset for this caller.
    """
    if call.condition is not None:
        await asset_queries.ASSET.lock_target(tx, call, asset_id, **viewer(call))
    deleted = await tx.all(asset_queries.DELETE_BELOW, id=asset_id, **viewer(call))
    if not deleted:
        raise not_found("asset")
    asset_ids = [row["id"] for row in deleted]
    assets = await asset_queries.ASSET.read(
        tx, [asset_id, *(id_ for id_ in asset_ids if id_ != asset_id)], **viewer(call)
    )
    await asset_queries.ASSET.write_events(tx, call, "deleted", assets)
    await _delete_with_entries(tx, call, known, await tx.all(queries.OF_ASSETS, asset_ids=asset_ids))
    return assets[0]


async def delete_parameter(tx: Transaction, call: Call, known: KnownTypes, parameter_id: str) -> Parameter:
    """Delete a parameter and its entry; return the parameter.

    Raises NOT_FOUND: no such active parameter for this caller. Raises PERMISSION_DENIED: the caller may not write its
    project.
    """
    if call.condition is not None:
        await hold_parameter(tx, call, known, parameter_id)
    deleted = await tx.all(queries.PARAMETER, id=parameter_id, **viewer(call))
    if not deleted:
        raise not_found("parameter")
    await rights.check(tx, call, rights.CONTENT, deleted)
    (parameter,) = await _delete_with_entries(tx, call, known, deleted)
    return parameter


async def delete_entry(tx: Transaction, call: Call, entry_id: str) -> Entry:
    """Delete an entry, which leaves its parameter without one; return the entry.

    Raises NOT_FOUND: no such active entry for this caller. Raises PERMISSION_DENIED: the caller may not write its project.
    """
    row = await tx.one_or_none(queries.HOLD_ENTRY, entry_id=entry_id, **viewer(call))
    if row is None:
        raise not_found("entry")
    await rights.check(tx, call, rights.CONTENT, [row])
    if call.condition is not None:
        (before,) = await entry_queries.ENTRY.read(tx, [entry_id])
        preconditions.check(call, before)
    await tx.execute(queries.TAKE_ENTRY, id=row["id"])
    (entry,) = await _delete_entries(tx, call, [entry_id])
    return entry


async def hold_parameter(tx: Transaction, call: Call, known: KnownTypes, parameter_id: str) -> None:
    """Lock an active parameter and compare it with If-Match.

    Raises NOT_FOUND: no such active parameter for this caller. Raises PERMISSION_DENIED: the caller may not write its
    project. Raises PRECONDITION_FAILED: the parameter differs from If-Match.
    """
    held = await tx.one_or_none(parameter_queries.HOLD, id=parameter_id, **viewer(call))
    if held is None:
        raise not_found("parameter")
    await rights.check(tx, call, rights.CONTENT, [held])
    if call.condition is not None:
        (row,) = await tx.all(parameter_queries.READ, ids=[parameter_id])
        preconditions.check(call, messages.parameter(row, await known.of_version(tx, row["catalogue_version"])))


async def _delete_with_entries(
    tx: Transaction, call: Call, known: KnownTypes, deleted: Sequence[Row]
) -> list[Parameter]:
    """Delete the entries of deleted parameters, with all events; return the parameters' messages."""
    if not deleted:
        return []
    await _delete_entries(tx, call, [row["entry_id"] for row in deleted if row["entry_id"] is not None])
    rows = await tx.all(parameter_queries.READ, ids=[row["id"] for row in deleted])
    types = await known.of_version(tx, rows[0]["catalogue_version"])
    made = [messages.parameter(row, types) for row in rows]
    await note_parameters(tx, call, "deleted", made)
    return made


async def _delete_entries(tx: Transaction, call: Call, entry_ids: list[str]) -> list[Entry]:
    projects = {row["entry_id"]: row["project_id"] for row in await tx.all(queries.ENTRIES, ids=entry_ids)}
    entries = await entry_queries.ENTRY.read(tx, entry_ids)
    await entry_queries.ENTRY.write_events(tx, call, "deleted", entries, projects)
    return entries


async def note_parameters(tx: Transaction, call: Call, what: str, parameters: Sequence[Parameter]) -> None:
    """Write the event `parameter.parameter.<what>` of each parameter, without the creators of parameter and entry."""
    changes = []
    for parameter in parameters:
        shown = {key: value for key, value in parameter.items() if key != "created_by"}
        entry = parameter["selected_entry"]
        if entry is not None:
            shown["selected_entry"] = {key: value for key, value in entry.items() if key != "created_by"}
        subject = _PARAMETER.format(parameter["id"])
        changes.append(events.Change(subject, {"parameter": shown}, parameter["project_id"]))
    await events.write_all(tx, call, f"parameter.parameter.{what}", changes)
