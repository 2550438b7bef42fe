"""AssetTypeGroupService, AssetTypeService and AssetSubTypeService: the types of assets."""

from __future__ import annotations

from catenary.parameter.v1 import (
    asset_sub_type_service_pb2,
    asset_sub_type_service_shapes,
    asset_type_group_service_pb2,
    asset_type_group_service_shapes,
    asset_type_service_pb2,
    asset_type_service_shapes,
)
from catenary.parameter.v1.asset_type_shapes import AssetTypeTree
from catenary_core.access import visibility
from catenary_core.call import field_masks
from catenary_core.call.call import Call
from catenary_core.call.errors import invalid, not_found
from catenary_core.call.item_faults import ItemFaults
from catenary_core.database.statements import Row, shaped
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.resources.resource import unknown
from catenary_core.services.parameter import locks
from catenary_core.services.parameter.types import queries, rules
from catenary_wire.sentences import Fields


class AssetTypeGroupServicer:
    """`catenary.parameter.v1.AssetTypeGroupService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_asset_type_groups(
        self, request: asset_type_group_service_pb2.ListAssetTypeGroupsRequest, call: Call
    ) -> asset_type_group_service_shapes.ListAssetTypeGroupsResponse:
        """List a page of the groups that every given filter matches."""
        given = pages.filters_of(request, "asset_type_group_id")
        return await pages.page(self._db, queries.ASSET_TYPE_GROUPS, request, given)

    async def create_asset_type_groups(
        self, request: asset_type_group_service_pb2.CreateAssetTypeGroupsRequest, call: Call
    ) -> asset_type_group_service_shapes.CreateAssetTypeGroupsResponse:
        """Create groups."""
        items = [rules.with_id(item, name=item.name) for item in request.asset_type_groups]
        async with self._db.transaction() as tx:
            return {
                "asset_type_groups": await queries.ASSET_TYPE_GROUP.create(tx, call, items, path="asset_type_groups")
            }

    async def update_asset_type_group(
        self, request: asset_type_group_service_pb2.UpdateAssetTypeGroupRequest, call: Call
    ) -> asset_type_group_service_shapes.UpdateAssetTypeGroupResponse:
        """Rename a group."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            changed = await queries.ASSET_TYPE_GROUP.change(tx, call, request.asset_type_group_id, values)
        return {"asset_type_group": changed}

    async def delete_asset_type_group(
        self, request: asset_type_group_service_pb2.DeleteAssetTypeGroupRequest, call: Call
    ) -> asset_type_group_service_shapes.DeleteAssetTypeGroupResponse:
        """Delete a group."""
        async with self._db.transaction() as tx:
            return {"asset_type_group": await queries.ASSET_TYPE_GROUP.delete(tx, call, request.asset_type_group_id)}


