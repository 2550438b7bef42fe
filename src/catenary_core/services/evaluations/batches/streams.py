"""Streams of the points of batches, each as it ends."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import AsyncGenerator

from catenary.platform.v1.batch_service_shapes import StreamBatchResultsResponse
from catenary.platform.v1.batch_shapes import BatchStreamItem
from catenary_core.access.policy import RoleOf
from catenary_core.call.call import Identity, IdentityCheck
from catenary_core.call.errors import DomainError, invalid, not_found
from catenary_core.database.statements import Row
from catenary_core.database.wakeups import POLL_SECONDS
from catenary_core.frame import Frame
from catenary_core.services.evaluations.batches import messages, queries
from catenary_core.services.evaluations.tables import BATCHES
from catenary_wire.limit_sentences import counted

READ_SECONDS = 0.5
"""Shortest time between two reads of a stream, unless the batch is about to end."""
LAST_READ_SECONDS = 0.02
"""Shortest time between two reads of a stream whose batch is about to end."""
CHECK_SECONDS = 1.0
"""Seconds between two checks of a stream's credential and role."""
RETRY_SECONDS = 5.0
"""Seconds after which a refused reader may try again."""
MOST_ITEMS = 100
"""Points of one message."""
MESSAGE_BYTES = 1024**2
"""Bytes of results after which a message has no further point."""


class BatchStreams:
    """The streams of one process; the rows are the only state, so that a stream resumes at any node."""

    def __init__(self, frame: Frame, recheck: IdentityCheck, role_of: RoleOf) -> None:
        """Prepare streams.

        Args:
            frame: parts of the core.
            recheck: checks callers again.
            role_of: finds callers' roles.
        """
        self._db = frame.db
        self._wakeups = frame.wakeups
        self._recheck = recheck
        self._role_of = role_of
        self._most_of_user = frame.settings.streams_per_user
        self._streams_of_user: Counter[str] = Counter()
        self._is_open = True

    def close(self) -> None:
        """End every stream, and take no new one."""
        self._is_open = False

    async def open(
        self, identity: Identity, project_id: str, batch_id: str, after: int
    ) -> AsyncGenerator[StreamBatchResultsResponse, None]:
        """Return the stream of a batch's items after a position.

        Raises NOT_FOUND: there is no such batch. Raises VALIDATION_ERROR: the batch has no such item yet. The stream
        itself may also raise RATE_LIMIT_EXCEEDED and UNAVAILABLE, before its first message.
        """
        row = await self._batch(batch_id)
        last = messages.ended(row) + (row["status"] in messages.FINAL)
        if after > last:
            raise invalid(
                "after",
                "{field} is no item of this stream yet; give the id of an item that it sent.",
                value=str(after),
                constraint="unknown",
            )
        return self._stream(identity, project_id, batch_id, after)

    async def _stream(
        self, identity: Identity, project_id: str, batch_id: str, after: int
    ) -> AsyncGenerator[StreamBatchResultsResponse, None]:
        self._check_room(identity.principal_id)
        self._streams_of_user[identity.principal_id] += 1
        try:
            yield {"items": [], "position": str(after)}
            checked = time.monotonic()
            ended, read_at = after, math.inf  # no read was before the first
            while True:
                ticket = self._wakeups.ticket(BATCHES)
                read_before, read_at = read_at, time.monotonic()
                row = await self._batch(batch_id)  # before the points, so that none is missed at the end
                while items := await self._items(batch_id, after):
                    after += len(items)
                    yield {"items": items, "position": None}
                if row["status"] in messages.FINAL:
                    if after == messages.ended(row):
                        last: BatchStreamItem = {"id": str(after + 1), "result": None, "batch": messages.batch(row)}
                        yield {"items": [last], "position": None}
                    return
                await self._wakeups.wait(ticket, POLL_SECONDS)
                ended_before, ended = ended, messages.ended(row)
                pause = pause_of(row["queued"] + row["running"], ended - ended_before, max(0.0, read_at - read_before))
                await asyncio.sleep(max(0.0, read_at + pause - time.monotonic()))
                if time.monotonic() - checked >= CHECK_SECONDS:
                    await self._check(identity, project_id)
                    checked = time.monotonic()
                if not self._is_open:
                    raise _stopping()
        finally:
            self._streams_of_user[identity.principal_id] -= 1
            if not self._streams_of_user[identity.principal_id]:
                del self._streams_of_user[identity.principal_id]

    async def _batch(self, batch_id: str) -> Row:
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.ONE, batch_id=batch_id)
        if row is None:
            raise not_found("batch")
        return row

    async def _items(self, batch_id: str, after: int) -> list[BatchStreamItem]:
        async with self._db.read() as tx:
            rows = await tx.all(
                queries.ENDED_POINTS, batch_id=batch_id, after=after, most=MOST_ITEMS, most_bytes=MESSAGE_BYTES
            )
        return [{"id": str(row["position"]), "result": messages.result(row), "batch": None} for row in rows]

    async def _check(self, identity: Identity, project_id: str) -> None:
        """Check the credential and the role of a stream's caller again.

        Raises TOKEN_EXPIRED or INVALID_TOKEN: the credential has ended. Raises NOT_FOUND: the role has.
        """
        if identity.expires_at is not None and identity.expires_at <= time.time():
            raise DomainError("TOKEN_EXPIRED", "The credential has ended; get a new one.")
        (now,) = await self._recheck([identity])
        if now is None:
            raise DomainError("INVALID_TOKEN", "The credential was revoked or disabled.")
        if await self._role_of(project_id, now) is None:
            raise not_found("batch")

    def _check_room(self, user_id: str) -> None:
        """Check that the user may have another stream.

        Raises RATE_LIMIT_EXCEEDED: the user has too many. Raises UNAVAILABLE: the process is stopping.
        """
        if not self._is_open:
            raise _stopping()
        if self._streams_of_user[user_id] >= self._most_of_user:
            raise DomainError(
                "RATE_LIMIT_EXCEEDED",
                f"You have {counted(self._most_of_user, 'stream')} of batches open here; close one."
                " An operator may raise CATENARY_STREAMS_PER_USER.",
                details={
                    "limit": self._most_of_user,
                    "remaining": 0,
                    "reset": math.ceil(time.time() + RETRY_SECONDS),
                },
                retry_after=RETRY_SECONDS,
            )


def pause_of(left: int, ended: int, seconds: float) -> float:
    """Return the shortest time between two reads: half of what the points that are left will take, in bounds.

    So a stream tells the end of a batch soon, and reads a long batch seldom.

    Args:
        left: points of the batch that have not ended.
        ended: points that ended between the last two reads.
        seconds: time between the last two reads; 0 for the first.
    """
    if not ended:
        return READ_SECONDS if seconds else LAST_READ_SECONDS
    return min(READ_SECONDS, max(LAST_READ_SECONDS, left * seconds / ended / 2))


def _stopping() -> DomainError:
    return DomainError("UNAVAILABLE", "This server is stopping; connect again.", retry_after=1.0)
