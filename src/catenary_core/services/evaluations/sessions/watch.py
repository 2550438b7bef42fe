"""The watch over the live sessions of a process: what ends them, and the seconds that they computed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from contextlib import AsyncExitStack

from catenary.platform.v1 import role_pb2
from catenary_core.background.failures import run_step
from catenary_core.background.periodic import Periodic
from catenary_core.call.call import Identity
from catenary_core.call.errors import DomainError, not_found
from catenary_core.frame import CoreParts, Frame
from catenary_core.jobs.sessions import LiveSession
from catenary_core.limits import accounts
from catenary_core.services.evaluations.sessions import queries

CHECK_SECONDS = 1.0
"""Seconds between two checks."""
COUNT_SECONDS = 10.0
"""Seconds between two writes of what the sessions computed."""


class SessionWatch:
    """Ends the sessions that may not go on.

    A check takes three statements and one for each user of a project; one more for versions that are not deployed, and one
    for each of their sessions.
    """

    def __init__(self, frame: Frame, parts: CoreParts) -> None:
        """Set the watch up; `parts` check identities and roles."""
        self._db = frame.db
        self._tiers = frame.settings.tiers
        self._sessions = frame.sessions
        self._standing = parts.recheck
        self._role_of = parts.role_of
        self._works = (
            Periodic("watching live sessions", CHECK_SECONDS, self.check),
            Periodic("counting the seconds of live sessions", COUNT_SECONDS, self.count),
        )

    async def start(self) -> None:
        """Start to watch."""
        for work in self._works:
            await work.start()

    async def stop(self) -> None:
        """End every session, stop watching, and count what was computed."""
        self._sessions.close()
        async with AsyncExitStack() as stack:  # each step, though one before it fails
            stack.push_async_callback(run_step, "counting the last seconds of live sessions", self.count)
            for work in self._works:
                stack.push_async_callback(work.stop)

    async def check(self) -> None:
        """End the sessions whose time, credential, role or deployment has ended; renew what the others know."""
        sessions = [session for session in self._sessions if not session.is_over]
        if not sessions:
            return
        for session in sessions:
            session.check_times()
        await self._check_callers(sessions)
        await self._check_deployments(sessions)

    async def count(self) -> None:
        """Write the seconds that the open sessions have computed since the last time; end those that have none left."""
        used = [session for session in self._sessions if session.seconds]
        await self.count_of(used)
        for session in used:
            try:
                async with self._db.read() as tx:
                    await accounts.check_use(tx, self._tiers, session.version.project_id)
            except DomainError as error:
                session.end(error)

    async def count_of(self, sessions: Iterable[LiveSession]) -> None:
        """Write the seconds that some sessions have computed since the last time."""
        for session in sessions:
            await asyncio.shield(self._count(session))  # a cancellation must not part the commit from what follows it

    async def _count(self, session: LiveSession) -> None:
        async with session.counting:
            if seconds := session.seconds:
                async with self._db.transaction() as tx:
                    await accounts.count(tx, session.version.project_id, seconds=seconds)
                session.seconds -= seconds

    async def _check_callers(self, sessions: list[LiveSession]) -> None:
        standing = await self._standing([session.identity for session in sessions])
        roles: dict[tuple[str, Identity], int | None] = {}
        for session, identity in zip(sessions, standing, strict=True):
            ends_at = session.identity.expires_at
            if ends_at is not None and ends_at <= time.time():
                session.end(DomainError("TOKEN_EXPIRED", "The credential has ended; get a new one."))
                continue
            if identity is None:
                session.end(DomainError("INVALID_TOKEN", "The credential was revoked or disabled."))
                continue
            session.identity = identity
            key = (session.version.project_id, identity)
            if key not in roles:
                roles[key] = await self._role_of(*key)
            role = roles[key]
            if role is None:
                session.end(not_found("project"))
            elif role < role_pb2.ROLE_EVALUATOR:
                session.end(DomainError("PERMISSION_DENIED", "This needs the role evaluator in the project."))

    async def _check_deployments(self, sessions: list[LiveSession]) -> None:
        ids = sorted({session.version.project_id for session in sessions})
        async with self._db.read() as tx:
            rows = await tx.all(queries.DEPLOYED_VERSIONS, project_ids=ids)
        deployed = {row["project_id"]: row for row in rows}
        others = []
        for session in sessions:
            row = deployed.get(session.version.project_id)
            if row is not None and row["model_version_id"] == session.version.model_version_id:
                session.declared = row["parameters"]
            elif session.version.is_chosen:
                others.append(session)
            else:
                ended = (
                    "Another version was deployed; open a new session." if row else "The version is deployed no more."
                )
                session.end(DomainError("CONFLICT", ended))
        if others:
            await self._check_others(others)

    async def _check_others(self, sessions: list[LiveSession]) -> None:
        """End the sessions of versions that were deleted, or whose callers are no editors, who alone may use them."""
        ids = sorted({session.version.model_version_id for session in sessions})
        async with self._db.read() as tx:
            rows = await tx.all(queries.CHOSEN_VERSIONS, model_version_ids=ids)
        declared = {row["model_version_id"]: row["parameters"] for row in rows}
        for session in sessions:
            role = await self._role_of(session.version.project_id, session.identity)
            if session.version.model_version_id not in declared:
                session.end(not_found("model version"))
            elif role is None or role < role_pb2.ROLE_EDITOR:
                session.end(
                    DomainError(
                        "PERMISSION_DENIED",
                        "Only editors of the project evaluate another version than the deployed one.",
                    )
                )
            else:
                session.declared = declared[session.version.model_version_id]
