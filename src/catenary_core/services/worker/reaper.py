"""Finds jobs whose workers are gone: wakes others for them, and gives up those that no worker finished."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Mapping

import psycopg
import structlog
from psycopg_pool import PoolTimeout

from catenary_core import jobs
from catenary_core.frame import Frame

_log = structlog.get_logger(__name__)
SECONDS = 1.0
"""Time between two looks."""


class Reaper:
    """Runs on every node; a job is reaped by one of them."""

    def __init__(self, frame: Frame, owners: Mapping[str, jobs.Owner]) -> None:
        self._db = frame.db
        self._wakeups = frame.wakeups
        self._owners = dict(owners)
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begins to look."""
        self._task = asyncio.create_task(self._run(), name="job reaper")

    async def stop(self) -> None:
        """Ends looking."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def look(self) -> int:
        """Looks once; the number of jobs given up."""
        async with self._db.transaction() as tx:
            lost = await jobs.reap(tx)
            for job in lost:
                await self._owners[job["kind"]].lost(tx, job)
        self._wakeups.fire_all(tx.notified)
        return len(lost)

    async def _run(self) -> None:
        while True:
            # Nodes started together drift apart.
            await asyncio.sleep(SECONDS * random.uniform(0.8, 1.2))  # noqa: S311 (no secret)
            try:
                while await self.look():
                    pass
            except (psycopg.OperationalError, PoolTimeout) as error:
                _log.warning("looking for lost jobs without a database", error=type(error).__name__)
