"""Gives committed events their sequence numbers: one process at a time, of all nodes.

The numbers that rows get when they are written commit out of order, so a reader that went by them would miss the late ones.
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
"""Time between two looks for events that are too old."""
GATHER_SECONDS = 0.02
"""Between two looks at a busy log: what is committed meanwhile gets its numbers together."""
SETTLE_SECONDS = 0.005
"""From a wake-up to the look: the call that wrote has its answer first, and the end of its transaction is known here, which
the notification of it may be ahead of."""


class Sequencer(Leader):
    """Runs in every core process; one of them has the place."""

    def __init__(self, frame: Frame) -> None:
        super().__init__("giving events their order", frame.db)
        self._wakeups = frame.wakeups
        self._forget_at = 0.0
        self._busy_until = 0.0
        self._is_written_here = False
        frame.db.commits.tell(events.CHANNEL, self._noted)

    async def work(self, session: Session) -> None:
        """Orders what comes."""
        while True:
            await self._order(session.read)

    async def _order(self, tx: Transaction) -> None:
        """Orders what is there, or waits for more; drops what is too old now and then."""
        ticket = self._wakeups.ticket(events.CHANNEL)
        here, self._is_written_here = self._is_written_here, False
        given = (await tx.one(queries.GIVE_SEQUENCE))["count"]
        now = time.monotonic()
        if given:
            self._wakeups.fire(reader.CHANNEL)
            if not here:  # other processes write, and don't notify of each event (`events`)
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

    def _noted(self) -> None:
        """This process has committed events."""
        self._is_written_here = True
