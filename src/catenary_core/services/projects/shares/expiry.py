"""The end of shares whose time has come.

An expired share gives nothing from its moment on: the views leave it out. This marks it as deleted within a second, so that
edges, which keep responses until a row changes, drop theirs, and writes the event.
"""

from __future__ import annotations

from catenary_core.database.transactions import Database
from catenary_core.services.projects.shares import queries
from catenary_core.services.projects.shares.servicer import write_event

SECONDS = 1.0
"""Pause between two looks."""


async def end_expired(db: Database) -> None:
    """End the shares that have expired, at most 100 of them."""
    async with db.read() as tx:
        ids = [row["share_id"] for row in await tx.all(queries.EXPIRED)]
    if not ids:  # a statement without rows would count as a change too
        return
    async with db.transaction() as tx:
        for row in await tx.all(queries.END, ids=ids):
            await write_event(tx, None, "project.permission.changed", row)
