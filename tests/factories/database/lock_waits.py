"""Waits for other transactions that wait for a lock."""

from __future__ import annotations

import asyncio

import sqlalchemy as sa

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Transaction

WAIT_SECONDS = 30
# A transaction keeps one picture of the backends' activity until told otherwise.
_LOOK_ANEW = Statement(sa.text("SELECT pg_stat_clear_snapshot()"))
# `pg_locks` would also show the databases of other tests.
_WAITING = Statement(
    sa.text(
        """
        SELECT count(*) AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%' || :named || '%'
        """
    ).bindparams(sa.bindparam("named", type_=sa.Text))
)


async def until_waiting(tx: Transaction, count: int = 1, *, named: str = "") -> None:
    """Return when this many transactions of the database wait for a lock.

    Args:
        tx: looks at the others, and may itself hold the lock.
        count: the least number of waiting transactions.
        named: a part of their statements' first 1,024 characters, such as a table's name.

    Raises TimeoutError: when fewer wait for 30 s.
    """
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            await tx.all(_LOOK_ANEW)
            if (await tx.one(_WAITING, named=named))["count"] >= count:
                return
            await asyncio.sleep(0.01)
