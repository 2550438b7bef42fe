"""Effects of jobs of the kind `session`: none, since a session has no row."""

from __future__ import annotations

from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.jobs.queue import JobEnd


class SessionOwner:
    """The `jobs.Owner` of live sessions, which notice for themselves that no worker comes."""

    async def started(self, tx: Transaction, job: Row) -> bool:
        """Return True, and do nothing else: the session notices its worker by the worker's stream."""
        return True

    async def ended(self, tx: Transaction, job: Row, ended: JobEnd) -> None:
        """Do nothing: such a job ends by its stream, and an outcome without one has no design."""

    async def lost(self, tx: Transaction, job: Row) -> None:
        """Do nothing: the session has given up its wait, or its process is gone."""
