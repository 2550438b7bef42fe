"""The demo's sub types, item types and parameter sets, and the QA record of its design review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from catenary_cli.demo import tower
from catenary_core.services.parameter.imports.calls import Calls

Ids = Mapping[str, str]
"""Ids by name."""


async def make_sub_types(calls: Calls, asset_types: Ids) -> None:
    """Make the sub types of the asset types that this demo has made."""
    for name, sub_types in tower.SUB_TYPES.items():
        if name in asset_types:
            items = [{"name": sub_type} for sub_type in sub_types]
            fields = {"asset_type_id": asset_types[name], "asset_sub_types": items}
            await calls.call("parameter", "CreateAssetSubTypes", **fields)


async def make_item_types(calls: Calls, asset_types: Ids, parameter_types: Ids) -> dict[tuple[str, str], str]:
    """Make the missing item types; return the ids of all by the names of asset type and parameter type."""
    rows = await calls.all("parameter", "ListItemTypes")
    known = {
        (row["asset_type"]["id"], row["parameter_type"]["id"]): row["id"] for row in rows if not row["asset_sub_type"]
    }
    wanted = {
        (kind, name): (asset_types[kind], parameter_types[name]) for kind, name in sorted(set(tower.item_types()))
    }
    new = [
        {"asset_type_id": asset_type_id, "parameter_type_id": parameter_type_id}
        for asset_type_id, parameter_type_id in wanted.values()
        if (asset_type_id, parameter_type_id) not in known
    ]
    if new:
        made = (await calls.call("parameter", "CreateItemTypes", item_types=new))["item_types"]
        known |= {(row["asset_type"]["id"], row["parameter_type"]["id"]): row["id"] for row in made}
    return {names: known[ids] for names, ids in wanted.items()}


async def make_sets(calls: Calls, project_id: str, item_types: Mapping[tuple[str, str], str]) -> None:
    """Make the parameter sets of the ground floor, with their category and types."""
    category = await calls.call("parameter", "CreateParameterSetCategory", name=tower.SET_CATEGORY)
    assets = _by_path(await calls.all("parameter", "ListAssets", project_id=[project_id]))
    for name, (kind, parameter_types) in tower.SET_TYPES.items():
        made = await calls.call(
            "parameter",
            "CreateParameterSetType",
            name=name,
            parameter_set_category_id=category["parameter_set_category"]["id"],
            item_type_ids=[item_types[kind, parameter_type] for parameter_type in parameter_types],
        )
        for path in tower.paths_of_sets(kind):
            await calls.call(
                "parameter",
                "CreateParameterSet",
                name=f"{name}: {path.removeprefix('Harbour Tower/')}",
                parameter_set_type_id=made["parameter_set_type"]["id"],
                project_id=project_id,
                asset_id=assets[path],
            )


async def record_review(calls: Calls, project_id: str, root_url: str) -> None:
    """Write the QA record of a design review of the whole project."""
    types = {row["name"]: row["id"] for row in await calls.streamed("qa", "ListRecordTypes")}
    record = {
        "type_id": types["Review"],
        "reference_id": project_id,
        "reference_table": "project",
        "reference_url": f"{root_url}environment/v2/projects/{project_id}",
    }
    await calls.call("qa", "CreateRecords", records=[record])


def _by_path(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Map the path of each asset, names from the root with slashes between them, to its id."""
    by_id = {row["id"]: row for row in rows}

    def path(row: Mapping[str, Any]) -> str:
        return row["name"] if row["parent"] is None else f"{path(by_id[row['parent']])}/{row['name']}"

    return {path(row): row["id"] for row in rows}
