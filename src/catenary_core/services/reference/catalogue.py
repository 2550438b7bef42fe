"""The source types that every installation starts with (contract, section 5)."""

from __future__ import annotations

from catenary_core.db import Transaction
from catenary_core.services.reference import queries

SOURCE_TYPES = (
    "Assumption",
    "Derived Value",
    "Industry Guidance",
    "Legislation",
    "Regulation",
    "Survey",
    "Project Document",
    "Academic Journals",
    "Official Publication",
)


async def load_at_first_start(tx: Transaction) -> None:
    """Loads the catalogue into tables that never had a row; what was deleted since stays deleted."""
    if not await queries.SOURCE_TYPE.any_row(tx):
        await load_catalogue(tx)


async def load_catalogue(tx: Transaction) -> int:
    """Adds the source types whose name no active one has; how many were added. Again, it adds none."""
    return await queries.SOURCE_TYPE.add_missing(tx, [{"name": name, "visible": True} for name in SOURCE_TYPES])
