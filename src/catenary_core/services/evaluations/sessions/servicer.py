"""ExploreService: live sessions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator

from catenary.platform.v1 import explore_service_pb2 as pb
from catenary.platform.v1 import explore_service_shapes as shapes
from catenary_core import metrics
from catenary_core.background.failures import end, run_step
from catenary_core.call.call import Call
from catenary_core.database.statements import Row
from catenary_core.frame import Frame
from catenary_core.jobs.designs import Computed
from catenary_core.jobs.sessions import ExploredVersion, LiveSession
from catenary_core.jobs.submitter import Submitter
from catenary_core.limits import accounts, hourly
from catenary_core.services.evaluations import versions
from catenary_core.services.evaluations.sessions import designs, messages
from catenary_core.services.evaluations.sessions.input_files import SessionFiles
from catenary_core.services.evaluations.sessions.staffing import Staffing
from catenary_core.services.evaluations.sessions.watch import SessionWatch


class ExploreServicer:
    """`catenary.platform.v1.ExploreService`."""

    def __init__(self, frame: Frame, watch: SessionWatch) -> None:
        """Create the servicer; `watch` counts what a session computed until its end."""
        self._db = frame.db
        self._settings = frame.settings
        self._sessions = frame.sessions
        self._staffing = Staffing(frame)
        self._watch = watch

    async def explore(
        self, request: AsyncIterator[pb.ExploreRequest], call: Call
    ) -> AsyncGenerator[shapes.ExploreResponse]:
        """Count the session in the hours of project and user, unless it is counted, and answer the caller's designs."""
        head = await anext(request)
        with self._sessions.opening(call.caller.user_id, self._settings.streams_per_user):
            version = await self._counted(head, call)
        explored = self._version(call, version, is_chosen=head.HasField("model_version_id"))
        session = LiveSession(call.caller, explored, version["parameters"])
        return self._answers(session, head, request, call)

    async def _counted(self, head: pb.ExploreRequest, call: Call) -> Row:
        """Return the version of a session, which is counted in its hour from now on."""
        async with self._db.read() as tx:
            version = await versions.wanted(tx, head, call)
            await accounts.check_use(tx, self._settings.tiers, head.project_id)
            call.is_uncounted = await hourly.is_session_counted(tx, call, version["model_version_id"])
        limit = self._settings.evaluations_per_hour
        if not call.is_uncounted:
            async with self._db.transaction() as tx:
                is_new = await hourly.charge_session(tx, call, limit, version["model_version_id"])
            call.is_uncounted = not is_new
        if call.is_uncounted:
            async with self._db.read() as tx:
                hourly.report(call, await hourly.standing_of(tx, head.project_id, limit))
        return version

    async def _answers(
        self, session: LiveSession, head: pb.ExploreRequest, requests: AsyncIterator[pb.ExploreRequest], call: Call
    ) -> AsyncGenerator[shapes.ExploreResponse]:
        files = SessionFiles(self._db, session.version.project_id)
        with self._sessions.holding(session, self._settings.streams_per_user), metrics.open_session():
            yield messages.opened(session)
            reading = asyncio.create_task(
                designs.read(session, head, requests, files), name="designs of a live session"
            )
            staffing = asyncio.create_task(
                self._staffing.keep(session, Submitter.of(call)), name="worker of a live session"
            )
            try:
                while (answer := await session.answer()) is not None:
                    if isinstance(answer, Computed) and answer.ended.status == "completed":
                        metrics.design_answered(time.monotonic() - answer.design.arrived_at)
                    yield messages.explored(answer, session.version)
            finally:
                session.end(None)
                counting = run_step("counting a live session", lambda: self._watch.count_of([session]))
                try:
                    await asyncio.shield(counting)
                finally:
                    await end(reading)
                    await end(staffing)

    def _version(self, call: Call, version: Row, *, is_chosen: bool) -> ExploredVersion:
        payload = {
            "project_id": call.project_id,
            "model_version_id": version["model_version_id"],
            "model_kind": version["kind"],
            "source_sha256": version["sha256"],
            "timeout_seconds": self._settings.evaluation_timeout,
            "memory_bytes": self._settings.evaluation_memory,
            "repeatable": version["repeatable"],
            "door": self._sessions.door,
        }
        return ExploredVersion(str(call.project_id), version["model_version_id"], payload, is_chosen)
