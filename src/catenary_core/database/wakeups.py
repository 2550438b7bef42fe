"""Wake-ups: resume waiting coroutines when another connection or process has changed something.

NOTIFY carries no payload and may be lost with its connection. So a waiter always reads the rows again, after one second
at the latest.
"""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial

from psycopg import sql

from catenary_core.background.periodic import Periodic
from catenary_core.database.connecting import connect
from catenary_core.database.transactions import Commits

POLL_SECONDS = 1.0
"""Longest time in seconds that a waiter relies on notifications alone."""


class Wakeups:
    """This process's LISTEN connection and the events on which its coroutines wait."""

    def __init__(self, dsn: str, channels: tuple[str, ...]) -> None:
        self._dsn = dsn
        self._events = {channel: asyncio.Event() for channel in channels}
        # Reconnects when the connection is lost; without a connection, waiters poll.
        self._listening = Periodic("listening for notifications", POLL_SECONDS, self._listen, at_once=True)

    async def start(self) -> None:
        """Start to listen."""
        await self._listening.start()

    async def stop(self) -> None:
        """Stop to listen."""
        await self._listening.stop()

    def fire(self, channel: str) -> None:
        """Wake this process's waiters of a channel at once, without waiting for the notification."""
        self._events[channel].set()
        self._events[channel] = asyncio.Event()

    def follow(self, commits: Commits) -> None:
        """Fire after each of this process's own commits."""
        for channel in self._events:
            commits.add_listener(channel, partial(self.fire, channel))

    def ticket(self, channel: str) -> asyncio.Event:
        """Return the event to wait on; take it before reading the rows, so that no wake-up is missed."""
        return self._events[channel]

    async def wait(self, ticket: asyncio.Event, timeout: float) -> None:  # noqa: ASYNC109 (a bound, not a cancellation)
        """Wait for the ticket's event, at most POLL_SECONDS and at most `timeout` seconds."""
        # Not `asyncio.wait_for`: see `background.failures.end`.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(timeout, POLL_SECONDS)):
                await ticket.wait()

    async def _listen(self) -> None:
        async with await connect(self._dsn, autocommit=True) as connection:
            for channel in self._events:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            async for notification in connection.notifies():
                self.fire(notification.channel)
