"""The source types that every installation starts with.

See guide/conventions.md, "Catalogues".
"""

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
"""Names of the source types, each visible at first."""


async def load_at_first_start(tx: Transaction) -> None:
    """Load the catalogue if the source type table never had a row."""
    if not await queries.SOURCE_TYPE.any_row(tx):
        await load_catalogue(tx, announce=False)


async def load_catalogue(tx: Transaction, *, announce: bool) -> list[Loaded]:
    """Add the source types that never existed; return the outcome.

    `announce`: whether each new row writes an event.
    """
    items: Items = {(name,): {"name": name, "visible": True} for name in SOURCE_TYPES}
    return [await catalogues.load(tx, queries.SOURCE_TYPE, items, announce=announce)]
