"""Checks of model versions: the owner of jobs of the kind `check`, whose id is the version's."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from catenary.platform.v1 import model_service_pb2
from catenary.platform.v1.model_shapes import ModelError
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.jobs.queue import JobEnd
from catenary_core.services.models import declaration_warnings, declarations, deployments, queries
from catenary_core.services.models.tables import CHANNEL

JOB_KIND = "check"
_VERSION = resource_path(model_service_pb2, "GetModelVersion")
_LOST: ModelError = {
    "code": "UNAVAILABLE",
    "message": "No worker finished the check; upload the file again.",
    "line": None,
}


class Checks:
    """The `jobs.Owner` of checks: moves a version from `uploaded` through `checking` to `ready` or `failed`."""

    async def started(self, tx: Transaction, job: Row) -> bool:
        """Set the version to `checking`."""
        await tx.execute(queries.START_CHECK, model_version_id=job["id"])
        return True

    async def ended(self, tx: Transaction, job: Row, ended: JobEnd) -> None:
        """Store the outcome with its log: the declarations of a ready version, or the error.

        Settle a deployment that waits for the version.
        """
        if ended.status != "completed":
            await _fail(tx, job["id"], declarations.failure(ended.status, ended.error), ended.log, ended.remarks)
            return
        # In a thread: the largest declarations take seconds, mostly the conditions and the hints for unknown units.
        try:
            declared, warnings = await asyncio.to_thread(_read, ended)
        except ValueError as error:
            await _fail(tx, job["id"], declarations.failure("failed", {"message": str(error)}), ended.log)
            return
        await _end(
            tx,
            job["id"],
            ended_as="ready",
            deterministic=ended.deterministic,
            parameters=declared.parameters,
            metrics=declared.metrics,
            constraints=declared.constraints,
            warnings=warnings,
            log=ended.log,
            repeatable=bool(ended.repeatable),
            repeatable_reason=None if ended.repeatable else ended.not_repeatable or None,
        )

    async def lost(self, tx: Transaction, job: Row) -> None:
        """Fail the version whose check no worker finished."""
        await _fail(tx, job["id"], _LOST)


async def revoke_repeatable(tx: Transaction, model_version_id: str, reason: str) -> None:
    """Record that no process may run several points of a version any more; the first reason stays.

    Args:
        tx: transaction that ends the job in which a worker found it out.
        model_version_id: id of the version.
        reason: sentence for the version's author.
    """
    await tx.execute(queries.REVOKE_REPEATABLE, model_version_id=model_version_id, reason=reason)


def _read(ended: JobEnd) -> tuple[declarations.Declarations, list[str]]:
    declared = declarations.normalised(ended.description)
    return declared, [*ended.remarks, *declaration_warnings.of(declared, ended.metrics)]


async def _fail(
    tx: Transaction, version_id: str, error: ModelError, log: str = "", further: Sequence[str] = ()
) -> None:
    """Fail a version; `further` are sentences about other faults than that of `error`."""
    await _end(tx, version_id, ended_as="failed", error=error, log=log, warnings=list(further))


async def _end(
    tx: Transaction,
    version_id: str,
    *,
    ended_as: str,
    deterministic: bool | None = None,
    error: Any = None,
    parameters: Any = (),
    metrics: Any = (),
    constraints: Any = (),
    warnings: Any = (),
    log: str = "",
    repeatable: bool | None = None,
    repeatable_reason: str | None = None,
) -> None:
    owner = await tx.one(queries.PROJECT_OF_VERSION, model_version_id=version_id)
    project_id = owner["project_id"]
    await deployments.hold(tx, project_id)
    version = await tx.one_or_none(
        queries.END_CHECK,
        model_version_id=version_id,
        ended_as=ended_as,
        deterministic=deterministic,
        error=None if error is None else json_value(error),
        parameters=json_value(parameters),
        metrics=json_value(metrics),
        constraints=json_value(constraints),
        warnings=json_value(warnings),
        log=log,
        repeatable=repeatable,
        repeatable_reason=repeatable_reason,
    )
    if version is None:
        return
    await tx.notify(CHANNEL)
    await events.write(
        tx,
        None,
        f"model.version.{ended_as}",
        subject=_VERSION.format(version_id, project_id=project_id, model_id=version["model_id"]),
        data={"model_version": events.without_names(version)},
        project_id=project_id,
    )
    await deployments.settle(tx, project_id, version)
