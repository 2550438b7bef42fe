"""The unit systems, unit types and units that every installation starts with (contract, section 5)."""

from __future__ import annotations

from catenary_core import units
from catenary_core.db import Transaction
from catenary_core.services.parameter import unit_queries as queries


async def load_at_first_start(tx: Transaction) -> None:
    """Loads the catalogue into tables that never had a row; what was deleted since stays deleted."""
    if not await queries.UNIT.any_row(tx):
        await load_catalogue(tx)


async def load_catalogue(tx: Transaction) -> int:
    """Adds the systems and types whose name, and the units whose symbol no active one has; how many. Again, it adds none."""
    for resource in (queries.UNIT_SYSTEM, queries.UNIT_TYPE, queries.UNIT):
        await resource.wait(tx)
    systems = [{"name": system.name, "short_name": system.short_name} for system in units.unit_systems()]
    added = await queries.UNIT_SYSTEM.add_missing(tx, systems)
    added += await queries.UNIT_TYPE.add_missing(tx, [{"name": kind.name} for kind in units.unit_types()])
    system_ids = {row["name"]: row["id"] for row in await tx.all(queries.SYSTEM_IDS)}
    type_ids = {row["name"]: row["id"] for row in await tx.all(queries.TYPE_IDS)}
    rows = [
        {
            "symbol": unit.symbol,
            "unit_type_id": type_ids[unit.unit_type],
            "unit_system_id": system_ids[unit.unit_system],
            "expression": unit.expression,
        }
        for unit in units.units()
    ]
    return added + await queries.UNIT.add_missing(tx, rows)