class AssetTypeServicer:
    """`catenary.parameter.v1.AssetTypeService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_asset_types(
        self, request: asset_type_service_pb2.ListAssetTypesRequest, call: Call
    ) -> asset_type_service_shapes.ListAssetTypesResponse:
        """List a page of the asset types that every given filter matches."""
        given = pages.filters_of(request, "asset_type_id", "asset_type_group_id", "project_id", "parent_asset_id")
        # Only the filters by project and asset read rows that may be hidden from the caller.
        hidden = not given.keys().isdisjoint(("project_id", "parent_asset_id"))
        context = visibility.viewer(call) if hidden else {}
        return await pages.page(self._db, queries.ASSET_TYPES, request, given, **context)

    async def create_asset_types(
        self, request: asset_type_service_pb2.CreateAssetTypesRequest, call: Call
    ) -> asset_type_service_shapes.CreateAssetTypesResponse:
        """Create asset types. Their parents must exist before the request."""
        items = [
            rules.with_id(
                item,
                name=item.name,
                asset_type_group_id=item.asset_type_group_id if item.HasField("asset_type_group_id") else None,
                parent_id=item.parent_id if item.HasField("parent_id") else None,
                asset_sub_type=item.asset_sub_type,
            )
            for item in request.asset_types
        ]
        async with self._db.transaction() as tx:
            await locks.hold_tree(tx, "asset_type")
            parents = await _type_parents(tx)
            groups = await _active_groups(tx, [item["asset_type_group_id"] for item in items])
            faults = ItemFaults()
            for index, item in enumerate(items):
                path = f"asset_types[{index}]."
                with faults.of(index):
                    _check_group(f"{path}asset_type_group_id", item["asset_type_group_id"], groups)
                with faults.of(index):
                    rules.check_parent(f"{path}parent_id", item["parent_id"], "", parents, "asset type")
            faults.refuse()
            return {"asset_types": await queries.ASSET_TYPE.create(tx, call, items, path="asset_types")}

    async def update_asset_type(
        self, request: asset_type_service_pb2.UpdateAssetTypeRequest, call: Call
    ) -> asset_type_service_shapes.UpdateAssetTypeResponse:
        """Change an asset type."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            await locks.hold_tree(tx, "asset_type")
            before = await queries.ASSET_TYPE.lock_target(tx, call, request.asset_type_id)
            if values.get("asset_type_group_id", before["asset_type_group_id"]) != before["asset_type_group_id"]:
                group_id = values["asset_type_group_id"]
                _check_group("asset_type_group_id", group_id, await _active_groups(tx, [group_id]))
            if values.get("parent_id", before["parent_id"]) != before["parent_id"]:
                parents = await _type_parents(tx)
                rules.check_parent("parent_id", values["parent_id"], request.asset_type_id, parents, "asset type")
            return {"asset_type": await queries.ASSET_TYPE.change(tx, call, request.asset_type_id, values)}

    async def delete_asset_type(
        self, request: asset_type_service_pb2.DeleteAssetTypeRequest, call: Call
    ) -> asset_type_service_shapes.DeleteAssetTypeResponse:
        """Delete an asset type."""
        async with self._db.transaction() as tx:
            return {"asset_type": await queries.ASSET_TYPE.delete(tx, call, request.asset_type_id)}

    async def get_asset_type_tree(
        self, request: asset_type_service_pb2.GetAssetTypeTreeRequest, call: Call
    ) -> asset_type_service_shapes.GetAssetTypeTreeResponse:
        """Return an asset type with its active descendants."""
        async with self._db.read() as tx:
            rows = await tx.all(queries.ASSET_TYPE_TREE, id=request.asset_type_id)
        if not rows:
            raise not_found("asset type")
        tree = rules.nested(rows, request.asset_type_id, "parent_id")
        return {"asset_type_tree": shaped(AssetTypeTree, tree)}


