"""Removes the files that nobody holds any more from the object store, by one process at a time."""

from __future__ import annotations

import asyncio

import sqlalchemy as sa
import structlog

from catenary_core.database.leader_election import Leader
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database, Session
from catenary_core.database.wakeups import POLL_SECONDS
from catenary_core.objects import Objects
from catenary_core.storage.holdings import GRACE

BATCH = 50
"""Files that are looked at in one transaction, whose rows writers may wait for."""
RELEASED = 1000
"""Holdings of a deleted project that one transaction removes."""
_log = structlog.get_logger(__name__)

_DUE = Statement(
    sa.text(
        """
        SELECT sha256 FROM objects.object WHERE due_at < clock_timestamp()
        ORDER BY due_at LIMIT CAST(:most AS integer) FOR UPDATE SKIP LOCKED
        """
    )
)
# A statement of its own: it sees each holding whose writer had the row before it was locked here.
_UNHELD = Statement(
    sa.text(
        """
        SELECT sha256 FROM objects.object known WHERE sha256 = ANY(CAST(:hashes AS text[]))
          AND NOT EXISTS (SELECT FROM objects.holding WHERE holding.sha256 = known.sha256)
          AND NOT EXISTS (SELECT FROM objects.object source WHERE source.sha256 = known.made_of)
        """
    )
)
_NO_TIMEOUT = Statement(sa.text("SET LOCAL idle_in_transaction_session_timeout = 0"))
_LATER = Statement(
    sa.text(
        "UPDATE objects.object SET due_at = clock_timestamp() + interval '10 minutes'"
        " WHERE sha256 = ANY(CAST(:hashes AS text[]))"
    )
)
"""Postpone files that the store did not remove, so that they don't stand before all others."""
_HELD = Statement(sa.text("UPDATE objects.object SET due_at = NULL WHERE sha256 = ANY(CAST(:hashes AS text[]))"))
_GONE = Statement(
    sa.text(
        """
        WITH gone AS (DELETE FROM objects.object WHERE sha256 = ANY(CAST(:hashes AS text[])) RETURNING sha256)
        UPDATE objects.object SET due_at = clock_timestamp() FROM gone
        WHERE object.made_of = gone.sha256 AND object.sha256 <> ALL(CAST(:hashes AS text[]))
        """
    )
)
"""Forget files; those that were made of them are due now."""
_LEAVING = Statement(sa.text("SELECT project_id FROM objects.leaving LIMIT 1"))
_RELEASE = Statement(
    sa.text(
        f"""
        WITH gone AS (
            DELETE FROM objects.holding WHERE (sha256, holder_id) IN (
                SELECT sha256, holder_id FROM objects.holding WHERE project_id = CAST(:project_id AS uuid)
                LIMIT CAST(:most AS integer)
            ) RETURNING sha256
        ), locked AS (
            SELECT sha256 FROM objects.object WHERE sha256 IN (SELECT sha256 FROM gone) ORDER BY sha256 FOR UPDATE
        ), due AS (
            UPDATE objects.object SET due_at = clock_timestamp() + {GRACE}
            FROM locked WHERE object.sha256 = locked.sha256
        )
        SELECT count(*) AS n FROM gone
        """  # noqa: S608 - the interval is a literal of `holdings`
    )
)
_LEFT = Statement(sa.text("DELETE FROM objects.leaving WHERE project_id = CAST(:project_id AS uuid)"))


class Collector(Leader):
    """The leader that removes files; every core process is a candidate."""

    def __init__(self, db: Database, objects: Objects) -> None:
        super().__init__("collecting files that nobody holds", db)
        self._objects = objects

    async def work(self, session: Session) -> None:
        """Collect what is due as it becomes due."""
        while True:
            if not await self.collect(session):
                await asyncio.sleep(POLL_SECONDS)

    async def collect(self, session: Session) -> bool:
        """Collect one batch, and release one of a deleted project; return whether there may be more."""
        looked = await self._remove_due(session)
        released = await self._release_left(session)
        return looked == BATCH or released

    async def _remove_due(self, session: Session) -> int:
        """Remove the files among the next due ones that nobody holds; return how many were looked at.

        If the process dies between the bytes and the row, the row stays due; nobody holds the file.
        """
        async with session.transaction() as tx:
            # A leader's session ends when it is idle for some seconds; the rows must be locked until the last bytes are gone.
            await tx.execute(_NO_TIMEOUT)
            due = [row["sha256"] for row in await tx.all(_DUE, most=BATCH)]
            if not due:
                return 0
            unheld = {row["sha256"] for row in await tx.all(_UNHELD, hashes=due)}
            hashes = sorted(unheld)
            ends = await asyncio.gather(*map(self._objects.delete, hashes), return_exceptions=True)
            failures = {sha256: end for sha256, end in zip(hashes, ends, strict=True) if isinstance(end, BaseException)}
            await tx.execute(_HELD, hashes=[sha256 for sha256 in due if sha256 not in unheld])
            await tx.execute(_GONE, hashes=sorted(unheld - failures.keys()))
            await tx.execute(_LATER, hashes=sorted(failures))
        if len(unheld) > len(failures):
            _log.info("removed files that nobody holds", files=len(unheld) - len(failures))
        for failure in list(failures.values())[:1]:  # most often all have one reason
            _log.warning("files can't be removed", files=len(failures), error=type(failure).__name__)
        return len(due)

    async def _release_left(self, session: Session) -> bool:
        """Release some files of a deleted project; return whether there was one."""
        async with session.transaction() as tx:
            project = await tx.one_or_none(_LEAVING)
            if project is None:
                return False
            released = await tx.one(_RELEASE, project_id=project["project_id"], most=RELEASED)
            if released["n"] < RELEASED:
                await tx.execute(_LEFT, project_id=project["project_id"])
        return True
