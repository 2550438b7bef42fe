"""The end of a study, by its budget, by a caller or by a fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError
from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.jobs import queue
from catenary_core.limits import bulk
from catenary_core.services.evaluations import queries as evaluation_queries
from catenary_core.services.evaluations.batches import queries as batch_queries
from catenary_core.services.evaluations.files import known
from catenary_core.services.evaluations.studies import messages, queries
from catenary_core.services.evaluations.studies.tables import STUDIES
from catenary_core.services.evaluations.tables import BATCHES, IDLE_BATCHES

FILE_DELETED = (
    "A file that all points of the study need was deleted; upload it to the project again, then resume the study."
)
"""Sentence for a study of which every further point would fail."""


async def lock(tx: Transaction, study_id: str) -> tuple[Row, Row] | None:
    """Lock a study and its batch, which always comes first; return both rows, or None for no such study."""
    batch = await tx.one_or_none(batch_queries.LOCK, batch_id=study_id)
    study = await tx.one_or_none(queries.LOCK, study_id=study_id)
    return None if batch is None or study is None else (study, batch)


async def has_version(tx: Transaction, study: Row, batch: Row) -> bool:
    """Return whether the model version of a study is there; it may be deleted at any moment after."""
    ids = {"project_id": study["project_id"], "model_version_id": batch["model_version_id"]}
    return await tx.one_or_none(evaluation_queries.VERSION, **ids) is not None


async def has_files(tx: Transaction, study: Row) -> bool:
    """Return whether the files that all points of a locked study need are there, which hold until the transaction ends."""
    needed = known.digests(study["definition"]["parameters"], [study["definition"]["fixed"]])
    return await known.are_held(tx, study["project_id"], needed)


async def end(
    tx: Transaction,
    study_id: str,
    status: str,
    call: Call | None,
    *,
    reason: str | None = None,
    code: str | None = None,
    stopped_by: str | None = None,
    indices: Sequence[Mapping[str, Any]] = (),
) -> Row:
    """End a locked study that has not ended; remove its unfinished points, free its slot, write its event.

    Args:
        tx: transaction of the end.
        study_id: the study.
        status: its final status.
        call: call that ends it; None for the platform itself.
        reason: sentence for a study that failed, or that the platform cancels.
        code: code of the errors' catalogue for one that the platform cancels.
        stopped_by: rule of `stop` that ends it.
        indices: indices of a sensitivity.
    """
    await tx.execute(queries.DROP_UNFINISHED, study_id=study_id)
    await tx.execute(queries.END_BATCH, study_id=study_id, status=status)
    await queue.drop_unlocked(tx, "batch_id", study_id)
    await tx.execute(
        queries.END,
        study_id=study_id,
        status=status,
        reason=reason,
        code=code,
        stopped_by=stopped_by,
        new_indices=json_value(list(indices)),
    )
    row = await tx.one(queries.ONE, study_id=study_id)
    user_id = row["created_by"]["user_id"]
    await bulk.free(tx, user_id, study_id)
    await announce(tx, row, "model.study.completed", messages.event_data(row), call)
    for channel in (BATCHES, IDLE_BATCHES, STUDIES):
        await tx.notify(channel)
    return row


async def refuse(tx: Transaction, study_id: str, refusal: DomainError) -> None:
    """Cancel a study whose batch is locked and has not ended, since its further points are refused."""
    await lock(tx, study_id)
    await end(tx, study_id, "cancelled", None, reason=refusal.message, code=refusal.reason)


async def announce(tx: Transaction, row: Row, type_: str, data: Mapping[str, Any], call: Call | None) -> None:
    """Write an event of a study; its actor is the caller or, without a call, the user that requested the study."""
    await events.write(
        tx,
        call,
        type_,
        subject=messages.STUDY_PATH.format(row["study_id"]),
        data=data,
        project_id=row["project_id"],
        actor_id=row["created_by"]["user_id"] if call is None else None,
    )
