"""The removal of a batch or a study with its points, and of what was made of their geometry."""

from __future__ import annotations

from catenary_core.call.errors import DomainError
from catenary_core.database.transactions import Transaction
from catenary_core.jobs import queue
from catenary_core.services.evaluations import removal
from catenary_core.services.evaluations.batches import queries as batch_queries
from catenary_core.services.evaluations.points import ids
from catenary_core.services.evaluations.points import queries as point_queries


async def drop_jobs(tx: Transaction, batch_id: str) -> None:
    """Drop the jobs that make geometry of a batch's points, waiting for those that are just being completed.

    Call this before the batch is locked: the end of a job of a batch that keeps geometry locks the job first, then the batch.
    """
    for row in await tx.all(point_queries.JOBS, **ids.ids_of(batch_id)):
        await queue.drop(tx, row["id"])


async def remove(tx: Transaction, batch_id: str, project_id: str) -> None:
    """Remove a locked batch that has ended, with its points and the evaluations of their geometry.

    Raises CONFLICT: a comment names the batch, the study that it is, or a point of it; or a variant keeps a point. A comment
    by who doesn't see the project is tied to none, and does not count.
    """
    found = await tx.one(point_queries.NAMED, project_id=project_id, **ids.ids_of(batch_id))
    if found["named"]:
        raise DomainError(
            "CONFLICT",
            "A comment names this batch or study or one of its points, which therefore stay; delete it first.",
        )
    if found["saved"]:
        raise DomainError(
            "CONFLICT",
            "A variant keeps a point of this batch or study, which therefore stays; delete the variant first.",
        )
    await drop_jobs(tx, batch_id)  # one may have been begun before the lock
    removed = await tx.all(point_queries.REMOVE, **ids.ids_of(batch_id))
    await removal.release(tx, project_id, removed)
    await tx.execute(batch_queries.REMOVE, batch_id=batch_id)
