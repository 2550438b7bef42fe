"""UnitSystemService, UnitTypeService and UnitService: units and their conversion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from catenary.parameter.v1 import (
    unit_service_pb2,
    unit_service_shapes,
    unit_system_service_pb2,
    unit_system_service_shapes,
    unit_type_service_pb2,
    unit_type_service_shapes,
)
from catenary.parameter.v1.unit_shapes import UnitReference
from catenary_core.call import field_masks
from catenary_core.call.call import Call
from catenary_core.call.errors import conflict
from catenary_core.call.item_faults import ItemFaults
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.resources.resource import unknown
from catenary_core.services.parameter.types import rules
from catenary_core.services.parameter.units import queries

MOST_UNITS = 500
"""Active units of one unit type, which answers about the type hold whole."""


class UnitSystemServicer:
    """`catenary.parameter.v1.UnitSystemService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_unit_systems(
        self, request: unit_system_service_pb2.ListUnitSystemsRequest, call: Call
    ) -> unit_system_service_shapes.ListUnitSystemsResponse:
        """List a page of the unit systems."""
        return await pages.page(self._db, queries.UNIT_SYSTEMS, request, {})

    async def create_unit_systems(
        self, request: unit_system_service_pb2.CreateUnitSystemsRequest, call: Call
    ) -> unit_system_service_shapes.CreateUnitSystemsResponse:
        """Create unit systems."""
        items = [
            rules.with_id(
                item, name=item.name, short_name=item.short_name if item.HasField("short_name") else item.name
            )
            for item in request.unit_systems
        ]
        async with self._db.transaction() as tx:
            return {"unit_systems": await queries.UNIT_SYSTEM.create(tx, call, items, path="unit_systems")}

    async def update_unit_system(
        self, request: unit_system_service_pb2.UpdateUnitSystemRequest, call: Call
    ) -> unit_system_service_shapes.UpdateUnitSystemResponse:
        """Change a unit system's names."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            return {"unit_system": await queries.UNIT_SYSTEM.change(tx, call, request.unit_system_id, values)}

    async def delete_unit_system(
        self, request: unit_system_service_pb2.DeleteUnitSystemRequest, call: Call
    ) -> unit_system_service_shapes.DeleteUnitSystemResponse:
        """Delete a unit system."""
        async with self._db.transaction() as tx:
            return {"unit_system": await queries.UNIT_SYSTEM.delete(tx, call, request.unit_system_id)}


class UnitTypeServicer:
    """`catenary.parameter.v1.UnitTypeService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_unit_types(
        self, request: unit_type_service_pb2.ListUnitTypesRequest, call: Call
    ) -> unit_type_service_shapes.ListUnitTypesResponse:
        """List a page of the unit types."""
        return await pages.page(self._db, queries.UNIT_TYPES, request, {})

    async def create_unit_types(
        self, request: unit_type_service_pb2.CreateUnitTypesRequest, call: Call
    ) -> unit_type_service_shapes.CreateUnitTypesResponse:
        """Create unit types, without units at first."""
        items = [rules.with_id(item, name=item.name) for item in request.unit_types]
        async with self._db.transaction() as tx:
            return {"unit_types": await queries.UNIT_TYPE.create(tx, call, items, path="unit_types")}

    async def get_unit_type(
        self, request: unit_type_service_pb2.GetUnitTypeRequest, call: Call
    ) -> unit_type_service_shapes.GetUnitTypeResponse:
        """Return one unit type."""
        async with self._db.read() as tx:
            found = await queries.UNIT_TYPE.get(tx, request.unit_type_id, show_deleted=request.show_deleted)
        return {"unit_type": found}

    async def update_unit_type(
        self, request: unit_type_service_pb2.UpdateUnitTypeRequest, call: Call
    ) -> unit_type_service_shapes.UpdateUnitTypeResponse:
        """Rename a unit type."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            return {"unit_type": await queries.UNIT_TYPE.change(tx, call, request.unit_type_id, values)}

    async def delete_unit_type(
        self, request: unit_type_service_pb2.DeleteUnitTypeRequest, call: Call
    ) -> unit_type_service_shapes.DeleteUnitTypeResponse:
        """Delete a unit type."""
        async with self._db.transaction() as tx:
            return {"unit_type": await queries.UNIT_TYPE.delete(tx, call, request.unit_type_id)}


class UnitServicer:
    """`catenary.parameter.v1.UnitService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_units(
        self, request: unit_service_pb2.ListUnitsRequest, call: Call
    ) -> unit_service_shapes.ListUnitsResponse:
        """List a page of the units that every given filter matches."""
        given = pages.filters_of(request, "unit_id", "unit_type_id", "unit_system_id", "parameter_type_id")
        return await pages.page(self._db, queries.UNITS, request, given)

    async def create_units(
        self, request: unit_service_pb2.CreateUnitsRequest, call: Call
    ) -> unit_service_shapes.CreateUnitsResponse:
        """Create units, which have no conversion."""
        names = ("symbol", "unit_type_id", "unit_system_id")
        items = [rules.with_id(item, **{name: getattr(item, name) for name in names}) for item in request.units]
        async with self._db.transaction() as tx:
            types = await queries.UNIT_TYPE.active(tx, [item["unit_type_id"] for item in items])
            systems = await queries.UNIT_SYSTEM.active(tx, [item["unit_system_id"] for item in items])
            faults = ItemFaults()
            for index, item in enumerate(items):
                with faults.of(index):
                    if item["unit_type_id"] not in types:
                        raise unknown(f"units[{index}].unit_type_id", item["unit_type_id"], "unit type")
                with faults.of(index):
                    if item["unit_system_id"] not in systems:
                        raise unknown(f"units[{index}].unit_system_id", item["unit_system_id"], "unit system")
            faults.refuse()
            await _check_room(tx, items)
            return {"units": await queries.UNIT.create(tx, call, items, path="units")}

    async def update_unit(
        self, request: unit_service_pb2.UpdateUnitRequest, call: Call
    ) -> unit_service_shapes.UpdateUnitResponse:
        """Change a unit's symbol or system. Its conversion stays."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            if "unit_system_id" in values:
                await queries.UNIT.lock_target(tx, call, request.unit_id)
                await _check_system(tx, request.unit_id, values["unit_system_id"])
            return {"unit": await queries.UNIT.change(tx, call, request.unit_id, values)}

    async def delete_unit(
        self, request: unit_service_pb2.DeleteUnitRequest, call: Call
    ) -> unit_service_shapes.DeleteUnitResponse:
        """Delete a unit."""
        async with self._db.transaction() as tx:
            return {"unit": await queries.UNIT.delete(tx, call, request.unit_id)}

    async def convert_units(
        self, request: unit_service_pb2.ConvertUnitsRequest, call: Call
    ) -> unit_service_shapes.ConvertUnitsResponse:
        """Convert a value to another unit of the same type, by the expressions in the units' rows."""
        async with self._db.read() as tx:
            rows = await tx.all(queries.CONVERTED, ids=[request.from_unit_id, request.to_unit_id])
        units = {row["id"]: row for row in rows}
        for field in ("from_unit_id", "to_unit_id"):
            if getattr(request, field) not in units:
                raise unknown(field, getattr(request, field), "unit")
        source, target = units[request.from_unit_id], units[request.to_unit_id]
        value = rules.converted(request.value, source, target)
        unit: UnitReference = {
            "id": target["id"],
            "symbol": target["symbol"],
            "unit_type_id": target["unit_type_id"],
            "unit_system_id": target["unit_system_id"],
        }
        return {"value": value, "unit": unit}


async def _check_room(tx: Transaction, items: Sequence[Mapping[str, Any]]) -> None:
    """Check that no unit type gets more than `MOST_UNITS` units; its row stays locked, so that no other writer passes.

    Raises CONFLICT: a type would get more.
    """
    type_ids = sorted({item["unit_type_id"] for item in items})
    await tx.all(queries.HOLD_TYPES, ids=type_ids)
    counts = {row["unit_type_id"]: row["n"] for row in await tx.all(queries.COUNT_UNITS, ids=type_ids)}
    faults = ItemFaults()
    for index, item in enumerate(items):
        type_id = item["unit_type_id"]
        counts[type_id] = counts.get(type_id, 0) + 1
        with faults.of(index):
            if counts[type_id] > MOST_UNITS:
                raise conflict(
                    f"units[{index}].unit_type_id",
                    "{field}: a unit type has at most {most} units; delete some, or use another unit type.",
                    value=type_id,
                    constraint="max_units",
                    most=MOST_UNITS,
                )
    faults.refuse()


async def _check_system(tx: Transaction, unit_id: str, system_id: str) -> None:
    """Check that a new unit system is active; the unit's own system may be deleted.

    Raises VALIDATION_ERROR: another system isn't active.
    """
    row = await queries.UNIT.lock(tx, unit_id)
    if row["unit_system_id"] != system_id and system_id not in await queries.UNIT_SYSTEM.active(tx, [system_id]):
        raise unknown("unit_system_id", system_id, "unit system")
