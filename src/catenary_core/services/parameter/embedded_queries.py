"""SQL expressions of objects that other objects embed, as JSON in the shape of their messages.

Their values have the form of row values: ids as text, timestamps as RFC 3339 with `Z`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSON, aggregate_order_by
from sqlalchemy.sql.elements import ColumnElement

from catenary_core.database.columns import active_user
from catenary_core.services.parameter.tables import (
    asset_type,
    asset_type_group,
    known_source,
    known_source_type,
    parameter_type,
    unit,
    unit_system,
    unit_type,
)

_EMPTY_LIST: ColumnElement[Any] = sa.literal_column("'[]'::json")
_TIMES = ("created_at", "updated_at", "deleted_at")


def json_object(**fields: ColumnElement[Any]) -> ColumnElement[Any]:
    """Build a JSON object with these keys, in this order."""
    pairs = (item for name, value in fields.items() for item in (sa.literal_column(f"'{name}'"), value))
    return sa.func.json_build_object(*pairs)


def rfc3339(moment: ColumnElement[Any]) -> ColumnElement[Any]:
    """Format a timestamp as rows have it: RFC 3339 with six digits of a second; the session's zone is UTC."""
    return sa.func.to_char(moment, sa.literal_column('\'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\''))


def listed(
    item: ColumnElement[Any],
    *order: ColumnElement[Any],
    where: ColumnElement[bool],
    of: sa.FromClause | None = None,
    within: Sequence[sa.FromClause] = (),
) -> ColumnElement[Any]:
    """Build a JSON array of one item for each row that meets the condition.

    The rows are those of `of`, a join, or by default of the item's own table.

    `within`: the tables of enclosing statements that the item refers to. Needed when one of them isn't the nearest
    enclosing one, which is all that SQLAlchemy finds by itself.
    """
    array = sa.select(sa.type_coerce(sa.func.json_agg(aggregate_order_by(item, *order)), JSON)).where(where)
    if of is not None:
        array = array.select_from(of)
    if within:
        array = array.correlate(*within)
    return sa.func.coalesce(array.scalar_subquery(), _EMPTY_LIST)


def row_times(row: sa.FromClause) -> dict[str, ColumnElement[Any]]:
    """Build the fields with the times of a row."""
    return {name: rfc3339(row.c[name]) for name in _TIMES}


def _unless_null(id_: ColumnElement[Any], value: ColumnElement[Any]) -> ColumnElement[Any]:
    return sa.case((id_.is_not(None), value))


def unit_reference(row: sa.FromClause) -> ColumnElement[Any]:
    """Build a `UnitReference`; NULL without a unit."""
    names = ("id", "symbol", "unit_type_id", "unit_system_id")
    return _unless_null(row.c.id, json_object(**{name: row.c[name] for name in names}))


def group_object(row: sa.FromClause) -> ColumnElement[Any]:
    """Build an `AssetTypeGroup`; NULL without a group."""
    return _unless_null(row.c.id, json_object(id=row.c.id, name=row.c.name, **row_times(row)))


def asset_type_object(row: sa.FromClause, group: sa.FromClause) -> ColumnElement[Any]:
    """Build an `AssetType`."""
    return json_object(
        id=row.c.id,
        name=row.c.name,
        asset_type_group=group_object(group),
        parent_id=row.c.parent_id,
        asset_sub_type=row.c.asset_sub_type,
        **row_times(row),
    )


def asset_sub_type_object(row: sa.FromClause) -> ColumnElement[Any]:
    """Build an `AssetSubType`; NULL without a sub type."""
    names = ("id", "name", "asset_type_id", "parent_asset_sub_type_id")
    return _unless_null(row.c.id, json_object(**{name: row.c[name] for name in names}, **row_times(row)))


def unit_systems_of(type_: sa.FromClause) -> ColumnElement[Any]:
    """Build the `UnitTypeSystem`s of a unit type: the systems with active units of the type, by name."""
    of_both = sa.and_(
        unit.c.unit_system_id == unit_system.c.id, unit.c.unit_type_id == type_.c.id, unit.c.deleted_at.is_(None)
    )
    units = listed(
        json_object(id=unit.c.id, symbol=unit.c.symbol),
        unit.c.symbol,
        unit.c.id,
        where=of_both,
        within=(unit_system, type_),
    )
    system = json_object(id=unit_system.c.id, name=unit_system.c.name, short_name=unit_system.c.short_name, units=units)
    used = sa.exists().where(of_both).correlate(unit_system, type_)
    return listed(system, unit_system.c.name, unit_system.c.id, where=used)


_default_unit = unit.alias("default_unit")
parameter_type_from = parameter_type.outerjoin(unit_type, unit_type.c.id == parameter_type.c.unit_type_id).outerjoin(
    _default_unit, _default_unit.c.id == parameter_type.c.default_unit_id
)
"""A parameter type with the rows that its message needs."""
parameter_type_fields: dict[str, ColumnElement[Any]] = {
    "id": parameter_type.c.id,
    "name": parameter_type.c.name,
    "data_type": parameter_type.c.data_type,
    "global_parameter": parameter_type.c.global_parameter,
    "unit_type": _unless_null(unit_type.c.id, json_object(id=unit_type.c.id, name=unit_type.c.name)),
    "default_unit": unit_reference(_default_unit),
    "units": listed(
        unit_reference(unit),
        unit.c.symbol,
        unit.c.id,
        where=sa.and_(unit.c.unit_type_id == parameter_type.c.unit_type_id, unit.c.deleted_at.is_(None)),
    ),
}
"""The fields of `ParameterType`, without its times."""
parameter_type_object = json_object(**parameter_type_fields, **row_times(parameter_type))
asset_type_from = asset_type.outerjoin(asset_type_group, asset_type_group.c.id == asset_type.c.asset_type_group_id)
"""An asset type with its group, if any."""

_source_type_object = json_object(
    id=known_source_type.c.id,
    name=known_source_type.c.name,
    visible=known_source_type.c.visible,
    **row_times(known_source_type),
)
source_object = json_object(
    id=known_source.c.id,
    source_type=_source_type_object,
    **{
        name: known_source.c[name]
        for name in (
            "source_type_id",
            "title",
            "reference",
            "url",
            "date_day",
            "date_month",
            "date_year",
            "time",
            "reference_id",
            "reference_table",
            "reference_url",
            "scope",
        )
    },
    **row_times(known_source),
)
"""`catenary.reference.v2.Source`."""
source_from = known_source.join(known_source_type, known_source_type.c.id == known_source.c.source_type_id)


def creator_object() -> ColumnElement[Any]:
    """Build a `catenary.type.v1.Creator`; NULL for a deleted user."""
    made = json_object(staff_name=active_user.c.staff_name, email=active_user.c.email)
    return _unless_null(active_user.c.user_id, made)
