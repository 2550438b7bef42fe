"""The owners of jobs: what a service does when one of its jobs begins, ends or is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.jobs.queue import JobEnd


class Owner(Protocol):
    """The service that owns the rows of a kind of job; each method runs in the transaction that changes the job."""

    async def started(self, tx: Transaction, job: Row) -> bool:
        """Record that a worker took the job; return False if nothing is left to do. Called again after a lost lease."""
        ...

    async def ended(self, tx: Transaction, job: Row, ended: JobEnd) -> None:
        """Give the row its final state and write the event."""
        ...

    async def lost(self, tx: Transaction, job: Row) -> None:
        """Fail the row with UNAVAILABLE: MAX_ATTEMPTS leases ended without an outcome."""
        ...


class ChunkOwner(Owner, Protocol):
    """The owner of jobs that have several points each."""

    async def points_ended(self, tx: Transaction, job: Row, ends: Mapping[int, JobEnd], *, ends_chunk: bool) -> None:
        """Store the results of points by their numbers; at the chunk's end queue those without a result again."""
        ...

    async def extended(self, tx: Transaction, job: Row, free: Row) -> Sequence[Row]:
        """Give a chunk the next points of a free job of its batch; return their `index` and `parameters`."""
        ...
