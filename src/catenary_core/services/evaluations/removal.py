"""The removal of ended evaluations, whose artefacts go by the collector and off the account of who pays."""

from __future__ import annotations

from collections.abc import Sequence

from catenary_core.call.errors import DomainError, not_found
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.limits import accounts
from catenary_core.services.evaluations import queries
from catenary_core.storage import holdings

MOST = 10_000
"""Evaluations that one purge removes."""
BATCH = 1_000
"""Evaluations that one statement removes."""


def ended_already(kind: str) -> DomainError:
    """Build the refusal to cancel what has ended."""
    return DomainError("CONFLICT", f"The {kind} has ended, so it can't be cancelled; set remove to true to remove it.")


def not_ended(kind: str) -> DomainError:
    """Build the refusal to remove what has not ended."""
    return DomainError("CONFLICT", f"The {kind} has not ended, so it can't be removed; cancel it first.")


async def remove(tx: Transaction, row: Row) -> None:
    """Remove an ended evaluation that the transaction has locked.

    Raises CONFLICT: a comment of the project or a variant names the evaluation. One that made no geometry of a point goes:
    the point stays.
    """
    if row["status"] == "completed" or not row["is_point"]:
        named = await tx.one(queries.NAMED, evaluation_id=row["evaluation_id"])
        if named["comment"]:
            raise DomainError(
                "CONFLICT", "A comment names this evaluation, which therefore stays; delete the comment first."
            )
        if named["variant"]:
            raise DomainError(
                "CONFLICT", "A variant keeps this evaluation, which therefore stays; delete the variant first."
            )
    removed = await tx.one_or_none(queries.REMOVE_ENDED, evaluation_id=row["evaluation_id"])
    if removed is None:
        raise not_found("evaluation")
    await release(tx, row["project_id"], [removed])


async def count(tx: Transaction, project_id: str, older_than: str) -> int:
    """Return the number of evaluations that `purge` would remove."""
    row = await tx.one(queries.COUNT_PURGED, project_id=project_id, older_than=older_than, most=MOST)
    return int(row["evaluations"])


async def purge(tx: Transaction, project_id: str, older_than: str) -> int:
    """Remove the oldest ended evaluations of a project that nothing names, at most MOST; return their number."""
    removed: list[Row] = []
    while len(removed) < MOST:
        most = min(BATCH, MOST - len(removed))
        locked = await tx.all(queries.LOCK_PURGED, project_id=project_id, older_than=older_than, most=most)
        removed += await tx.all(queries.PURGE, ids=[row["evaluation_id"] for row in locked])
        if len(locked) < most:
            break
    await release(tx, project_id, removed)
    return len(removed)


async def release(tx: Transaction, project_id: str, removed: Sequence[Row]) -> None:
    """Take the artefacts of removed evaluations off the accounts, and release their files."""
    if size := sum(row["size"] for row in removed):
        await accounts.release(tx, project_id, size)
        await holdings.release(tx, [row["evaluation_id"] for row in removed])
