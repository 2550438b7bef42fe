"""The audit trail as tests read it."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database

_ALL = Statement(
    sa.text(
        "SELECT e.*, host(coalesce(e.address, a.address)) AS address"
        " FROM audit.entry e LEFT JOIN audit.address a USING (sequence) ORDER BY sequence"
    )
)


async def trail_of(db: Database) -> list[dict[str, Any]]:
    """Return all entries with their addresses, in the order of insertion; an RPC's action is its method alone."""
    async with db.read() as tx:
        rows = await tx.all(_ALL)
    return [{**row, "action": row["action"].rpartition("/")[2]} for row in rows]
