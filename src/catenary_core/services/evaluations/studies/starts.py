"""The studies with whose designs a new study begins."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from catenary_core.call.errors import invalid
from catenary_core.database.transactions import Database
from catenary_core.services.evaluations.studies import messages, queries
from catenary_core.studies import starts
from catenary_core.studies.definition import Definition

LOOKED_AT = 1_000
"""Best designs of each study that may begin another one."""


async def designs(db: Database, project_id: str, study_ids: Sequence[str], new: Definition) -> list[Any]:
    """Return the designs of earlier studies with which a new one begins; equal studies give equal ones.

    Args:
        db: The database.
        project_id: Project of the new study.
        study_ids: The earlier studies, of which the project may have none.
        new: The new study.

    Raises VALIDATION_ERROR: a study is not the project's, is a sensitivity, has not ended, or has no design that fits.
    """
    if not study_ids:
        return []
    if new.is_sensitivity:
        raise invalid(
            "start_from",
            "{field}: a sensitivity has a sample of its own; leave the studies out.",
            value=None,
            constraint="kind",
        )
    async with db.read() as tx:
        known = {
            row["study_id"]: row
            for row in await tx.all(queries.EARLIER, project_id=project_id, study_ids=list(study_ids))
        }
    found, names = [], [one.name for one in new.variables]
    for index, study_id in enumerate(study_ids):
        field = f"start_from[{index}]"
        if study_id not in known:
            raise invalid(
                field,
                "{field} is not of a study of this project; give ids of its studies, since only studies can be given.",
                value=study_id,
                constraint="reference",
            )
        if known[study_id]["kind"] == "sensitivity":
            raise invalid(
                field,
                "{field} is a sensitivity; give studies that look for designs.",
                value=study_id,
                constraint="kind",
            )
        if known[study_id]["status"] not in messages.FINAL:
            raise invalid(
                field,
                "{field} is a study that has not ended; wait for its end, or cancel it.",
                value=study_id,
                constraint="status",
            )
        async with db.read() as tx:
            rows = await tx.all(queries.DESIGNS, study_id=study_id, most=LOOKED_AT, names=names)
        fitting = await asyncio.to_thread(starts.fitting, new.variables, [row["parameters"] for row in rows])
        if not fitting:
            raise invalid(
                field,
                "{field} has no feasible design whose parameters fit this study; give wider ranges, or leave it out.",
                value=study_id,
                constraint="fit",
            )
        found.append(fitting)
    return await asyncio.to_thread(starts.joined, new.variables, found, new.population)
