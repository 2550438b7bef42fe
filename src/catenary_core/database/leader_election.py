"""Work that one process of the whole installation does at a time.

Each process asks for the place every POLL_SECONDS. The place is an advisory lock of the connection on which its holder also
works: when the process dies, PostgreSQL ends the connection and with it the lock and what wasn't committed, and another process
has the place within POLL_SECONDS.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

import sqlalchemy as sa

from catenary_core.background.periodic import Periodic
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database, Session
from catenary_core.database.wakeups import POLL_SECONDS

# A holder that is frozen, or whose machine is gone without a word, loses its place too; it shows itself every POLL_SECONDS.
_OPTIONS = "-c idle_session_timeout=10s -c idle_in_transaction_session_timeout=10s"
_TRY_LOCK = Statement(
    sa.select(
        sa.func.pg_try_advisory_lock(
            sa.func.hashtextextended(sa.bindparam("name", type_=sa.Text), sa.literal(0, type_=sa.BigInteger))
        ).label("held")
    )
)


class Leader(Periodic, ABC):
    """Runs in every core process; one of them has the place and works."""

    def __init__(self, name: str, db: Database) -> None:
        """`name` is that of the place, and says in the log what is done."""
        super().__init__(name, POLL_SECONDS, self._on_one_connection, at_once=True)
        self._db = db
        self.holds = False
        """Whether this process has the place."""

    @abstractmethod
    async def work(self, session: Session) -> None:
        """What the holder does, on the connection that has the place. A failure ends it, and all ask for the place again."""

    async def _on_one_connection(self) -> None:
        try:
            async with self._db.session(_OPTIONS) as session:
                while not (await session.read.one(_TRY_LOCK, name=self._name))["held"]:  # noqa: ASYNC110 (the event would be another process's end)
                    await asyncio.sleep(POLL_SECONDS)
                self.holds = True
                await self.work(session)
        finally:
            self.holds = False
