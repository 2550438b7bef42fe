"""The stream between a live session and its worker: designs go out; outcomes, then geometry, come back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary.worker.v1 import worker_service_shapes as shapes
from catenary_core.background.failures import end
from catenary_core.call.errors import DomainError, invalid
from catenary_core.call.validation import check
from catenary_core.jobs.designs import GeometryBytes
from catenary_core.jobs.queue import JobEnd
from catenary_core.jobs.sessions import LiveSession
from catenary_core.services.worker import outcome

Revoke = Callable[[str], Awaitable[None]]
"""Records for the session's version, with a reason, that no process may run several of its points any more."""


async def hold(
    session: LiveSession, requests: AsyncIterator[pb.SessionRequest], digest: str, revoke: Revoke
) -> AsyncGenerator[shapes.SessionResponse]:
    """Yield the designs of a session until it ends or its worker leaves.

    Args:
        session: the session.
        requests: the worker's messages, the first included.
        digest: the digest of the worker's runtime.
        revoke: records that the version is not repeatable.
    """
    with session.attached():
        reading = asyncio.create_task(_Reader(session, digest, revoke).read(requests), name="results of a live session")
        try:
            while (design := await session.next_design()) is not None:
                yield {"parameters": dict(design.values), "geometry": design.geometry}
        finally:
            await end(reading)


class _Reader:
    """Answers a session's designs with what its worker sends; a worker that breaks the order of messages counts as lost."""

    def __init__(self, session: LiveSession, digest: str, revoke: Revoke) -> None:
        self._session = session
        self._digest = digest
        self._revoke = revoke
        self._is_due = False
        """Whether a geometry comes next."""
        self._missing = 0
        """Bytes that come next."""
        self._is_taken = False
        """Whether they are wanted."""
        self._is_revoked = False

    async def read(self, requests: AsyncIterator[pb.SessionRequest]) -> None:
        """Read the worker's messages until it leaves.

        Raises VALIDATION_ERROR: the worker broke the order of the messages.
        """
        try:
            async for message in requests:
                if message.HasField("outcome"):
                    await self._outcome(message)
                elif message.HasField("geometry"):
                    await self._geometry(message)
                else:
                    check(message)
                if message.chunk:
                    await self._chunk(message.chunk)
        finally:
            self._session.leave()

    async def _outcome(self, message: pb.SessionRequest) -> None:
        """Answer the design that was handed.

        A result that breaks a rule is the fault of the model, which any worker would repeat: its design has failed with the
        rule, and the geometry that the worker computes is passed over.
        """
        if self._is_due or self._missing:
            raise _bad("outcome", "comes before the geometry of the last one and its bytes")
        if message.outcome.artefacts:
            raise _bad("outcome", "has artefacts, which come after it as geometry")
        ended = await self._read(message, message.outcome)
        wanted = self._session.handed_geometry and message.outcome.status == "completed"
        if await self._session.compute(ended, is_computing=wanted) is None:
            raise _bad("outcome", "comes without a design")
        self._is_due = wanted
        if not wanted:
            self._session.complete()

    async def _geometry(self, message: pb.SessionRequest) -> None:
        """Answer the design that has its result with its geometry, which is passed over where nobody wants it any more."""
        if not self._is_due:
            raise _bad("geometry", "comes without an outcome, or was not asked for")
        self._is_due = False
        ended = await self._read(message, message.geometry)
        self._is_taken = await self._session.add_geometry(ended)
        self._missing = sum(artefact.size for artefact in message.geometry.artefacts)
        if not self._missing:
            self._session.complete()

    async def _chunk(self, chunk: bytes) -> None:
        self._missing -= len(chunk)
        if self._missing < 0:
            raise _bad("chunk", "has more bytes than were announced")
        if self._is_taken:
            await self._session.put(GeometryBytes(chunk))
        if not self._missing:
            self._session.complete()

    async def _read(self, message: pb.SessionRequest, found: pb.Outcome) -> JobEnd:
        """Return an outcome; one that breaks a rule as a failure with that rule."""
        try:
            check(message)
            ended = await outcome.read(found, self._digest)
        except DomainError as refusal:
            return outcome.not_taken(refusal, self._session.handed_seconds * 1000, self._digest)
        if ended.not_repeatable and not self._is_revoked:
            self._is_revoked = True
            await self._revoke(ended.not_repeatable)
        return ended


def _bad(field: str, why: str) -> DomainError:
    return invalid(field, "{field} {why}.", value=None, constraint="order", why=why)
