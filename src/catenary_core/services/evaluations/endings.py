"""Waiting for evaluations to end: one statement per wake-up for all waiters of the process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager

from catenary_core.background.failures import run_step
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Database
from catenary_core.database.wakeups import POLL_SECONDS, Wakeups
from catenary_core.services.evaluations import queries
from catenary_core.services.evaluations.tables import CHANNEL


class EvaluationWaiters:
    """The evaluations whose end coroutines of this process await."""

    def __init__(self, db: Database, wakeups: Wakeups) -> None:
        self._db = db
        self._wakeups = wakeups
        self._waiting: dict[str, set[asyncio.Future[Row]]] = {}
        self._reading: asyncio.Task[None] | None = None

    @contextmanager
    def expect(self, evaluation_id: str) -> Iterator[asyncio.Future[Row]]:
        """Provide a future of the ended evaluation's row.

        Enter before reading or adding the row, so that no end is missed in between.
        """
        future: asyncio.Future[Row] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(evaluation_id, set()).add(future)
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._resolve(self._wakeups.ticket(CHANNEL)), name="evaluation endings")
        try:
            yield future
        finally:
            future.cancel()
            waiters = self._waiting.get(evaluation_id, set())
            waiters.discard(future)
            if not waiters:
                self._waiting.pop(evaluation_id, None)

    def ended(self, row: Row) -> None:
        """Wake all waiters for an end that this process committed, ahead of any notification."""
        for future in self._waiting.pop(row["evaluation_id"], ()):
            if not future.done():
                future.set_result(row)

    async def _resolve(self, ticket: asyncio.Event) -> None:
        """Read ended evaluations after each wake-up, as long as there are waiters."""
        while self._waiting:
            await self._wakeups.wait(ticket, POLL_SECONDS)
            ticket = self._wakeups.ticket(CHANNEL)
            if not self._waiting:
                return
            if not await run_step("waiting for evaluations", self._read_ended):
                await asyncio.sleep(POLL_SECONDS)

    async def _read_ended(self) -> None:
        async with self._db.read() as tx:
            rows = await tx.all(queries.FINAL, evaluation_ids=list(self._waiting))
        for row in rows:
            self.ended(row)


async def wait_until(future: asyncio.Future[Row], until: float) -> Row | None:
    """Return the ended evaluation's row, or None if there is none by `until` (seconds of `time.monotonic()`)."""
    try:
        async with asyncio.timeout(max(0.0, until - time.monotonic())):
            return await future
    except TimeoutError:
        return None
