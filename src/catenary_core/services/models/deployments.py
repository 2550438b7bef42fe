"""The version that a project evaluates: steps shared by deployment and by the end of a check.

Each step runs in a transaction that has locked the project's deployments (`hold`), so that a project never has two
active ones and the end of a check sees every deployment that waits for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catenary.platform.v1 import model_service_pb2
from catenary.platform.v1.model_shapes import Deployment, ModelError
from catenary_core.call import preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import not_found
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row, json_value, shaped
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.services.models import queries, rules

_DEPLOYMENT = resource_path(model_service_pb2, "ListDeployments")
_REPLACED: ModelError = {
    "code": "CONFLICT",
    "message": "A later deployment was asked for before the check of this one's version was done.",
    "line": None,
}


_ENDED: ModelError = {
    "code": "CONFLICT",
    "message": "The project's deployment was ended before the check of this one's version was done.",
    "line": None,
}


async def hold(tx: Transaction, project_id: str) -> None:
    """Lock the project's deployments and narrowings against other changes until `tx` ends."""
    await tx.one(queries.LOCK_DEPLOYMENTS, project_id=project_id)


async def request(tx: Transaction, call: Call, project_id: str, version: Row, deployment_id: str) -> Deployment:
    """Deploy a version that hasn't failed: at once if it is ready, else when its check ends.

    A deployment that still waits fails, because the new one replaces it.
    """
    await _fail_pending(tx, call, project_id, _REPLACED)
    pending = await tx.one(
        queries.INSERT_DEPLOYMENT,
        deployment_id=deployment_id,
        project_id=project_id,
        model_id=version["model_id"],
        model_version_id=version["model_version_id"],
        created_by=call.caller.user_id,
    )
    if version["status"] == "ready":
        return await _activate(tx, call, project_id, pending["deployment_id"], version)
    return await _changed(tx, call, pending)


async def end(tx: Transaction, call: Call, project_id: str) -> Deployment:
    """Retire the active deployment; one that waits for a check fails.

    Raises NOT_FOUND: nothing is deployed. Raises PRECONDITION_FAILED: another deployment is active than If-Match says.
    """
    active = await tx.one_or_none(queries.ACTIVE, project_id=project_id)
    preconditions.check(call, None if active is None else shaped(Deployment, active))
    if active is None:
        raise not_found("deployment")
    await _fail_pending(tx, call, project_id, _ENDED)
    return await _changed(tx, call, await tx.one(queries.RETIRE_ACTIVE, project_id=project_id))


async def deployed(tx: Transaction, project_id: str) -> list[Row]:
    """Lock the project's deployments; return the versions, with their models, that are deployed or wait to be."""
    await hold(tx, project_id)
    return await tx.all(queries.DEPLOYED, project_id=project_id)


async def settle(tx: Transaction, project_id: str, version: Row) -> None:
    """Activate or fail the deployment that waits for a checked version, if any."""
    pending = await tx.one_or_none(queries.PENDING, project_id=project_id)
    if pending is None or pending["model_version_id"] != version["model_version_id"]:
        return
    if version["status"] == "ready":
        await _activate(tx, None, project_id, pending["deployment_id"], version)
    else:
        await _fail_pending(tx, None, project_id, version["error"])


async def narrowings(tx: Transaction, model_id: str) -> dict[str, dict[str, Any]]:
    """Map the names of a model's parameters to the fields that the project has narrowed."""
    return {row["name"]: row["fields"] for row in await tx.all(queries.NARROWINGS, model_id=model_id)}


async def _activate(
    tx: Transaction, call: Call | None, project_id: str, deployment_id: str, version: Row
) -> Deployment:
    parameters = rules.effective(version["parameters"], await narrowings(tx, version["model_id"]))
    retired = await tx.one_or_none(queries.RETIRE_ACTIVE, project_id=project_id)
    if retired is not None:
        await _changed(tx, call, retired)
    active = await tx.one(queries.ACTIVATE, deployment_id=deployment_id, parameters=json_value(parameters))
    return await _changed(tx, call, active)


async def _fail_pending(tx: Transaction, call: Call | None, project_id: str, error: Mapping[str, Any]) -> None:
    failed = await tx.one_or_none(queries.FAIL_PENDING, project_id=project_id, error=json_value(error))
    if failed is not None:
        await _changed(tx, call, failed)


async def _changed(tx: Transaction, call: Call | None, row: Row) -> Deployment:
    """Write the event of a deployment's new status."""
    project_id = row["project_id"]
    await events.write(
        tx,
        call,
        "model.deployment.changed",
        subject=_DEPLOYMENT.format(row["deployment_id"], project_id=project_id),
        data={"deployment": events.without_names(row)},
        project_id=project_id,
    )
    return shaped(Deployment, row)
