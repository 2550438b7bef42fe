"""ParameterTypeService and ItemTypeService: the types of parameters, and the assets that they belong to."""

from __future__ import annotations

from typing import Any

from catenary.parameter.v1 import (
    item_type_service_pb2,
    item_type_service_shapes,
    parameter_type_pb2,
    parameter_type_service_pb2,
    parameter_type_service_shapes,
)
from catenary_core.access import visibility
from catenary_core.call import field_masks
from catenary_core.call.call import Call
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.resources.resource import unknown
from catenary_core.services.parameter.types import queries, rules
from catenary_core.services.parameter.units import queries as unit_queries
from catenary_wire.json_form import enum_names

_DATA_TYPE = parameter_type_pb2.DataType.DESCRIPTOR


class ParameterTypeServicer:
    """`catenary.parameter.v1.ParameterTypeService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_parameter_types(
        self, request: parameter_type_service_pb2.ListParameterTypesRequest, call: Call
    ) -> parameter_type_service_shapes.ListParameterTypesResponse:
        """List a page of the parameter types that every given filter matches."""
        names = ("parameter_type_id", "asset_type_id", "not_asset_id", "not_project_id", "search")
        given = pages.filters_of(request, *names)
        # Only the filters by asset and project read rows that may be hidden from the caller.
        hidden = not given.keys().isdisjoint(("not_asset_id", "not_project_id"))
        context = visibility.viewer(call) if hidden else {}
        return await pages.page(self._db, queries.PARAMETER_TYPES, request, given, **context)

    async def create_parameter_types(
        self, request: parameter_type_service_pb2.CreateParameterTypesRequest, call: Call
    ) -> parameter_type_service_shapes.CreateParameterTypesResponse:
        """Create parameter types."""
        items = [
            rules.with_id(
                item,
                name=item.name,
                data_type=enum_names(_DATA_TYPE).get(item.data_type),
                global_parameter=item.global_parameter,
                unit_type_id=item.unit_type_id if item.HasField("unit_type_id") else None,
                default_unit_id=item.default_unit_id if item.HasField("default_unit_id") else None,
            )
            for item in request.parameter_types
        ]
        async with self._db.transaction() as tx:
            for index, item in enumerate(items):
                await _check_units(tx, f"parameter_types[{index}].", item)
            return {"parameter_types": await queries.PARAMETER_TYPE.create(tx, call, items)}

    async def update_parameter_type(
        self, request: parameter_type_service_pb2.UpdateParameterTypeRequest, call: Call
    ) -> parameter_type_service_shapes.UpdateParameterTypeResponse:
        """Change a parameter type. Data type and unit type can't change."""
        values = field_masks.new_values(request, required=("name", "global_parameter"))
        async with self._db.transaction() as tx:
            if values.get("default_unit_id") is not None:
                before = await queries.PARAMETER_TYPE.lock_target(tx, call, request.parameter_type_id)
                if values["default_unit_id"] != before["default_unit_id"]:
                    await _check_default_unit(tx, "", before["unit_type_id"], values["default_unit_id"])
            return {"parameter_type": await queries.PARAMETER_TYPE.change(tx, call, request.parameter_type_id, values)}

    async def delete_parameter_type(
        self, request: parameter_type_service_pb2.DeleteParameterTypeRequest, call: Call
    ) -> parameter_type_service_shapes.DeleteParameterTypeResponse:
        """Delete a parameter type."""
        async with self._db.transaction() as tx:
            return {"parameter_type": await queries.PARAMETER_TYPE.delete(tx, call, request.parameter_type_id)}


