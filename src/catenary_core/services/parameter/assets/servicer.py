"""AssetService: the objects of a project that parameters describe, in trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from catenary.parameter.v1 import asset_service_pb2, asset_service_shapes
from catenary.parameter.v1.asset_shapes import AssetTree, HierarchyElement
from catenary_core.access import rights
from catenary_core.access.visibility import viewer
from catenary_core.call import field_masks
from catenary_core.call.call import Call
from catenary_core.call.errors import conflict, not_found
from catenary_core.call.item_faults import ItemFaults
from catenary_core.database.statements import shaped
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.resources.resource import unknown
from catenary_core.services.parameter import filters, locks
from catenary_core.services.parameter.assets import deletion, queries
from catenary_core.services.parameter.assets import rules as asset_rules
from catenary_core.services.parameter.types import rules
from catenary_core.services.parameter.types.known_types import KnownTypes


class AssetServicer:
    """`catenary.parameter.v1.AssetService`."""

    def __init__(self, frame: Frame, known: KnownTypes) -> None:
        self._db = frame.db
        self._known = known

    async def list_assets(
        self, request: asset_service_pb2.ListAssetsRequest, call: Call
    ) -> asset_service_shapes.ListAssetsResponse:
        """List a page of the visible assets that every given filter matches."""
        names = ("asset_id", "project_id", "asset_type_id", "parent_id", "descendants_of", "search")
        given = filters.given(queries.ASSETS, request, names)
        return await pages.page(self._db, queries.ASSETS, request, given, **viewer(call))

    async def create_assets(
        self, request: asset_service_pb2.CreateAssetsRequest, call: Call
    ) -> asset_service_shapes.CreateAssetsResponse:
        """Create assets. An asset's parent may come before it in the same request."""
        items = request.assets
        async with self._db.transaction() as tx:
            needed = dict.fromkeys((item.project_id for item in items), rights.CONTENT)
            projects = await rights.writable_projects(tx, call, needed)
            await locks.hold_assets(tx, projects, alone=request.refuse_equal)
            types, parents = await _types(tx, items), await _parents(tx, call, items)
            faults, rows = ItemFaults(), []
            for index, item in enumerate(items):
                path = f"assets[{index}]."
                with faults.of(index):
                    if item.project_id not in projects:
                        raise unknown(f"{path}project_id", item.project_id, "project")
                with faults.of(index):
                    asset_rules.check_name(path, item)
                with faults.of(index):
                    rows.append(asset_rules.new_asset(path, item, types))
                with faults.of(index):
                    parents.place(path, item, known_project=item.project_id in projects)
            faults.refuse()
            await _note_full_parents(tx, rows, faults)
            faults.refuse()
            if request.refuse_equal:
                await _note_equal(tx, rows, faults)
            made = await queries.ASSET.create(tx, call, rows, path="assets", faults=faults, **viewer(call))
        return {"assets": made}

    async def get_asset(
        self, request: asset_service_pb2.GetAssetRequest, call: Call
    ) -> asset_service_shapes.GetAssetResponse:
        """Return one asset."""
        async with self._db.read() as tx:
            found = await queries.ASSET.get(tx, request.asset_id, show_deleted=request.show_deleted, **viewer(call))
        return {"asset": found}

    async def update_asset(
        self, request: asset_service_pb2.UpdateAssetRequest, call: Call
    ) -> asset_service_shapes.UpdateAssetResponse:
        """Change an asset's name or parent."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            if "parent_id" in values:
                project_id = await _project_to_write(tx, call, request.asset_id)
                await locks.hold_assets(tx, [project_id], alone=True)
                await queries.ASSET.lock_target(tx, call, request.asset_id, **viewer(call))
                rows = await tx.all(queries.IN_PROJECT, project_id=project_id)
                parents = {row["id"]: row["parent_id"] for row in rows}
                rules.check_parent("parent_id", values["parent_id"], request.asset_id, parents, "asset of the project")
                if values["parent_id"] not in (None, parents[request.asset_id]):
                    full = list(parents.values()).count(values["parent_id"]) >= asset_rules.MOST_CHILDREN
                    if full:
                        raise asset_rules.full_parent("parent_id", values["parent_id"])
            return {"asset": await queries.ASSET.change(tx, call, request.asset_id, values, **viewer(call))}

    async def delete_asset(
        self, request: asset_service_pb2.DeleteAssetRequest, call: Call
    ) -> asset_service_shapes.DeleteAssetResponse:
        """Delete an asset, its descendants and their parameters."""
        async with self._db.transaction() as tx:
            project_id = await _project_to_write(tx, call, request.asset_id)
            await locks.hold_assets(tx, [project_id], alone=True)
            return {"asset": await deletion.delete_asset(tx, call, self._known, request.asset_id)}

    async def list_hierarchies(
        self, request: asset_service_pb2.ListHierarchiesRequest, call: Call
    ) -> asset_service_shapes.ListHierarchiesResponse:
        """Return the path from the root to each of the assets, in the order of the ids."""
        asset_ids = request.asset_ids.lower().split(",")
        async with self._db.read() as tx:
            rows = await tx.all(queries.PATHS, ids=asset_ids, **viewer(call))
        paths: dict[str, list[HierarchyElement]] = {}
        for row in rows:
            paths.setdefault(row.pop("of_id"), []).append(shaped(HierarchyElement, row))
        if not paths.keys() >= set(asset_ids):
            raise not_found("asset")
        return {"hierarchies": [paths[id_] for id_ in asset_ids]}

    async def get_asset_tree(
        self, request: asset_service_pb2.GetAssetTreeRequest, call: Call
    ) -> asset_service_shapes.GetAssetTreeResponse:
        """Return an asset with its active descendants."""
        async with self._db.read() as tx:
            rows = await tx.all(queries.TREE, id=request.asset_id, **viewer(call))
        if not rows:
            raise not_found("asset")
        return {"asset_tree": shaped(AssetTree, rules.nested(rows, request.asset_id, "parent"))}


async def _project_to_write(tx: Transaction, call: Call, asset_id: str) -> str:
    """Return the id of an asset's project.

    Raises NOT_FOUND: no such active asset for this caller. Raises PERMISSION_DENIED: the caller may not write the project.
    """
    row = await tx.one_or_none(queries.PROJECT_OF, id=asset_id, **viewer(call))
    if row is None:
        raise not_found("asset")
    await rights.check(tx, call, rights.CONTENT, [row])
    return str(row["project_id"])


async def _types(tx: Transaction, items: Sequence[asset_service_pb2.NewAsset]) -> asset_rules.NamedTypes:
    """Read the active types and sub types that the items name."""
    type_ids = sorted({item.asset_type_id for item in items if item.HasField("asset_type_id")})
    sub_type_ids = sorted({item.asset_sub_type_id for item in items if item.HasField("asset_sub_type_id")})
    types = await tx.all(queries.NAMED_TYPES, ids=type_ids)
    sub_types = await tx.all(queries.NAMED_SUB_TYPES, ids=sub_type_ids, type_ids=type_ids)
    return asset_rules.NamedTypes(types, sub_types)


async def _note_full_parents(tx: Transaction, rows: Sequence[dict[str, Any]], faults: ItemFaults) -> None:
    """Record a conflict for each row that would be a child too many; the parents' rows stay locked."""
    parent_ids = sorted({row["parent_id"] for row in rows if row["parent_id"] is not None})
    if not parent_ids:
        return
    await tx.all(queries.HOLD_PARENTS, ids=parent_ids)
    counts = {row["parent_id"]: row["n"] for row in await tx.all(queries.COUNT_CHILDREN, ids=parent_ids)}
    for index, row in enumerate(rows):
        if row["parent_id"] is not None:
            counts[row["parent_id"]] = counts.get(row["parent_id"], 0) + 1
            with faults.of(index):
                if counts[row["parent_id"]] > asset_rules.MOST_CHILDREN:
                    raise asset_rules.full_parent(f"assets[{index}].parent_id", row["parent_id"])


