"""The designs that a caller sends: checked one by one, with the fault of each as its answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from catenary.platform.v1 import explore_service_pb2 as pb
from catenary_core.background.failures import run_step
from catenary_core.call import json_text
from catenary_core.call.errors import CallError, DomainError, invalid
from catenary_core.call.validation import check, lower_ids
from catenary_core.jobs.designs import Design, RefusedDesign
from catenary_core.jobs.sessions import LiveSession, broken
from catenary_core.services.evaluations import rules
from catenary_core.services.evaluations.sessions.input_files import SessionFiles

_LARGE = 64 * 1024
"""Bytes of a message above which a thread reads it, so that the event loop isn't blocked."""
MAX_ID = 2**53 - 1
"""Largest number of a design: the largest integer that every JSON parser reads exactly (RFC 8259, section 6)."""


async def read(
    session: LiveSession, head: pb.ExploreRequest, requests: AsyncIterator[pb.ExploreRequest], files: SessionFiles
) -> None:
    """Give a caller's designs to a session until the caller sends no more; an unforeseen failure ends the session.

    Args:
        session: the session.
        head: the first message, which may have a design.
        requests: the later messages.
        files: the files that designs may name.
    """
    if not await run_step("reading the designs of a live session", lambda: _read(session, head, requests, files)):
        session.end(broken())
    session.finish()


async def _read(
    session: LiveSession, head: pb.ExploreRequest, requests: AsyncIterator[pb.ExploreRequest], files: SessionFiles
) -> None:
    try:
        if head.HasField("id"):
            await _take(session, head, files)
        async for message in requests:
            session.note_message()
            await _take(session, message, files)
            await asyncio.sleep(0)  # messages that are all here don't keep the process from others
    except CallError as error:  # of a message that is none
        session.end(error)


async def _take(session: LiveSession, message: pb.ExploreRequest, files: SessionFiles) -> None:
    arrived_at = time.monotonic()
    try:
        _take_number(session, message)
        try:
            design = await _checked(session, message, files)
        except DomainError as error:
            # A file that is new since the last look, or the first file of the session.
            is_unknown = any(fault.constraint == rules.UNKNOWN_FILE for fault in error.violations)
            if not is_unknown or not await files.look(session.declared):
                raise
            design = await _checked(session, message, files)
    except DomainError as error:
        await session.put(RefusedDesign(message.id if message.HasField("id") else None, error))
    else:
        await session.ask(replace(design, arrived_at=arrived_at))


def _take_number(session: LiveSession, message: pb.ExploreRequest) -> None:
    """Note the number of a design, so that the next one is higher; one out of range is refused with the other fields.

    Raises VALIDATION_ERROR: it is missing, or no higher than the one before.
    """
    if not message.HasField("id"):
        raise invalid("id", "{field} is missing; give each design a number.", value=None, constraint="required")
    if 0 <= message.id <= session.last_id:
        raise invalid(
            "id",
            "{field} must be over {last}, the number of an earlier design; count up.",
            value=message.id,
            constraint="order",
            last=session.last_id,
        )
    if message.id <= MAX_ID:
        session.last_id = max(session.last_id, message.id)


async def _checked(session: LiveSession, message: pb.ExploreRequest, files: SessionFiles) -> Design:
    """Return the design of a message, as `_design` does."""
    declared = files.beside(session.declared)
    if message.ByteSize() > _LARGE:
        return await asyncio.to_thread(_design, session, message, declared)
    return _design(session, message, declared)


def _design(session: LiveSession, message: pb.ExploreRequest, declared: Sequence[Mapping[str, Any]]) -> Design:
    """Return the design of a message, with values of declared parameters.

    Raises VALIDATION_ERROR, UNKNOWN_PARAMETER or PARAMETER_OUT_OF_RANGE for its faults.
    """
    lower_ids(message)
    check(message)
    if message.project_id not in ("", session.version.project_id):
        raise invalid(
            "project_id",
            "{field} is another project than the session's; open a session for each.",
            value=message.project_id,
            constraint="session",
        )
    if message.HasField("model_version_id") and message.model_version_id != session.version.model_version_id:
        raise invalid(
            "model_version_id",
            "{field} is another version than the session's; open a session for each.",
            value=message.model_version_id,
            constraint="session",
        )
    given = {name: json_text.parse(value.text, f"parameters.{name}") for name, value in message.parameters.items()}
    return Design(message.id, rules.resolve(declared, given), message.geometry)
