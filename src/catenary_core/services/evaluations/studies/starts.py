"""The studies and variants with whose designs a new study begins."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from catenary.platform.v1 import evaluation_shapes
from catenary_core.call.errors import invalid
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Database
from catenary_core.services.evaluations import reading
from catenary_core.services.evaluations.studies import messages, queries
from catenary_core.studies import starts
from catenary_core.studies.definition import Definition

LOOKED_AT = 1_000
"""Best designs of each study that may begin another one."""


async def designs(db: Database, project_id: str, start_ids: Sequence[str], new: Definition) -> list[Any]:
    """Return the designs of earlier studies and of variants with which a study begins; equal ones give equal ones.

    Args:
        db: The database.
        project_id: Project of the new study.
        start_ids: The earlier studies and the variants, of which the project may have none.
        new: The new study.

    Raises VALIDATION_ERROR: one is not the project's, is a sensitivity, has not ended, or has no design that fits.
    """
    if not start_ids:
        return []
    if new.is_sensitivity:
        raise invalid(
            "start_from",
            "{field}: a sensitivity has a sample of its own; leave the ids out.",
            value=None,
            constraint="kind",
        )
    async with db.read() as tx:
        earlier = await tx.all(queries.EARLIER, project_id=project_id, study_ids=list(start_ids))
        saved = await tx.all(queries.SAVED, project_id=project_id, variant_ids=list(start_ids))
        evaluations = await reading.listed(tx, [row["evaluation_id"] for row in saved]) if saved else {}
    studies = {row["study_id"]: row for row in earlier}
    variants = {row["variant_id"]: evaluations[row["evaluation_id"]] for row in saved}
    found = []
    for index, start_id in enumerate(start_ids):
        field = f"start_from[{index}]"
        if start_id in variants:
            given = _of_variant(field, start_id, variants[start_id])
        elif start_id in studies:
            given = await _of_study(db, field, studies[start_id], new)
        else:
            raise invalid(
                field,
                "{field} is neither of a study nor of a variant of this project; give ids of these.",
                value=start_id,
                constraint="reference",
            )
        fitting = await asyncio.to_thread(starts.fitting, new.variables, given)
        if not fitting:
            raise invalid(
                field,
                "{field} has no feasible design whose parameters fit this study; give wider ranges, or leave it out.",
                value=start_id,
                constraint="fit",
            )
        found.append(fitting)
    return await asyncio.to_thread(starts.joined, new.variables, found, new.population)


def _of_variant(field: str, variant_id: str, evaluation: evaluation_shapes.Evaluation) -> list[Mapping[str, Any]]:
    """Return the design of a variant.

    Raises VALIDATION_ERROR: its evaluation is not completed.
    """
    if evaluation["status"] != "completed":
        raise invalid(
            field,
            "{field} is a variant that is not ready; wait for its evaluation, or give another one.",
            value=variant_id,
            constraint="status",
        )
    return [evaluation["parameters"]]


async def _of_study(db: Database, field: str, study: Row, new: Definition) -> list[Mapping[str, Any]]:
    """Return the best designs of an earlier study.

    Raises VALIDATION_ERROR: it is a sensitivity, or has not ended.
    """
    if study["kind"] == "sensitivity":
        raise invalid(
            field,
            "{field} is a sensitivity; give studies that look for designs.",
            value=study["study_id"],
            constraint="kind",
        )
    if study["status"] not in messages.FINAL:
        raise invalid(
            field,
            "{field} is a study that has not ended; wait for its end, or cancel it.",
            value=study["study_id"],
            constraint="status",
        )
    names = [one.name for one in new.variables]
    async with db.read() as tx:
        rows = await tx.all(queries.DESIGNS, study_id=study["study_id"], most=LOOKED_AT, names=names)
    return [row["parameters"] for row in rows]
