"""The end of shares with their variant: the views leave them out at once, and this marks them, so that no list shows them."""

from __future__ import annotations

from collections.abc import Sequence

from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.event_log.events import event
from catenary_core.services.projects.shares import queries
from catenary_core.services.projects.shares.servicer import write_event

NAME = "shares of deleted variants"
"""Name of the consumer."""
WANTED = event.c.type == "project.variant.deleted"
"""Condition for events that end shares."""


async def end_shares(tx: Transaction, rows: Sequence[Row]) -> None:
    """End the shares of deleted variants."""
    for row in await tx.all(queries.END_OF_VARIANTS, ids=[row["data"]["variant"]["variant_id"] for row in rows]):
        await write_event(tx, None, "project.permission.changed", row)
