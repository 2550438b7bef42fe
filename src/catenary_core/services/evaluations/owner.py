"""Effects of jobs of the kind `evaluate` on their evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from catenary_core import metrics
from catenary_core.call.call import Call
from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.jobs.endings import EndWaiters
from catenary_core.jobs.queue import JobEnd
from catenary_core.services.evaluations import keys, messages, queries
from catenary_core.services.evaluations.tables import CHANNEL
from catenary_core.settings import CoreSettings

KIND = "evaluate"
_LOST = {
    "code": "UNAVAILABLE",
    "message": "No worker finished the evaluation; evaluate again.",
    "line": None,
}


def payload(
    version: Row, project_id: str, values: Mapping[str, Any], settings: CoreSettings, *, geometry: bool
) -> dict[str, Any]:
    """Return the payload of an evaluation's job.

    Args:
        version: the row of the model version.
        project_id: the project.
        values: the canonical values.
        settings: settings of the core.
        geometry: whether geometry and files are made and kept.
    """
    return {
        "project_id": project_id,
        "model_version_id": version["model_version_id"],
        "model_kind": version["kind"],
        "source_sha256": version["sha256"],
        "parameters": values,
        "without_geometry": not geometry,
        "timeout_seconds": settings.evaluation_timeout,
        "memory_bytes": settings.evaluation_memory,
    }


class EvaluationOwner:
    """The `jobs.Owner` of evaluations. An evaluation that has ended already stays as it is."""

    def __init__(self, endings: EndWaiters) -> None:
        self._endings = endings

    async def started(self, tx: Transaction, job: Row) -> bool:
        """Set the evaluation to `running`."""
        await tx.execute(queries.STARTED, evaluation_id=job["id"])
        return True

    async def ended(self, tx: Transaction, job: Row, ended: JobEnd) -> None:
        """Store the result, with the cache key of the runtime that produced it."""
        payload = job["payload"]
        key = await keys.of_values(
            payload["project_id"],
            payload["model_version_id"],
            ended.runtime_digest,
            payload["parameters"],
            geometry=not payload.get("without_geometry", False),
        )
        row = await tx.one_or_none(
            queries.ENDED,
            evaluation_id=job["id"],
            new_status=ended.status,
            new_metrics=json_value(ended.metrics),
            new_constraints=json_value(ended.constraints),
            new_geometry=json_value([asdict(artefact) for artefact in ended.artefacts]),
            new_tables=json_value(ended.tables),
            new_charts=json_value(messages.charts(ended)),
            new_files=json_value([asdict(file) for file in ended.files]),
            new_error=None if ended.error is None else json_value(ended.error),
            new_duration_ms=ended.duration_ms,
            new_runtime_digest=ended.runtime_digest,
            new_log=ended.log,
            new_cache_key=key,
        )
        if row is not None:
            await announce(tx, row, None, self._endings)

    async def lost(self, tx: Transaction, job: Row) -> None:
        """Fail the evaluation that no worker finished."""
        row = await tx.one_or_none(
            queries.ABANDONED, evaluation_id=job["id"], new_status="failed", new_error=json_value(_LOST)
        )
        if row is not None:
            await announce(tx, row, None, self._endings)


async def announce(tx: Transaction, row: Row, call: Call | None, endings: EndWaiters) -> None:
    """Write the event of an ended evaluation, and wake its waiters after the commit.

    The statement that ended the evaluation has sent the notification. The event's actor is the call's caller or,
    without a call, the user that requested the evaluation.
    """
    type_ = "model.evaluation.completed" if row["status"] == "completed" else "model.evaluation.failed"
    await events.write(
        tx,
        call,
        type_,
        subject=messages.EVALUATION_PATH.format(row["evaluation_id"]),
        data=messages.event_data(row),
        project_id=row["project_id"],
        actor_id=row["created_by"]["user_id"] if call is None else None,
    )
    tx.record_notification(CHANNEL)
    tx.after_commit(partial(endings.ended, row))
    tx.after_commit(partial(metrics.evaluation_ended, row["status"]))
