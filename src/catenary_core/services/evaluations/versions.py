"""The model version that a request evaluates: the deployed one, or for editors any that is ready."""

from __future__ import annotations

from typing import Any, Protocol

from catenary.platform.v1 import role_pb2
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, invalid
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.services.evaluations import queries

_NOT_READY = {
    "failed": "The version failed its check and can't be evaluated; upload a better one.",
    "uploaded": "The version waits for its check; evaluate it when its status is ready.",
    "checking": "The version is being checked; evaluate it when its status is ready.",
}


class VersionRequest(Protocol):
    """A request that may name the version of a project that it is about."""

    project_id: str
    model_version_id: str

    def HasField(self, name: Any) -> bool:  # noqa: N802 (protobuf's name)
        """Return whether a field is set."""
        ...


async def wanted(tx: Transaction, request: VersionRequest, call: Call) -> Row:
    """Return the version that a request evaluates, with the columns of `queries.DEPLOYED`.

    Raises MODEL_NOT_DEPLOYED: none is given, and none is deployed. Raises PERMISSION_DENIED: another than the deployed one
    is given, and the caller is no editor. Raises VALIDATION_ERROR: the project has no such version. Raises CONFLICT: its
    check has not ended well.
    """
    deployed = await tx.one_or_none(queries.DEPLOYED, project_id=request.project_id)
    if not request.HasField("model_version_id"):
        if deployed is None:
            raise DomainError("MODEL_NOT_DEPLOYED", "The project has no deployed model version; deploy one first.")
        return deployed
    if deployed is not None and deployed["model_version_id"] == request.model_version_id:
        return deployed
    if call.role < role_pb2.ROLE_EDITOR:
        raise DomainError(
            "PERMISSION_DENIED",
            "Only editors of the project evaluate another version than the deployed one; without a version that one is"
            " evaluated.",
        )
    row = await tx.one_or_none(
        queries.VERSION, project_id=request.project_id, model_version_id=request.model_version_id
    )
    if row is None:
        raise invalid(
            "model_version_id",
            "{field} names no model version of this project; give the id of one.",
            value=request.model_version_id,
            constraint="unknown",
        )
    if row["status"] in _NOT_READY:
        raise DomainError("CONFLICT", _NOT_READY[row["status"]])
    return row
