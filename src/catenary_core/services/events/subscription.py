"""One subscriber of the event feed, with the events that wait for it."""

from __future__ import annotations

import asyncio
from collections import deque

from catenary.platform.v1.event_shapes import Event
from catenary_core.call.call import Identity
from catenary_core.call.errors import DomainError
from catenary_core.event_log.event_types import Selection
from catenary_core.services.events.offered import OfferedEvent

MAX_WAITING = 1000
"""Maximum number of events that wait for a slow subscriber."""
MAX_TAKEN = 100
"""Maximum number of events in one message."""


class Subscription:
    """A bounded queue of events, which the feed fills and one stream empties.

    - `position`: sequence number of the last event that the subscriber was offered.
    - `live`: whether the feed offers new events. Before that, the stream itself reads the log.
    - `without_role`: whether the last check found no role in the selection's project.
    """

    def __init__(self, identity: Identity, selection: Selection, position: int) -> None:
        self.identity = identity
        self.selection = selection
        self.position = position
        self.live = False
        self.without_role = False
        self._waiting: deque[Event] = deque()
        self._available = asyncio.Event()
        self._end: DomainError | None = None

    def offer(self, offered: OfferedEvent) -> None:
        """Queue an event unless it was offered before or isn't for this subscriber.

        End a subscriber that lags too far.
        """
        if self._end is not None or offered.sequence <= self.position:
            return
        self.position = offered.sequence
        event = self.taken_of(offered)
        if event is None:
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
        self._available.set()

    def taken_of(self, offered: OfferedEvent) -> Event | None:
        """Return the event as the subscriber sees it; None if it has not selected the event, or may not see it."""
        if not self.selection.covers(offered.type, offered.project_id):
            return None
        return offered.message_for(self.identity)

    def end(self, error: DomainError) -> None:
        """End the stream with an error. Waiting events are dropped; the subscriber can read them again."""
        if self._end is None:
            self._end = error
            self._waiting.clear()
        self._available.set()

    def check(self) -> None:
        """Raise the error that has ended the subscription, if any."""
        if self._end is not None:
            raise self._end

    async def taken(self) -> list[Event]:
        """Wait for events and take them out; raise the error that has ended the subscription."""
        await self._available.wait()
        self.check()
        waiting = self._waiting
        taken = [waiting.popleft() for _ in range(min(len(waiting), MAX_TAKEN))]
        if not waiting:
            self._available.clear()
        return taken
