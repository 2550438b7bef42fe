"""Assigns sequence numbers to committed events, in one process of all nodes at a time.

The numbers that rows get when they are inserted commit out of order; a reader that used them would miss late ones.
"""

from __future__ import annotations

import asyncio
import time

from catenary_core.database.leader_election import Leader
from catenary_core.database.transactions import Session, Transaction
from catenary_core.database.wakeups import POLL_SECONDS
from catenary_core.event_log import events, reader
from catenary_core.frame import Frame
from catenary_core.services.events import queries

FORGET_SECONDS = 60.0
"""Seconds between two removals of events that are too old."""
GATHER_SECONDS = 0.02
"""Seconds between two reads of a busy log: events committed in between get their numbers together."""
SETTLE_SECONDS = 0.005
"""Seconds from a wake-up to the read.

The writing call gets its response first. The pause also lets this process learn of the end of its own transaction,
which the notification may precede.
"""


class Sequencer(Leader):
    """The leader that assigns sequence numbers; every core process is a candidate."""

    def __init__(self, frame: Frame) -> None:
        super().__init__("giving events their order", frame.db)
        self._wakeups = frame.wakeups
        self._forget_at = 0.0
        self._busy_until = 0.0
        self._wrote_here = False
        frame.db.commits.add_listener(events.CHANNEL, self._on_commit)

    async def work(self, session: Session) -> None:
        """Assign numbers to events as they come."""
        while True:
            await self._order(session.read)

    async def _order(self, tx: Transaction) -> None:
        """Assign numbers to waiting events or wait for events; remove events that are too old from time to time."""
        ticket = self._wakeups.ticket(events.CHANNEL)
        here, self._wrote_here = self._wrote_here, False
        given = (await tx.one(queries.ASSIGN_SEQUENCE))["count"]
        now = time.monotonic()
        if given:
            self._wakeups.fire(reader.CHANNEL)
            if not here:  # other processes write, and they don't notify for each event (`events`)
                self._busy_until = now + POLL_SECONDS
        if now >= self._forget_at:
            more = await reader.forget(tx)
            self._forget_at = now + (0 if more else FORGET_SECONDS)
        if given == reader.BATCH:
            return
        if given:
            await asyncio.sleep(GATHER_SECONDS)
        else:
            await self._wakeups.wait(ticket, GATHER_SECONDS if now < self._busy_until else POLL_SECONDS)
            await asyncio.sleep(SETTLE_SECONDS)

    def _on_commit(self) -> None:
        """Record that this process has committed events."""
        self._wrote_here = True
