"""The only reader of the event log in a process, and its subscribers.

It reads each event once, determines its viewers once, and offers it to the subscribers. Every second it checks whether
their credentials and roles are still valid, for all subscribers together.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable

from catenary.platform.v1.event_service_shapes import SubscribeResponse
from catenary.platform.v1.event_shapes import Event
from catenary_core.access.audience import Audiences
from catenary_core.background.failures import end, run_step
from catenary_core.call.call import Identity, IdentityCheck
from catenary_core.call.errors import DomainError, not_found
from catenary_core.database.statements import Row
from catenary_core.database.wakeups import POLL_SECONDS
from catenary_core.event_log import reader
from catenary_core.event_log.event_types import Selection
from catenary_core.frame import Frame
from catenary_core.services.events.offered import OfferedEvent
from catenary_core.services.events.subscription import Subscription
from catenary_wire.limit_sentences import counted

MAX_SUBSCRIPTIONS = 10_000
"""Maximum number of streams in a process."""
RETRY_SECONDS = 5.0
"""Seconds after which a refused subscriber may try again."""
CHECK_SECONDS = 1.0
"""Seconds between two checks of credentials and roles."""
GATHER_SECONDS = 25e-6
"""Pause per stream between two reads of the log: about half of the time that sending one message takes."""


class Feed:
    """Streams of events for the callers of one process."""

    def __init__(self, frame: Frame, standing: IdentityCheck, clock: Callable[[], float] = time.time) -> None:
        """Create the feed; `clock` returns Unix seconds, by which credentials expire."""
        self._db = frame.db
        self._wakeups = frame.wakeups
        self._standing = standing
        self._clock = clock
        self._audiences = Audiences(frame.db)
        self._subscriptions: set[Subscription] = set()
        self._subscribed = asyncio.Event()
        self._streams_of_caller: Counter[str] = Counter()
        self._most_of_caller = frame.settings.streams_per_user
        self._position = 0
        self._open = False
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start reading at the end of the log."""
        async with self._db.read() as tx:
            self._position, _ = await reader.end(tx)
        self._open = True
        self._tasks = [
            asyncio.create_task(self._follow(), name="event feed"),
            asyncio.create_task(self._watch(), name="event subscribers"),
        ]

    async def stop(self) -> None:
        """End every stream, accept no new one, and stop reading."""
        self.close()
        for task in self._tasks:
            await end(task)

    def close(self) -> None:
        """End every stream, so that none delays a stop, and accept no new one."""
        self._open = False
        for subscription in self._subscriptions:
            subscription.end(_stopping())

    async def subscribe(
        self, identity: Identity, selection: Selection, after: str | None, field: str = "after"
    ) -> AsyncGenerator[SubscribeResponse, None]:
        """Return an identity's stream of Subscribe messages.

        The stream itself may also raise RATE_LIMIT_EXCEEDED and UNAVAILABLE, before its first message.

        Args:
            identity: the caller.
            selection: the types and the project to receive events of.
            after: id of the event to continue after; None starts at the end of the log.
            field: name of the request's field that gave `after`, for errors.

        Raises:
            DomainError: NOT_FOUND: the identity has no role in the selection's project, or is a link to another one. GONE
                or VALIDATION_ERROR: `after` is no longer, or never was, an event of the log. TOKEN_EXPIRED: the
                credential has expired and is only accepted for clock skew. RATE_LIMIT_EXCEEDED: the caller has too many
                streams. UNAVAILABLE: the process has too many streams or is stopping.
        """
        self._check_room(identity.principal_id)
        if identity.expires_at is not None and identity.expires_at <= self._clock():
            raise _expired()
        project_id = selection.project_id
        if project_id is not None and not _has_role(identity, project_id, await self._audiences.members([project_id])):
            raise not_found("project")
        async with self._db.read() as tx:
            if after is None:
                position, position_id = await reader.end(tx)
            else:
                position, position_id = await reader.position(tx, after, field), after
        return self._stream(Subscription(identity, selection, position), position_id)

    async def _stream(
        self, subscription: Subscription, position_id: str | None
    ) -> AsyncGenerator[SubscribeResponse, None]:
        caller_id = subscription.identity.principal_id
        # No await until the stream is counted, so that simultaneous calls can't exceed the limits.
        self._check_room(caller_id)
        self._subscriptions.add(subscription)
        self._subscribed.set()
        self._streams_of_caller[caller_id] += 1
        try:
            yield {"events": [], "position": position_id}
            while subscription.position < self._position:
                if events := await self._read_earlier(subscription):
                    yield {"events": events, "position": None}
                subscription.check()
            # No await since the last comparison with the feed's position, so that no event is missed in between.
            subscription.live = True
            while True:
                yield {"events": await subscription.taken(), "position": None}
        finally:
            self._subscriptions.discard(subscription)
            self._streams_of_caller[caller_id] -= 1
            if not self._streams_of_caller[caller_id]:
                del self._streams_of_caller[caller_id]

    def _check_room(self, caller_id: str) -> None:
        """Check that the limits allow the user, or the share link, another stream.

        Raises RATE_LIMIT_EXCEEDED: the caller has too many. Raises UNAVAILABLE: the process has too many or is stopping.
        """
        if not self._open:
            raise _stopping()
        if self._streams_of_caller[caller_id] >= self._most_of_caller:
            raise DomainError(
                "RATE_LIMIT_EXCEEDED",
                f"You have {counted(self._most_of_caller, 'stream')} of events open here; close one, or share one among your"
                " programs. An operator may raise CATENARY_STREAMS_PER_USER.",
                details={
                    "limit": self._most_of_caller,
                    "remaining": 0,
                    "reset": math.ceil(time.time() + RETRY_SECONDS),
                },
                retry_after=RETRY_SECONDS,
            )
        if len(self._subscriptions) >= MAX_SUBSCRIPTIONS:
            raise DomainError("UNAVAILABLE", "There are too many streams now; try again.", retry_after=RETRY_SECONDS)

    async def _read_earlier(self, subscription: Subscription) -> list[Event]:
        """Read the next events of the log for a subscriber that isn't live yet."""
        rows = await self._read(subscription.position)
        viewers = await self._audiences.of(rows)
        if rows:
            subscription.position = rows[-1]["sequence"]
        offered = [OfferedEvent(row, seen) for row, seen in zip(rows, viewers, strict=True)]
        return [event for one in offered if (event := subscription.taken_of(one)) is not None]

    async def _read(self, after: int) -> list[Row]:
        async with self._db.read() as tx:
            return await reader.read(tx, after)

    async def _follow(self) -> None:
        while True:
            ticket = self._wakeups.ticket(reader.CHANNEL)
            went_well = await run_step("following the event log", self._advance)
            if not went_well:
                await asyncio.sleep(POLL_SECONDS)
            else:
                self._subscribed.clear()
                # Without subscribers, wait for one instead of for events.
                await self._wakeups.wait(ticket if self._subscriptions else self._subscribed, POLL_SECONDS)

    async def _advance(self) -> None:
        """Offer new events to the subscribers; without subscribers only move to the end of the log."""
        if not self._subscriptions:
            async with self._db.read() as tx:
                end, _ = await reader.end(tx)
            if not self._subscriptions:  # a subscriber that came meanwhile must get the events in between
                if end != self._position:
                    self._audiences.forget()  # skipped events may have changed visibility
                self._position = end
                return
        while rows := await self._read(self._position):
            if self._subscriptions:
                viewers = await self._audiences.of(rows)
                for row, seen in zip(rows, viewers, strict=True):
                    offered = OfferedEvent(row, seen)
                    for subscription in self._subscriptions:
                        if subscription.live:
                            subscription.offer(offered)
            else:
                self._audiences.forget()  # as above: skipped events may have changed visibility
            # Without subscribers there was no await since the last check for them.
            self._position = rows[-1]["sequence"]
            # The streams send now. With many streams, events that arrive close together are sent in one write per
            # stream.
            await asyncio.sleep(len(self._subscriptions) * GATHER_SECONDS)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            if self._subscriptions:
                await run_step("checking event subscribers", self._check)

    async def _check(self) -> None:
        """End the streams whose credentials or roles are no longer valid; update the other identities."""
        subscriptions = list(self._subscriptions)
        now = self._clock()
        standing = await self._standing([one.identity for one in subscriptions])
        projects = {one.selection.project_id for one in subscriptions if one.selection.project_id is not None}
        members = await self._audiences.members(projects) if projects else {}
        for subscription, identity in zip(subscriptions, standing, strict=True):
            project_id = subscription.selection.project_id
            ends_at = subscription.identity.expires_at
            if ends_at is not None and ends_at <= now:
                subscription.end(_expired())
            elif identity is None:
                subscription.end(DomainError("INVALID_TOKEN", "The credential was revoked or disabled."))
            elif project_id is None or _has_role(identity, project_id, members):
                subscription.identity, subscription.without_role = identity, False
            elif subscription.without_role:
                subscription.end(not_found("project"))
            else:  # wait for the next check, so that the event about the lost role is sent first
                subscription.without_role = True


def _has_role(identity: Identity, project_id: str, members: dict[str, frozenset[str]]) -> bool:
    if identity.shown is not None:
        return project_id in members and identity.shown.project_id == project_id
    return project_id in members and (identity.admin or identity.user_id in members[project_id])


def _expired() -> DomainError:
    return DomainError("TOKEN_EXPIRED", "The credential has ended; get a new one.")


def _stopping() -> DomainError:
    return DomainError("UNAVAILABLE", "This server is stopping; connect again.", retry_after=1.0)
