"""Waiting for the ends of jobs: one statement per wake-up for all waiters of a process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager

from catenary_core.background.failures import run_step
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Database
from catenary_core.database.wakeups import POLL_SECONDS, Wakeups


class EndWaiters:
    """The rows of one kind of job whose end coroutines of this process await."""

    def __init__(
        self, db: Database, wakeups: Wakeups, channel: str, ended: Statement, id_column: str, final: Collection[str]
    ) -> None:
        """Prepare to wait.

        Args:
            db: database with the rows.
            wakeups: wake-ups of this process.
            channel: channel that is notified when a row has a final status.
            ended: statement that reads the ended rows among `ids`.
            id_column: column of the row's id.
            final: the final statuses.
        """
        self._db = db
        self._wakeups = wakeups
        self._channel = channel
        self._ended = ended
        self._id_column = id_column
        self._final = final
        self._waiting: dict[str, set[asyncio.Future[Row]]] = {}
        self._reading: asyncio.Task[None] | None = None

    async def row(self, row_id: str, read: Callable[[], Awaitable[Row]], until: float) -> Row:
        """Return a row as `read` gives it when it has ended, or as it is at `until`.

        `until` is a time of `time.monotonic()`; at 0 nobody waits.
        """
        if not until:
            return await read()
        with self.expect(row_id) as ended:
            row = await read()
            if row["status"] in self._final or time.monotonic() >= until:
                return row
            return await wait_until(ended, until) or await read()

    @contextmanager
    def expect(self, row_id: str) -> Iterator[asyncio.Future[Row]]:
        """Provide a future of the ended row.

        Enter before reading or adding the row, so that no end is missed in between.
        """
        future: asyncio.Future[Row] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(row_id, set()).add(future)
        if self._reading is None or self._reading.done():
            ticket = self._wakeups.ticket(self._channel)
            self._reading = asyncio.create_task(self._resolve(ticket), name=f"ends of {self._channel}")
        try:
            yield future
        finally:
            future.cancel()
            waiters = self._waiting.get(row_id, set())
            waiters.discard(future)
            if not waiters:
                self._waiting.pop(row_id, None)

    def ended(self, row: Row) -> None:
        """Wake all waiters for an end that this process committed, ahead of any notification."""
        for future in self._waiting.pop(row[self._id_column], ()):
            if not future.done():
                future.set_result(row)

    async def _resolve(self, ticket: asyncio.Event) -> None:
        """Read ended rows after each wake-up, as long as there are waiters."""
        while self._waiting:
            await self._wakeups.wait(ticket, POLL_SECONDS)
            ticket = self._wakeups.ticket(self._channel)
            if not self._waiting:
                return
            if not await run_step(f"waiting for ends of {self._channel}", self._read_ended):
                await asyncio.sleep(POLL_SECONDS)

    async def _read_ended(self) -> None:
        async with self._db.read() as tx:
            rows = await tx.all(self._ended, ids=list(self._waiting))
        for row in rows:
            self.ended(row)


async def wait_until(future: asyncio.Future[Row], until: float) -> Row | None:
    """Return the ended row, or None if there is none by `until` (seconds of `time.monotonic()`)."""
    try:
        async with asyncio.timeout(max(0.0, until - time.monotonic())):
            return await future
    except TimeoutError:
        return None
