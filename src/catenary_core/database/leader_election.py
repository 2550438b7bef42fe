"""Leader election: work that exactly one process of the whole installation does at a time.

Each process tries to become the leader every POLL_SECONDS. Leadership is an advisory lock on the connection on which
the leader also works. When the process dies, PostgreSQL closes the connection, releases the lock and rolls back
uncommitted work; another process becomes the leader within POLL_SECONDS.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

import sqlalchemy as sa

from catenary_core.background.periodic import Periodic
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database, Session
from catenary_core.database.wakeups import POLL_SECONDS

# A frozen leader, or one whose machine vanished, loses the lock by these timeouts; a healthy leader uses the connection every
# POLL_SECONDS.
_OPTIONS = "-c idle_session_timeout=10s -c idle_in_transaction_session_timeout=10s"
_TRY_LOCK = Statement(
    sa.select(
        sa.func.pg_try_advisory_lock(
            sa.func.hashtextextended(sa.bindparam("name", type_=sa.Text), sa.literal(0, type_=sa.BigInteger))
        ).label("held")
    )
)


class Leader(Periodic, ABC):
    """Background work for one process at a time: every core process runs it, and only the elected leader works."""

    def __init__(self, name: str, db: Database) -> None:
        """Set up the election; call `start` to take part.

        Args:
            name: name of the lock; log lines use it to name the work. The same in every release, since processes of two
                releases run side by side during an upgrade.
            db: database in which the processes compete for the lock.
        """
        super().__init__(name, POLL_SECONDS, self._on_one_connection, at_once=True)
        self._db = db
        self.holds = False
        """True if this process is the leader now."""

    @abstractmethod
    async def work(self, session: Session) -> None:
        """Do the leader's work on the connection that holds the lock.

        A failure ends the leadership and starts a new election.
        """

    async def _on_one_connection(self) -> None:
        try:
            async with self._db.session(_OPTIONS) as session:
                while not (await session.read.one(_TRY_LOCK, name=self._name))["held"]:  # noqa: ASYNC110 (the event would be another process's end)
                    await asyncio.sleep(POLL_SECONDS)
                self.holds = True
                await self.work(session)
        finally:
            self.holds = False
