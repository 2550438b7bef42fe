"""The SQL of unit systems, unit types and units."""

from __future__ import annotations

import sqlalchemy as sa

from catenary.parameter.v1 import unit_service_pb2, unit_system_service_pb2, unit_type_service_pb2
from catenary.parameter.v1.unit_service_shapes import ListUnitsResponse
from catenary.parameter.v1.unit_shapes import Unit
from catenary.parameter.v1.unit_system_service_shapes import ListUnitSystemsResponse
from catenary.parameter.v1.unit_system_shapes import UnitSystem
from catenary.parameter.v1.unit_type_service_shapes import ListUnitTypesResponse
from catenary.parameter.v1.unit_type_shapes import UnitType
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Statement
from catenary_core.resources.listing import Listing
from catenary_core.resources.resource import Resource
from catenary_core.services.parameter.embedded_queries import unit_systems_of
from catenary_core.services.parameter.filters import ids
from catenary_core.services.parameter.tables import parameter_type, unit, unit_system, unit_type

_SERVICE = "parameter"

_system_rows = sa.select(unit_system)
UNIT_SYSTEM: Resource[UnitSystem] = Resource(
    service=_SERVICE,
    name="unit_system",
    path=resource_path(unit_system_service_pb2, "ListUnitSystems"),
    table=unit_system,
    rows=_system_rows,
    unique=("name",),
)
UNIT_SYSTEMS: Listing[ListUnitSystemsResponse] = Listing(
    key="unit_systems",
    rows=_system_rows,
    sorts={name: unit_system.c[name] for name in ("id", "created_at", "updated_at", "name")},
    deleted_at=unit_system.c.deleted_at,
)

_type_rows = sa.select(
    unit_type.c.id,
    unit_type.c.name,
    unit_systems_of(unit_type).label("unit_systems"),
    unit_type.c.created_at,
    unit_type.c.updated_at,
    unit_type.c.deleted_at,
)
UNIT_TYPE: Resource[UnitType] = Resource(
    service=_SERVICE,
    name="unit_type",
    path=resource_path(unit_type_service_pb2, "GetUnitType"),
    table=unit_type,
    rows=_type_rows,
    unique=("name",),
)
UNIT_TYPES: Listing[ListUnitTypesResponse] = Listing(
    key="unit_types",
    rows=_type_rows,
    sorts={name: unit_type.c[name] for name in ("id", "created_at", "updated_at", "name")},
    deleted_at=unit_type.c.deleted_at,
)

_unit_rows = sa.select(
    unit.c.id,
    unit.c.symbol,
    unit.c.unit_type_id,
    unit.c.unit_system_id,
    unit.c.created_at,
    unit.c.updated_at,
    unit.c.deleted_at,
)
UNIT: Resource[Unit] = Resource(
    service=_SERVICE,
    name="unit",
    path=resource_path(unit_service_pb2, "ListUnits"),
    table=unit,
    rows=_unit_rows,
    unique=("symbol", "unit_type_id", "unit_system_id"),
)
_type_of_parameters = sa.select(parameter_type.c.unit_type_id).where(
    parameter_type.c.id == sa.any_(ids("parameter_type_id"))
)
UNITS: Listing[ListUnitsResponse] = Listing(
    key="units",
    rows=_unit_rows,
    sorts={name: unit.c[name] for name in ("id", "created_at", "updated_at", "symbol")},
    deleted_at=unit.c.deleted_at,
    filters={
        "unit_id": unit.c.id == sa.any_(ids("unit_id")),
        "unit_type_id": unit.c.unit_type_id == sa.any_(ids("unit_type_id")),
        "unit_system_id": unit.c.unit_system_id == sa.any_(ids("unit_system_id")),
        "parameter_type_id": unit.c.unit_type_id.in_(_type_of_parameters),
    },
)

CONVERTED = Statement(
    sa.select(unit.c.id, unit.c.symbol, unit.c.unit_type_id, unit.c.unit_system_id, unit.c.expression).where(
        unit.c.id == sa.any_(ids("ids")), unit.c.deleted_at.is_(None)
    )
)
"""The active units among `ids`, with the expressions for conversion."""
TYPE_IDS = Statement(sa.select(unit_type.c.name, unit_type.c.id).where(unit_type.c.deleted_at.is_(None)))
SYSTEM_IDS = Statement(sa.select(unit_system.c.name, unit_system.c.id).where(unit_system.c.deleted_at.is_(None)))

_of_types = unit.c.unit_type_id == sa.any_(ids("ids"))
HOLD_TYPES = Statement(
    sa.select(unit_type.c.id)
    .where(unit_type.c.id == sa.any_(ids("ids")))
    .order_by(unit_type.c.id)
    .with_for_update(key_share=True)
)
"""Lock unit types, so that their units are counted and added by one writer at a time."""
COUNT_UNITS = Statement(
    sa.select(unit.c.unit_type_id, sa.func.count().label("n"))
    .where(_of_types, unit.c.deleted_at.is_(None))
    .group_by(unit.c.unit_type_id)
)
"""The number of active units of each type."""
