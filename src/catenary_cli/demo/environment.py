"""The demo's environment project with its tower, made in one transaction through the services and the import."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import uuid_utils

from catenary_cli.demo import tower
from catenary_cli.installation.prepared import Prepared, dispatch_of, open_database

if TYPE_CHECKING:
    from catenary_core.services.parameter.imports.calls import Calls

Rows = Sequence[dict[str, Any]]


class DemoDataError(ValueError):
    """The demo's data conflict with the data in the database."""


async def make(ready: Prepared, client_id: str, root_url: str) -> str:
    """Make the project and all its data as a client; return the project's id.

    Types, tags and sources that exist under their names are reused.

    Args:
        ready: The prepared installation.
        client_id: The client that makes the data.
        root_url: Address of the edge without a version, ending in `/`; the links of tags point there.

    Raises:
        DemoDataError: The client is disabled, or the data conflict with the data in the database.
    """
    # Imported in a thread: it takes a second, in which the loop must watch the database.
    await asyncio.to_thread(importlib.import_module, "catenary_core.bootstrap_data")
    from catenary_cli.demo import sets
    from catenary_core.services.identity.clients import creation
    from catenary_core.services.parameter.imports.calls import Calls, RefusedError
    from catenary_core.services.parameter.imports.faults import Faults

    async with open_database(ready.dsn) as database, database.as_one() as unit:
        tx = await unit.begin()
        caller = await creation.identity_of(tx, client_id)
        if caller is None:
            raise DemoDataError("the demo's client is disabled or deleted")
        calls = Calls(await dispatch_of(ready, database, caller), tx, Faults())
        try:
            project = (await calls.call("environment", "CreateProject", **tower.PROJECT))["project"]
            new_asset_types = await _make_types(calls)
            await sets.make_sub_types(calls, new_asset_types)
            await _make_sources(calls)
            rows = [row | {"id": str(uuid_utils.uuid7())} for row in tower.parameters()]
            await _import(calls, "assets", list(tower.assets()))
            await _import(calls, "parameters", list(map(tower.first_estimate, rows)))
            await _import(calls, "entries", [_as_entry(row) for row in rows if tower.is_revised(row)])
            await _set_qa_states(calls, project["project_id"], rows)
            await _tag(calls, project["project_id"], rows, root_url)
            asset_types = await _named(calls, "parameter", "AssetTypes")
            parameter_types = await _named(calls, "parameter", "ParameterTypes")
            item_types = await sets.make_item_types(calls, asset_types, parameter_types)
            await sets.make_sets(calls, project["project_id"], item_types)
            await sets.record_review(calls, project["project_id"], root_url)
        except RefusedError as error:
            raise DemoDataError(str(error)) from None
    return str(project["project_id"])


async def _import(calls: Calls, kind: str, rows: Rows) -> None:
    from catenary_core.services.parameter.imports.faults import Row
    from catenary_core.services.parameter.imports.writing import Writer

    items = [Row(0, f"{kind}[{index}]", cells) for index, cells in enumerate(rows)]
    await Writer(calls).write(kind, items, lambda _: None)
    if calls.faults:
        raise DemoDataError(str(calls.faults.found[0]))


