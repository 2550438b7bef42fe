"""Wakes waiting coroutines when another connection or process changed something.

NOTIFY carries no payload and may be lost with its connection, so a waiter always looks at the rows again, and after a
second in any case.
"""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial

import psycopg
from psycopg import sql

from catenary_core.background.periodic import Periodic
from catenary_core.database.transactions import Commits

POLL_SECONDS = 1.0


class Wakeups:
    """One LISTEN connection of this process, and the events that its coroutines wait on."""

    def __init__(self, dsn: str, channels: tuple[str, ...]) -> None:
        self._dsn = dsn
        self._events = {channel: asyncio.Event() for channel in channels}
        # One connection after another; while there is none, waiters poll.
        self._listening = Periodic("listening for notifications", POLL_SECONDS, self._listen, at_once=True)

    async def start(self) -> None:
        """Begins to listen."""
        await self._listening.start()

    async def stop(self) -> None:
        """Ends listening."""
        await self._listening.stop()

    def fire(self, channel: str) -> None:
        """Wakes this process's waiters of a channel at once, ahead of the notification."""
        self._events[channel].set()
        self._events[channel] = asyncio.Event()

    def follow(self, commits: Commits) -> None:
        """Fires after this process's own commits."""
        for channel in self._events:
            commits.tell(channel, partial(self.fire, channel))

    def ticket(self, channel: str) -> asyncio.Event:
        """What to wait on. Take it before looking at the rows, so that no wake-up falls between."""
        return self._events[channel]

    async def wait(self, ticket: asyncio.Event, timeout: float) -> None:  # noqa: ASYNC109 (a bound, not a cancellation)
        """Waits for the ticket's wake-up, the poll interval or the timeout, whichever is first."""
        # Not `asyncio.wait_for`: see `faults.end`.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(timeout, POLL_SECONDS)):
                await ticket.wait()

    async def _listen(self) -> None:
        async with await psycopg.AsyncConnection.connect(self._dsn, autocommit=True) as connection:
            for channel in self._events:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            async for notification in connection.notifies():
                self.fire(notification.channel)
