"""The stream between a live session and its worker: designs go out, outcomes and bytes of geometry come back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary.worker.v1 import worker_service_shapes as shapes
from catenary_core.background.failures import end
from catenary_core.call.errors import DomainError, invalid
from catenary_core.call.validation import check
from catenary_core.jobs.designs import GeometryBytes, GeometryFiles
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
        reading = asyncio.create_task(_read(session, requests, digest, revoke), name="results of a live session")
        try:
            while (design := await session.next_design()) is not None:
                yield {"parameters": dict(design.values), "geometry": design.geometry}
        finally:
            await end(reading)


async def _read(session: LiveSession, requests: AsyncIterator[pb.SessionRequest], digest: str, revoke: Revoke) -> None:
    """Answer the session's designs with what the worker sends.

    Raises VALIDATION_ERROR: the worker broke the order of the messages; the worker then counts as lost.
    """
    missing, is_taken, is_revoked = 0, False, False
    try:
        async for message in requests:
            if message.HasField("outcome"):
                if missing:
                    raise _bad("outcome", "comes before the bytes of the last one")
                missing, is_taken = await _outcome(session, message, digest)
                if is_taken and message.outcome.not_repeatable and not is_revoked:
                    is_revoked = True
                    await revoke(message.outcome.not_repeatable)
            else:
                check(message)
            if message.chunk:
                missing -= len(message.chunk)
                if missing < 0:
                    raise _bad("chunk", "has more bytes than were announced")
                if is_taken:
                    await session.put(GeometryBytes(message.chunk))
                if not missing:
                    session.complete()
    finally:
        session.leave()


async def _outcome(session: LiveSession, message: pb.SessionRequest, digest: str) -> tuple[int, bool]:
    """Answer the design that was handed; return the number of bytes that follow, and whether they are wanted.

    A result that breaks a rule is the fault of the model, which any worker would repeat: its design has failed with the
    rule, and the bytes that the worker announced are passed over.
    """
    size = sum(artefact.size for artefact in message.outcome.artefacts)
    try:
        check(message)
        ended = await outcome.read(message.outcome, digest)
    except DomainError as refusal:
        ended, is_taken = outcome.not_taken(refusal, session.handed_seconds * 1000, digest), False
    else:
        is_taken = True
    design = await session.compute(ended)
    if design is None:
        raise _bad("outcome", "comes without a design")
    if is_taken and design.geometry and ended.status == "completed":
        await session.put(GeometryFiles(design.id, ended.artefacts))
    elif is_taken and size:
        raise _bad("outcome", "has a geometry that was not asked for")
    if not size:
        session.complete()
    return size, is_taken


def _bad(field: str, why: str) -> DomainError:
    return invalid(field, "{field} {why}.", value=None, constraint="order", why=why)