def _as_entry(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry row that gives the parameter of a row its value."""
    return {"parameter_id": row["id"], **{name: row[name] for name in ("value", "unit", "source")}}


async def _make_types(calls: Calls) -> dict[str, str]:
    """Make the missing types; return the ids of the new asset types by name."""
    groups = await _named(calls, "parameter", "AssetTypeGroups")
    if tower.GROUP not in groups:
        made = await calls.call("parameter", "CreateAssetTypeGroups", asset_type_groups=[{"name": tower.GROUP}])
        groups[tower.GROUP] = made["asset_type_groups"][0]["id"]
    types, new_types = await _named(calls, "parameter", "AssetTypes"), {}
    for name, above in tower.ASSET_TYPES.items():
        if name not in types:
            item = {
                "name": name,
                "asset_type_group_id": groups[tower.GROUP],
                "asset_sub_type": name in tower.SUB_TYPES,
            }
            if above is not None:
                item["parent_id"] = types[above]
            made = await calls.call("parameter", "CreateAssetTypes", asset_types=[item])
            types[name] = new_types[name] = made["asset_types"][0]["id"]
    known = await _named(calls, "parameter", "ParameterTypes")
    unit_types = await _named(calls, "parameter", "UnitTypes")
    units = {(row["unit_type_id"], row["symbol"]): row["id"] for row in await calls.all("parameter", "ListUnits")}
    new = []
    for name, (data_type, unit_type, symbol) in tower.PARAMETER_TYPES.items():
        item = {"name": name, "data_type": f"DATA_TYPE_{data_type.upper()}"}
        if unit_type:
            item["unit_type_id"] = _catalogue_id(unit_types, unit_type)
            item["default_unit_id"] = _catalogue_id(units, (item["unit_type_id"], symbol))
        if name not in known:
            new.append(item)
    if new:
        await calls.call("parameter", "CreateParameterTypes", parameter_types=new)
    return new_types


async def _make_sources(calls: Calls) -> None:
    kinds = {row["name"]: row["id"] for row in await calls.streamed("reference", "ListSourceTypes")}
    known = {row["title"] for row in await calls.streamed("reference", "ListSources", title=list(tower.SOURCES))}
    for title, (kind, reference, year) in tower.SOURCES.items():
        if title not in known:
            fields = {
                "title": title,
                "source_type_id": _catalogue_id(kinds, kind),
                "reference": reference,
                "date_year": year,
            }
            await calls.call("reference", "CreateSource", **fields)


async def _set_qa_states(calls: Calls, project_id: str, rows: Rows) -> None:
    """Give every value its QA state."""
    made = {row["id"]: row for row in await calls.all("parameter", "ListParameters", project_id=[project_id])}
    updates = []
    for index, row in enumerate(rows):
        status, comment = tower.qa_state(index, row["parameter_type"])
        entry = made[row["id"]]["selected_entry"]
        if entry is not None and status != entry["status"]:
            update = {"revision_id": entry["revision_id"], "status": f"REVISION_STATUS_{status.upper()}"}
            updates.append(update if comment is None else update | {"comment": comment})
    await calls.call("parameter", "UpdateRevisions", revisions=updates)


async def _tag(calls: Calls, project_id: str, rows: Rows, root_url: str) -> None:
    """Give every parameter its tags."""
    tags = {row["name"]: row["id"] for row in await calls.all("metadata", "ListTags", tag_scope=[""])}
    types = await _named(calls, "metadata", "TagTypes")
    for type_name, custom in ((tower.DISCIPLINE, False), (tower.PACKAGE, True)):
        if type_name not in types:
            made = await calls.call("metadata", "CreateTagType", name=type_name, allow_custom=custom)
            types[type_name] = made["tag_type"]["id"]
    new: list[tuple[str, dict[str, str]]] = [(name, {}) for name in tower.DISCIPLINES if name not in tags]
    for name, scope in [*new, *((name, {"tag_scope": project_id}) for name in tower.PACKAGES)]:
        type_id = types[tower.PACKAGE if scope else tower.DISCIPLINE]
        tags[name] = (await calls.call("metadata", "CreateTag", name=name, tag_type_id=type_id, **scope))["tag"]["id"]
    links = [
        {
            "tag_id": tags[name],
            "reference_id": row["id"],
            "reference_table": "parameter",
            "reference_url": f"{root_url}parameter/v1/parameters/{row['id']}",
        }
        for row in rows
        for name in tower.tags(row)
    ]
    await calls.call("metadata", "PutTagLinks", tag_links=links)


async def _named(calls: Calls, service: str, rows: str) -> dict[str, str]:
    """Map the name of each active row of a list to its id."""
    return {row["name"]: row["id"] for row in await calls.all(service, f"List{rows}")}


def _catalogue_id(ids: Mapping[Any, str], name: Any) -> str:
    """Return the id of a catalogue row.

    Raises:
        DemoDataError: A user deleted or renamed the row.
    """
    if name not in ids:
        what = name if isinstance(name, str) else name[-1]
        raise DemoDataError(f"{what} of the catalogues is deleted or has another name")
    return ids[name]
