"""The search for a worker, by a job of the queue."""

from __future__ import annotations

import asyncio

import uuid_utils

from catenary_core.background.failures import run_step
from catenary_core.database.transactions import Database
from catenary_core.frame import Frame
from catenary_core.jobs import queue
from catenary_core.jobs.sessions import KIND, LiveSession, broken
from catenary_core.jobs.submitter import Submitter

WORKER_SECONDS = 30.0
"""Seconds that a design waits for a worker."""


class Staffing:
    """Finds a worker for a session whenever it needs one."""

    def __init__(self, frame: Frame) -> None:
        self._db: Database = frame.db
        self._sessions = frame.sessions

    async def keep(self, session: LiveSession, submitter: Submitter) -> None:
        """Add a job each time the session lacks a worker, until the task is cancelled; take back what no worker took.

        A failure, as of the database, ends the session: without a worker its designs would wait for ever.

        Args:
            session: the session.
            submitter: the user who opened it, in whose name the jobs are.
        """
        if not await run_step("finding a worker for a live session", lambda: self._keep(session, submitter)):
            session.end(broken())

    async def _keep(self, session: LiveSession, submitter: Submitter) -> None:
        while True:
            await session.vacant.wait()
            session.vacant.clear()
            job_id = str(uuid_utils.uuid7())
            with self._sessions.expecting(job_id, session):
                try:
                    async with self._db.transaction() as tx:
                        await queue.enqueue(tx, submitter, KIND, job_id, session.version.payload)
                    came = await session.staffed(WORKER_SECONDS)
                finally:
                    await asyncio.shield(self._drop(job_id))
            if not came:
                await session.give_up()

    async def _drop(self, job_id: str) -> None:
        """Remove a job that no worker has begun; there is none where one has."""
        async with self._db.transaction() as tx:
            await queue.drop(tx, job_id)
