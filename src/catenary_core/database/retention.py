"""Removes rows that are older than a table keeps them: some at a time, so that no statement holds many rows for long."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database

BATCH = 1000
"""Rows that one statement deletes."""
MAX_BATCHES = 50
"""Statements of one `remove`: what is left waits for the next."""


def removal(key: sa.Column[Any], created_at: sa.Column[Any], kept: sa.ColumnElement[Any] | sa.TextClause) -> Statement:
    """Deletes BATCH rows of the columns' table at most that are older than `kept`; nodes that do so at once don't wait."""
    # Fixed during the statement, so that the index is searched for it: `clock_timestamp()` would be compared with every row.
    old = (
        sa.select(key)
        .where(created_at < sa.func.statement_timestamp() - kept)
        .order_by(created_at)
        .limit(BATCH)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )
    return Statement(sa.delete(key.table).where(key.in_(old)))


async def remove(db: Database, statement: Statement) -> int:
    """Runs a `removal` until nothing is left, at most MAX_BATCHES times; how many rows went."""
    removed = 0
    for _ in range(MAX_BATCHES):
        async with db.transaction() as tx:
            count = await tx.execute(statement)
        removed += count
        if count < BATCH:
            break
    return removed
