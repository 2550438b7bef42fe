"""Finds jobs whose workers are gone: offers them to other workers, and gives up those that no worker finished."""

from __future__ import annotations

from collections.abc import Mapping

import structlog

from catenary_core.background.failures import DATABASE_LOST, traces
from catenary_core.background.periodic import Periodic
from catenary_core.database.statements import Row
from catenary_core.frame import Frame
from catenary_core.jobs import queue
from catenary_core.jobs.owners import Owner

_log = structlog.get_logger(__name__)
SECONDS = 1.0
"""Seconds between two runs."""


class Reaper(Periodic):
    """Gives up lost jobs; runs on every node, and one of the nodes handles each job."""

    def __init__(self, frame: Frame, owners: Mapping[str, Owner]) -> None:
        self._db = frame.db
        self._owners = dict(owners)
        super().__init__("looking for lost jobs", SECONDS, self.look)

    async def look(self) -> int:
        """Give up all lost jobs; return their number.

        Each job gets its own transaction: nodes that lock rows of several owners in one transaction could deadlock.
        """
        given_up = 0
        stuck: list[str] = []
        while (job := await self._give_up(stuck)) is not None:
            given_up += job["id"] not in stuck
        async with self._db.transaction() as tx:
            await queue.wake_for_ended_leases(tx)
            await queue.prune_turns(tx)
        return given_up

    async def _give_up(self, stuck: list[str]) -> Row | None:
        """Give up one lost job; add a job whose owner raises to `stuck`, so that it doesn't block the others."""
        job: Row | None = None
        try:
            async with self._db.transaction() as tx:
                job = await queue.reap(tx, besides=stuck)
                if job is not None:
                    await self._owners[job["kind"]].lost(tx, job)
        except DATABASE_LOST:
            raise
        except Exception as error:
            if job is None:
                raise
            _log.error("a lost job can't be given up", job_id=job["id"], request_id=job["request_id"], **traces(error))
            stuck.append(job["id"])
            return job
        return job
