"""Retention: delete old rows in small batches, so that no statement locks many rows for long."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database

BATCH = 1000
"""Largest number of rows that one statement deletes."""
MAX_BATCHES = 50
"""Largest number of statements in one `remove`; remaining rows wait for the next run."""


def removal(key: sa.Column[Any], created_at: sa.Column[Any], kept: sa.ColumnElement[Any] | sa.TextClause) -> Statement:
    """Return a statement to delete at most BATCH rows older than `kept`.

    Several nodes may run it at the same time without waiting for each other: locked rows are skipped.

    Args:
        key: primary key of the table.
        created_at: column with the age of a row.
        kept: retention, an SQL interval.
    """
    # `statement_timestamp()` is constant in the statement, so PostgreSQL uses the index; `clock_timestamp()` would be compared
    # with every row.
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
    """Run a `removal` until no old row is left, at most MAX_BATCHES times; return the number of deleted rows."""
    removed = 0
    for _ in range(MAX_BATCHES):
        async with db.transaction() as tx:
            count = await tx.execute(statement)
        removed += count
        if count < BATCH:
            break
    return removed
