"""Gives committed events their sequence numbers: one process at a time, of all nodes.

The numbers that rows get when they are written commit out of order, so a reader that went by them would miss the late ones. The
sequencer's place is an advisory lock of its connection, on which it also works: when its process dies, PostgreSQL ends the
connection and with it the lock, and another process has the place within POLL_SECONDS.
"""

from __future__ import annotations

import asyncio
import contextlib
import time

import psycopg
from psycopg.rows import DictRow, dict_row

from catenary_core import event_log, events
from catenary_core.db import Transaction
from catenary_core.faults import survived
from catenary_core.frame import Frame
from catenary_core.services.events import queries
from catenary_core.wakeups import POLL_SECONDS

FORGET_SECONDS = 60.0
"""Time between two looks for events that are too old."""
GATHER_SECONDS = 0.02
"""Between two looks at a busy log: what is committed meanwhile gets its numbers together."""
# A holder that is frozen, or whose machine is gone without a word, loses its place too; it shows itself every POLL_SECONDS.
_OPTIONS = "-c idle_session_timeout=10s -c timezone=UTC"


class Sequencer:
    """Runs in every core process; one of them has the place."""

    def __init__(self, frame: Frame) -> None:
        self._dsn = frame.db.dsn
        self._wakeups = frame.wakeups
        self._task: asyncio.Task[None] | None = None
        self._forget_at = 0.0
        self._busy_until = 0.0
        self.holds = False
        """Whether this process has the place."""

    async def start(self) -> None:
        """Begins to ask for the place."""
        self._task = asyncio.create_task(self._run(), name="event sequencer")

    async def stop(self) -> None:
        """Leaves the place."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            await survived("giving events their order", self._on_one_connection)
            await asyncio.sleep(POLL_SECONDS)

    async def _on_one_connection(self) -> None:
        connection: psycopg.AsyncConnection[DictRow]
        try:
            async with await psycopg.AsyncConnection.connect(
                self._dsn, autocommit=True, row_factory=dict_row, options=_OPTIONS
            ) as connection:
                tx = Transaction(connection)
                while not (await tx.one(queries.TRY_LOCK))["held"]:  # noqa: ASYNC110 (the event would be another process's end)
                    await asyncio.sleep(POLL_SECONDS)
                self.holds = True
                while True:
                    await self._step(tx)
        finally:
            self.holds = False

    async def _step(self, tx: Transaction) -> None:
        """Orders what is there, or waits for more; drops what is too old now and then."""
        ticket = self._wakeups.ticket(events.CHANNEL)
        given = (await tx.one(queries.GIVE_SEQUENCE))["count"]
        now = time.monotonic()
        if given:
            self._wakeups.fire(event_log.CHANNEL)
            self._busy_until = now + POLL_SECONDS
        if now >= self._forget_at:
            more = await event_log.forget(tx)
            self._forget_at = now + (0 if more else FORGET_SECONDS)
        if given == event_log.BATCH:
            return
        if given:
            await asyncio.sleep(GATHER_SECONDS)
        else:
            # While the log is busy, writers don't notify of each event (`events`).
            await self._wakeups.wait(ticket, GATHER_SECONDS if now < self._busy_until else POLL_SECONDS)
