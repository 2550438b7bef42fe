"""The unit systems, unit types and units that every installation starts with.

See guide/conventions.md, "Catalogues".
"""

from __future__ import annotations

from catenary_core.database.transactions import Transaction
from catenary_core.resources import catalogues
from catenary_core.resources.catalogues import Items, Loaded
from catenary_core.services.parameter.units import queries
from catenary_wire.units import unit_table


async def load_at_first_start(tx: Transaction) -> None:
    """Load the catalogue if the unit table never had a row."""
    if not await queries.UNIT.any_row(tx):
        await load_catalogue(tx, announce=False)


async def load_catalogue(tx: Transaction, *, announce: bool) -> list[Loaded]:
    """Add the rows that never existed; return the outcome for each kind.

    `announce`: whether each new row writes an event.
    """
    # Before the first change, which locks the catalogue's version: writers of these kinds wait for that lock.
    for resource in (queries.UNIT_SYSTEM, queries.UNIT_TYPE, queries.UNIT):
        await resource.lock_writers(tx)
    systems: Items = {
        (system.name,): {"name": system.name, "short_name": system.short_name} for system in unit_table.unit_systems()
    }
    types: Items = {(kind.name,): {"name": kind.name} for kind in unit_table.unit_types()}
    loaded = [
        await catalogues.load(tx, queries.UNIT_SYSTEM, systems, announce=announce),
        await catalogues.load(tx, queries.UNIT_TYPE, types, announce=announce),
    ]
    system_ids = await catalogues.active_ids(tx, queries.UNIT_SYSTEM, queries.SYSTEM_IDS, list(systems))
    type_ids = await catalogues.active_ids(tx, queries.UNIT_TYPE, queries.TYPE_IDS, list(types))
    rows: Items = {
        (unit.unit_type, unit.unit_system, unit.symbol): {
            "symbol": unit.symbol,
            "unit_type_id": type_ids[unit.unit_type],
            "unit_system_id": system_ids[unit.unit_system],
            "expression": unit.expression,
        }
        if unit.unit_type in type_ids and unit.unit_system in system_ids
        else None
        for unit in unit_table.units()
    }
    return [*loaded, await catalogues.load(tx, queries.UNIT, rows, announce=announce)]
