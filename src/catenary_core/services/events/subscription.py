"""One subscriber: what it may see and asked for, and what waits for it."""

from __future__ import annotations

import asyncio
from collections import deque

from catenary.platform.v1.event_shapes import Event
from catenary_core.access.audience import Viewers, may_see
from catenary_core.call.call import Identity
from catenary_core.call.errors import DomainError
from catenary_core.database.statements import Row
from catenary_core.event_log.event_types import Selection

MAX_WAITING = 1000
"""Events that may wait for a subscriber that takes them too slowly."""
MAX_TAKEN = 100
"""Events that it is given at once."""


class Subscription:
    """What the feed puts events into and one stream takes them out of.

    `position` is the sequence number of the last event that it was offered. It is `live` when the feed offers it what comes;
    before, its stream reads the log itself. `without_role`: the last check found no role in the selection's project.
    """

    def __init__(self, identity: Identity, selection: Selection, position: int) -> None:
        self.identity = identity
        self.selection = selection
        self.position = position
        self.live = False
        self.without_role = False
        self._waiting: deque[Event] = deque()
        self._some = asyncio.Event()
        self._end: DomainError | None = None

    def offer(self, row: Row, event: Event, viewers: Viewers) -> None:
        """Puts an event in, unless it was offered before or isn't for this subscriber. One who lags too far is ended."""
        if self._end is not None or row["sequence"] <= self.position:
            return
        self.position = row["sequence"]
        if not self.takes(row, viewers):
            return
        if len(self._waiting) >= MAX_WAITING:
            self.end(
                DomainError(
                    "RATE_LIMIT_EXCEEDED",
                    f"The reader is over {MAX_WAITING} events behind; go on with the last event's id as after.",
                    retry_after=1.0,
                )
            )
            return
        self._waiting.append(event)
        self._some.set()

    def takes(self, row: Row, viewers: Viewers) -> bool:
        """Whether the event was asked for and may be seen."""
        return self.selection.covers(row["type"], row["project_id"]) and may_see(self.identity, row["type"], viewers)

    def end(self, error: DomainError) -> None:
        """Ends the stream with an error; what waits is dropped, the reader can have it again."""
        if self._end is None:
            self._end = error
            self._waiting.clear()
        self._some.set()

    def check(self) -> None:
        """Raises the error that has ended it."""
        if self._end is not None:
            raise self._end

    async def taken(self) -> list[Event]:
        """Waits for events and takes them out. Raises the error that has ended the subscription."""
        await self._some.wait()
        self.check()
        waiting = self._waiting
        taken = [waiting.popleft() for _ in range(min(len(waiting), MAX_TAKEN))]
        if not waiting:
            self._some.clear()
        return taken
