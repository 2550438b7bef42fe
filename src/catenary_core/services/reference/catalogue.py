"""The source types that every installation starts with (guide/conventions.md, "Catalogues")."""

from __future__ import annotations

from catenary_core.database.transactions import Transaction
from catenary_core.resources import catalogues
from catenary_core.resources.catalogues import Items, Loaded
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
    """Loads the catalogue into tables that never had a row."""
    if not await queries.SOURCE_TYPE.any_row(tx):
        await load_catalogue(tx, announce=False)


async def load_catalogue(tx: Transaction, *, announce: bool) -> list[Loaded]:
    """Adds what was never there; what became of each kind. With `announce` each new row is an event."""
    items: Items = {(name,): {"name": name, "visible": True} for name in SOURCE_TYPES}
    return [await catalogues.load(tx, queries.SOURCE_TYPE, items, announce=announce)]
