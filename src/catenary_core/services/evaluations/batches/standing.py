"""The check before each chunk of a batch or a study: that its user may still evaluate, and the project is there."""

from __future__ import annotations

from catenary.platform.v1 import role_pb2
from catenary_core.call.errors import DomainError
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.limits import accounts
from catenary_core.limits.accounts import Tiers
from catenary_core.services.evaluations.batches import queries

_MAY_NOT = (
    "The user who requested this may evaluate in the project no more; an evaluator of the project may request it again."
)
_DELETED = "The project was deleted before all points were evaluated."


async def check(tx: Transaction, tiers: Tiers, batch: Row) -> None:
    """Check that the user of a locked batch may still evaluate.

    Raises NOT_FOUND: the project was deleted, with which the model version goes, that an unfinished batch keeps else.
    Raises PERMISSION_DENIED: the user is disabled, or no evaluator of the project any more.
    Raises QUOTA_EXCEEDED: the month's compute seconds are used.
    """
    found = await tx.one(
        queries.STANDING,
        model_version_id=batch["model_version_id"],
        project_id=batch["project_id"],
        user_id=batch["created_by"],
        least_role=role_pb2.ROLE_EVALUATOR,
    )
    if not found["has_model"]:
        raise DomainError("NOT_FOUND", _DELETED)
    if not found["may_evaluate"]:
        raise DomainError("PERMISSION_DENIED", _MAY_NOT)
    await accounts.check_seconds(tx, tiers, batch["project_id"])
