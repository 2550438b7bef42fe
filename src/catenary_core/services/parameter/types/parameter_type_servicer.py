"""ParameterTypeService and ItemTypeService: the types of parameters, and the assets that they belong to."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
from catenary_core.call.item_faults import ItemFaults
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.resources.resource import unknown
from catenary_core.services.parameter.types import queries, rules
from catenary_core.services.parameter.units import queries as unit_queries
from catenary_wire.json_form import enum_names

_DATA_TYPE = parameter_type_pb2.DataType.DESCRIPTOR
_REFERENCES = {
    "parameter_type_id": "parameter type",
    "asset_type_id": "asset type",
    "asset_sub_type_id": "sub type of the asset type",
}
"""Fields with ids of an item type, each with the kind of row that it names."""


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
            unit_types, units = await _units(tx, items)
            faults = ItemFaults()
            for index, item in enumerate(items):
                path = f"parameter_types[{index}]."
                with faults.of(index):
                    _check_unit_type(path, item, unit_types)
                with faults.of(index):
                    _check_default_unit(path, item, unit_types, units)
            faults.refuse()
            return {"parameter_types": await queries.PARAMETER_TYPE.create(tx, call, items, path="parameter_types")}

    async def update_parameter_type(
        self, request: parameter_type_service_pb2.UpdateParameterTypeRequest, call: Call
    ) -> parameter_type_service_shapes.UpdateParameterTypeResponse:
        """Change a parameter type. Data type and unit type can't change."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            if values.get("default_unit_id") is not None:
                before = await queries.PARAMETER_TYPE.lock_target(tx, call, request.parameter_type_id)
                if values["default_unit_id"] != before["default_unit_id"]:
                    _, units = await _units(tx, [values])
                    type_id = before["unit_type_id"]
                    _check_default_unit("", {**values, "unit_type_id": type_id}, {type_id}, units)
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
            await _check_items(tx, items, path="item_types")
            return {"item_types": await queries.ITEM_TYPE.create(tx, call, items, path="item_types")}

    async def update_item_type(
        self, request: item_type_service_pb2.UpdateItemTypeRequest, call: Call
    ) -> item_type_service_shapes.UpdateItemTypeResponse:
        """Change an item type."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            before = await queries.ITEM_TYPE.lock_target(tx, call, request.item_type_id)
            changed = {name: value for name, value in values.items() if value != before[name]}
            if "asset_type_id" in changed and before["asset_sub_type_id"] is not None:
                # The sub type must belong to the new asset type, also if the request doesn't change it.
                changed.setdefault("asset_sub_type_id", before["asset_sub_type_id"])
            asset_type_id = values.get("asset_type_id", before["asset_type_id"])
            await _check_items(tx, [changed], asset_type_id=asset_type_id)
            if values:
                values["updated_by"] = call.caller.user_id
            return {"item_type": await queries.ITEM_TYPE.change(tx, call, request.item_type_id, values)}

    async def delete_item_type(
        self, request: item_type_service_pb2.DeleteItemTypeRequest, call: Call
    ) -> item_type_service_shapes.DeleteItemTypeResponse:
        """Delete an item type."""
        async with self._db.transaction() as tx:
            return {"item_type": await queries.ITEM_TYPE.delete(tx, call, request.item_type_id)}


async def _units(tx: Transaction, items: Sequence[Mapping[str, Any]]) -> tuple[set[str], dict[str, str]]:
    """Return the active unit types that the items name, and the active units, each with its unit type."""
    type_ids = [item["unit_type_id"] for item in items if item.get("unit_type_id") is not None]
    unit_ids = [item["default_unit_id"] for item in items if item["default_unit_id"] is not None]
    types = await unit_queries.UNIT_TYPE.active(tx, type_ids) if type_ids else set()
    units = await tx.all(unit_queries.CONVERTED, ids=unit_ids) if unit_ids else []
    return types, {row["id"]: row["unit_type_id"] for row in units}


def _check_unit_type(path: str, item: dict[str, Any], active: set[str]) -> None:
    unit_type_id = item["unit_type_id"]
    if unit_type_id is not None and unit_type_id not in active:
        raise unknown(f"{path}unit_type_id", unit_type_id, "unit type")


def _check_default_unit(path: str, item: Mapping[str, Any], types: Collection[str], units: Mapping[str, str]) -> None:
    """Check that the default unit is active and of the unit type; an unknown unit type is not compared."""
    unit_id, type_id = item["default_unit_id"], item["unit_type_id"]
    compared = type_id is None or type_id in types
    if unit_id is not None and (unit_id not in units or (compared and units[unit_id] != type_id)):
        raise unknown(f"{path}default_unit_id", unit_id, "unit of the unit type")


async def _check_items(
    tx: Transaction, items: Sequence[Mapping[str, Any]], *, path: str = "", asset_type_id: str | None = None
) -> None:
    """Check that each given id names an active row, and that each sub type belongs to its asset type.

    Args:
        tx: transaction of the change.
        items: ids by field.
        path: field of the request with the list of items; empty for a request of one.
        asset_type_id: asset type of one item that does not give it.

    Raises VALIDATION_ERROR: an id doesn't. The refusal names all such ids.
    """
    ids = {name: sorted({item[name] for item in items if item.get(name) is not None}) for name in _REFERENCES}
    active = {
        "parameter_type_id": await queries.PARAMETER_TYPE.active(tx, ids["parameter_type_id"]),
        "asset_type_id": await queries.ASSET_TYPE.active(tx, ids["asset_type_id"]),
    }
    sub_types = await tx.all(queries.TYPES_OF_SUB_TYPES, ids=ids["asset_sub_type_id"])
    type_of = {row["id"]: row["asset_type_id"] for row in sub_types}
    faults = ItemFaults()
    for index, item in enumerate(items):
        place = f"{path}[{index}]." if path else ""
        for name, known in active.items():
            with faults.of(index):
                if item.get(name) is not None and item[name] not in known:
                    raise unknown(f"{place}{name}", item[name], _REFERENCES[name])
        with faults.of(index):
            name, type_id = "asset_sub_type_id", item.get("asset_type_id", asset_type_id)
            id_ = item.get(name)
            compared = item.get("asset_type_id") is None or type_id in active["asset_type_id"]
            if id_ is not None and (id_ not in type_of or (compared and type_of[id_] != type_id)):
                raise unknown(f"{place}{name}", id_, _REFERENCES[name])
    faults.refuse()
