"""Evaluations asked for in the name of a user: found where an equal one is there, else added with job and charges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import uuid_utils

from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.jobs import queue
from catenary_core.jobs.handover import WaitingWorker
from catenary_core.jobs.submitter import Submitter
from catenary_core.limits import accounts, hourly
from catenary_core.limits.window import WindowState
from catenary_core.services.evaluations import owner, queries
from catenary_core.services.evaluations.files import known
from catenary_core.services.evaluations.wanted import WantedEvaluation


@dataclass(frozen=True, slots=True)
class Submitted:
    """An evaluation that somebody asked for."""

    row: Row
    """Its row, as the statement that found or added it returned it."""
    standing: WindowState
    """The project's limit of evaluations after it."""


class Submissions:
    """Requests for evaluations, none of which needs a call."""

    def __init__(self, frame: Frame) -> None:
        self._settings = frame.settings
        self._space = frame.space

    async def submit(self, tx: Transaction, submitter: Submitter, wanted: WantedEvaluation) -> Submitted:
        """Hold an equal evaluation, stored or unfinished, or add one, which its transaction holds too.

        Raises UNAVAILABLE, RATE_LIMIT_EXCEEDED or QUOTA_EXCEEDED: it would have to be added, and may not be. Raises
        CONFLICT: a file that the values name was deleted.
        """
        while True:
            if (found := await self._equal(tx, submitter, wanted)) is not None:
                return found
            self._space.require()
            if (added := await self.add(tx, submitter, wanted, str(uuid_utils.uuid7()))) is not None:
                return added
            # An equal evaluation was added, or ended without a result, between the two statements: look again.

    async def add(
        self,
        tx: Transaction,
        submitter: Submitter,
        wanted: WantedEvaluation,
        evaluation_id: str,
        *,
        worker: WaitingWorker | None = None,
        awaited_seconds: float = 0.0,
    ) -> Submitted | None:
        """Add an evaluation with its job and its charges.

        Args:
            tx: Transaction of all of it.
            submitter: User in whose name it is computed.
            wanted: What is wanted.
            evaluation_id: Its new id.
            worker: Worker to whom the job is handed at once; None to leave it to whoever leases it.
            awaited_seconds: Seconds for which somebody waits for its end.

        Returns:
            None if one of the wanted keys has a stored evaluation, or the first an unfinished one.

        Raises RATE_LIMIT_EXCEEDED or QUOTA_EXCEEDED: no evaluation is left. Raises CONFLICT: a file that the values name was
        deleted.
        """
        await known.hold(tx, submitter.project_id, wanted.files)
        row = await tx.one_or_none(
            queries.INSERT if worker is None else queries.INSERT_STARTED,
            evaluation_id=evaluation_id,
            project_id=submitter.project_id,
            model_version_id=wanted.version["model_version_id"],
            parameters=json_value(wanted.values),
            cache_key=wanted.keys[0] if wanted.keys else None,
            cache_keys=wanted.keys,
            created_by=submitter.user_id,
            awaited_seconds=awaited_seconds,
        )
        if row is None:
            return None
        # The running evaluation of the first key may have completed while the INSERT waited for it: check again.
        if wanted.keys and (await tx.one(queries.STORED, cache_keys=wanted.keys))["found"]:
            await tx.execute(queries.REMOVE, evaluation_id=evaluation_id)
            return None
        return await self.begin(
            tx, submitter, row, wanted.version, wanted.values, geometry=wanted.geometry, worker=worker
        )

    async def begin(
        self,
        tx: Transaction,
        submitter: Submitter,
        row: Row,
        version: Row,
        values: Mapping[str, Any],
        *,
        geometry: bool = True,
        worker: WaitingWorker | None = None,
    ) -> Submitted:
        """Add the job of an evaluation that was just added, and charge for it.

        Args:
            tx: Transaction that added it.
            submitter: User in whose name it is computed.
            row: What the INSERT returned, with the project's counter and account.
            version: Row of its model version.
            values: Its canonical values.
            geometry: Whether its geometry is kept.
            worker: Worker to whom the job is handed at once; None to leave it to whoever leases it.

        Raises RATE_LIMIT_EXCEEDED or QUOTA_EXCEEDED: no evaluation is left.
        """
        settings, project_id = self._settings, submitter.project_id
        counted, account = queries.counted(row), queries.account(row)
        new = (
            owner.KIND,
            row["evaluation_id"],
            owner.payload(version, project_id, values, settings, geometry=geometry),
        )
        job = None
        if worker is None:
            await queue.enqueue(tx, submitter, *new)
        else:
            job = await queue.enqueue_leased(tx, submitter, *new, worker.worker_id, settings.lease_seconds)
        standing = await hourly.charge_evaluation(tx, project_id, settings.evaluations_per_hour, counted)
        await accounts.spend_locked(tx, settings.tiers, project_id, account, 1)
        if worker is not None and job is not None:
            await worker.hand(job)
        return Submitted(row, standing)

    async def _equal(self, tx: Transaction, submitter: Submitter, wanted: WantedEvaluation) -> Submitted | None:
        """Hold a stored or unfinished equal evaluation, which the submitter has then asked for too; None without one."""
        equal = await tx.one_or_none(queries.EQUAL, cache_keys=wanted.keys)
        if equal is None or await tx.one_or_none(queries.HOLD, evaluation_id=equal["evaluation_id"]) is None:
            return None
        if equal["created_by"]["user_id"] != submitter.user_id:
            await tx.execute(queries.ADD_REQUEST, evaluation_id=equal["evaluation_id"], user_id=submitter.user_id)
        limit = self._settings.evaluations_per_hour
        return Submitted(equal, await hourly.standing_of(tx, submitter.project_id, limit))