class ItemTypeServicer:
    """`catenary.parameter.v1.ItemTypeService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_item_types(
        self, request: item_type_service_pb2.ListItemTypesRequest, call: Call
    ) -> item_type_service_shapes.ListItemTypesResponse:
        """List a page of the item types that every given filter matches."""
        given = pages.filters_of(request, "item_type_id", "parameter_type_id", "asset_type_id")
        return await pages.page(self._db, queries.ITEM_TYPES, request, given)

    async def create_item_types(
        self, request: item_type_service_pb2.CreateItemTypesRequest, call: Call
    ) -> item_type_service_shapes.CreateItemTypesResponse:
        """Create item types."""
        items = [
            rules.with_id(
                item,
                parameter_type_id=item.parameter_type_id,
                asset_type_id=item.asset_type_id,
                asset_sub_type_id=item.asset_sub_type_id if item.HasField("asset_sub_type_id") else None,
                created_by=call.caller.user_id,
                updated_by=call.caller.user_id,
            )
            for item in request.item_types
        ]
        async with self._db.transaction() as tx:
            for index, item in enumerate(items):
                await _check_item(tx, f"item_types[{index}].", item)
            return {"item_types": await queries.ITEM_TYPE.create(tx, call, items)}

    async def update_item_type(
        self, request: item_type_service_pb2.UpdateItemTypeRequest, call: Call
    ) -> item_type_service_shapes.UpdateItemTypeResponse:
        """Change an item type."""
        values = field_masks.new_values(request, required=("parameter_type_id", "asset_type_id"))
        async with self._db.transaction() as tx:
            before = await queries.ITEM_TYPE.lock_target(tx, call, request.item_type_id)
            changed = {name: value for name, value in values.items() if value != before[name]}
            if "asset_type_id" in changed and before["asset_sub_type_id"] is not None:
                # The sub type must belong to the new asset type, also if the request doesn't change it.
                changed.setdefault("asset_sub_type_id", before["asset_sub_type_id"])
            await _check_item(tx, "", changed, asset_type_id=values.get("asset_type_id", before["asset_type_id"]))
            if values:
                values["updated_by"] = call.caller.user_id
            return {"item_type": await queries.ITEM_TYPE.change(tx, call, request.item_type_id, values)}

    async def delete_item_type(
        self, request: item_type_service_pb2.DeleteItemTypeRequest, call: Call
    ) -> item_type_service_shapes.DeleteItemTypeResponse:
        """Delete an item type."""
        async with self._db.transaction() as tx:
            return {"item_type": await queries.ITEM_TYPE.delete(tx, call, request.item_type_id)}


async def _check_units(tx: Transaction, path: str, item: dict[str, Any]) -> None:
    unit_type_id, default_unit_id = item["unit_type_id"], item["default_unit_id"]
    if unit_type_id is not None and unit_type_id not in await unit_queries.UNIT_TYPE.active(tx, [unit_type_id]):
        raise unknown(f"{path}unit_type_id", unit_type_id, "unit type")
    if default_unit_id is not None:
        await _check_default_unit(tx, path, unit_type_id, default_unit_id)


async def _check_default_unit(tx: Transaction, path: str, unit_type_id: str | None, unit_id: str) -> None:
    units = await tx.all(unit_queries.CONVERTED, ids=[unit_id])
    if not units or units[0]["unit_type_id"] != unit_type_id:
        raise unknown(f"{path}default_unit_id", unit_id, "unit of the unit type")


async def _check_item(tx: Transaction, path: str, item: dict[str, Any], *, asset_type_id: str | None = None) -> None:
    """Check that each given id names an active row, and that the sub type belongs to the asset type.

    Raises VALIDATION_ERROR: an id doesn't.
    """
    type_id = item.get("parameter_type_id")
    if type_id is not None and type_id not in await queries.PARAMETER_TYPE.active(tx, [type_id]):
        raise unknown(f"{path}parameter_type_id", type_id, "parameter type")
    type_id = item.get("asset_type_id")
    if type_id is not None and type_id not in await queries.ASSET_TYPE.active(tx, [type_id]):
        raise unknown(f"{path}asset_type_id", type_id, "asset type")
    sub_type_id = item.get("asset_sub_type_id")
    if sub_type_id is not None:
        parents = await tx.all(queries.PARENTS_OF_SUB_TYPES, asset_type_id=asset_type_id or type_id)
        if sub_type_id not in {row["id"] for row in parents}:
            raise unknown(f"{path}asset_sub_type_id", sub_type_id, "sub type of the asset type")
