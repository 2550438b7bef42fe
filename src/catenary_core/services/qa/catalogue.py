"""The record types that every installation starts with.

See guide/conventions.md, "Catalogues".
"""

from __future__ import annotations

from catenary_core.database.transactions import Transaction
from catenary_core.resources import catalogues
from catenary_core.resources.catalogues import Items, Loaded
from catenary_core.services.qa import queries

RECORD_TYPES = ("Answered", "Checked", "Approved", "Rejected", "Review")
"""Names of the record types. The first four are those of reviews, named for the statuses of revisions."""


async def load_at_first_start(tx: Transaction) -> None:
    """Load the catalogue if a record type of reviews is missing, as in installations of earlier releases."""
    types = await tx.all(queries.TYPES_BY_NAME, names=list(RECORD_TYPES))
    if len(types) < len(RECORD_TYPES):
        await load_catalogue(tx, announce=False)


async def load_catalogue(tx: Transaction, *, announce: bool) -> list[Loaded]:
    """Add the record types that never existed; return the outcome.

    `announce`: whether each new row writes an event.
    """
    items: Items = {(name,): {"name": name} for name in RECORD_TYPES}
    return [await catalogues.load(tx, queries.RECORD_TYPE, items, announce=announce)]