async def _note_equal(tx: Transaction, rows: Sequence[dict[str, Any]], faults: ItemFaults) -> None:
    """Record a conflict for each row that equals an active asset or an earlier row.

    Equal assets have the same project, parent, type and name.
    """
    keys = [(row["project_id"], row["parent_id"], row["asset_type_id"], row["name"]) for row in rows]
    project_ids, parent_ids, type_ids, names = (list(column) for column in zip(*keys, strict=True))
    known = await tx.all(queries.EQUAL, project_ids=project_ids, parent_ids=parent_ids, type_ids=type_ids, names=names)
    equal = {row["index"] for row in known}
    seen = set[tuple[Any, ...]]()
    for index, key in enumerate(keys):
        with faults.of(index):
            if index in equal or key in seen:
                raise conflict(
                    f"assets[{index}].name",
                    "{field}: an active asset of this project, parent and asset type has this name already; give another.",
                    value=key[-1],
                )
        seen.add(key)


async def _parents(tx: Transaction, call: Call, items: Sequence[asset_service_pb2.NewAsset]) -> asset_rules.Parents:
    """Read the active assets that the items name as their parents and the caller may see."""
    ids = sorted({item.parent_id for item in items if item.HasField("parent_id")})
    return asset_rules.Parents(await tx.all(queries.PARENTS, ids=ids, **viewer(call)) if ids else [])