class AssetSubTypeServicer:
    """`catenary.parameter.v1.AssetSubTypeService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_asset_sub_types(
        self, request: asset_sub_type_service_pb2.ListAssetSubTypesRequest, call: Call
    ) -> asset_sub_type_service_shapes.ListAssetSubTypesResponse:
        """List a page of an asset type's sub types."""
        type_id = request.asset_type_id
        async with self._db.read() as tx:
            await queries.ASSET_TYPE.get(tx, type_id, show_deleted=request.show_deleted)
        return await pages.page(self._db, queries.ASSET_SUB_TYPES, request, {}, asset_type_id=type_id)

    async def create_asset_sub_types(
        self, request: asset_sub_type_service_pb2.CreateAssetSubTypesRequest, call: Call
    ) -> asset_sub_type_service_shapes.CreateAssetSubTypesResponse:
        """Create sub types. Their parents must exist before the request."""
        type_id = request.asset_type_id
        items = [
            rules.with_id(
                item,
                name=item.name,
                asset_type_id=type_id,
                parent_asset_sub_type_id=item.parent_asset_sub_type_id
                if item.HasField("parent_asset_sub_type_id")
                else None,
            )
            for item in request.asset_sub_types
        ]
        async with self._db.transaction() as tx:
            await queries.ASSET_TYPE.lock_writers(tx)  # so that no parent changes after its check
            parents = await _sub_type_parents(tx, type_id)
            known = await queries.ASSET_TYPE.active(tx, [type_id])
            faults = ItemFaults()
            if known:
                with faults.of(0):
                    _check_takes_sub_types(await queries.ASSET_TYPE.lock(tx, type_id))
            for index, item in enumerate(items):
                field = f"asset_sub_types[{index}].parent_asset_sub_type_id"
                with faults.of(index):
                    parent_id = item["parent_asset_sub_type_id"]
                    rules.check_parent(field, parent_id, "", parents, "sub type of the asset type")
            faults.refuse()
            if not known:
                raise not_found("asset type")
            made = await queries.ASSET_SUB_TYPE.create(tx, call, items, path="asset_sub_types", asset_type_id=type_id)
        return {"asset_sub_types": made}

    async def update_asset_sub_type(
        self, request: asset_sub_type_service_pb2.UpdateAssetSubTypeRequest, call: Call
    ) -> asset_sub_type_service_shapes.UpdateAssetSubTypeResponse:
        """Change a sub type's name or parent."""
        values = field_masks.new_values(request)
        own_id, type_id, field = request.asset_sub_type_id, request.asset_type_id, "parent_asset_sub_type_id"
        async with self._db.transaction() as tx:
            await queries.ASSET_TYPE.lock(tx, type_id)
            parents = await _sub_type_parents(tx, type_id)
            before = await queries.ASSET_SUB_TYPE.lock_target(tx, call, own_id, asset_type_id=type_id)
            if values.get(field, before[field]) != before[field]:
                rules.check_parent(field, values[field], own_id, parents, "sub type of the asset type")
            changed = await queries.ASSET_SUB_TYPE.change(tx, call, own_id, values, asset_type_id=type_id)
        return {"asset_sub_type": changed}

    async def delete_asset_sub_type(
        self, request: asset_sub_type_service_pb2.DeleteAssetSubTypeRequest, call: Call
    ) -> asset_sub_type_service_shapes.DeleteAssetSubTypeResponse:
        """Delete a sub type."""
        own_id, type_id = request.asset_sub_type_id, request.asset_type_id
        async with self._db.transaction() as tx:
            await queries.ASSET_TYPE.lock(tx, type_id)
            return {"asset_sub_type": await queries.ASSET_SUB_TYPE.delete(tx, call, own_id, asset_type_id=type_id)}


def _check_takes_sub_types(asset_type: Row) -> None:
    if not asset_type["asset_sub_type"]:
        raise invalid(
            "asset_type_id",
            "{field}: assets of this type have no sub type; set {asset_sub_type} of the type first.",
            value=asset_type["id"],
            constraint="sub_type",
            asset_sub_type=Fields("asset_sub_type"),
        )


def _check_group(field: str, group_id: str | None, active: set[str]) -> None:
    if group_id is not None and group_id not in active:
        raise unknown(field, group_id, "asset type group")


async def _active_groups(tx: Transaction, ids: list[str | None]) -> set[str]:
    given = [id_ for id_ in ids if id_ is not None]
    return await queries.ASSET_TYPE_GROUP.active(tx, given) if given else set()


async def _type_parents(tx: Transaction) -> dict[str, str | None]:
    return {row["id"]: row["parent_id"] for row in await tx.all(queries.PARENTS_OF_TYPES)}


async def _sub_type_parents(tx: Transaction, asset_type_id: str) -> dict[str, str | None]:
    """Map each active sub type of an asset type to its parent."""
    return {
        row["id"]: row["parent_id"] for row in await tx.all(queries.PARENTS_OF_SUB_TYPES, asset_type_id=asset_type_id)
    }
