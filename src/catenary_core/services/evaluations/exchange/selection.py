"""The evaluations that an export has: single ones, or the points of batches and studies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from catenary.platform.v1 import evaluation_pb2
from catenary.platform.v1 import exchange_service_pb2 as pb
from catenary_core.call.errors import DomainError, not_found
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.services.evaluations.exchange import queries
from catenary_core.services.evaluations.points import ids
from catenary_core.services.evaluations.points import queries as points
from catenary_wire.json_form import enum_names

_STATUSES = enum_names(evaluation_pb2.EvaluationStatus.DESCRIPTOR)


@dataclass(frozen=True)
class ExportedEvaluations:
    """The evaluations that an export has, by their filters."""

    parameters: Mapping[str, Any]
    """Parameters of each statement."""
    of_points: bool
    """True if the rows are points of batches or studies."""

    async def newest_version(self, tx: Transaction) -> str:
        """Return the version of the newest named batch or study; without any the deployed one.

        Raises:
            DomainError: NOT_FOUND without such a batch or study; MODEL_NOT_DEPLOYED without a deployed version.
        """
        if self.of_points:
            of_any_status = {name: value for name, value in self.parameters.items() if name != "status"}
            found = await tx.one_or_none(points.NEWEST_VERSION, **of_any_status)
        else:
            found = await tx.one_or_none(queries.DEPLOYED, project_id=self.parameters["project_id"])
        if found is None:
            raise not_found("batch or study") if self.of_points else not_deployed()
        return str(found["model_version_id"])

    def of_version(self, version_id: str) -> ExportedEvaluations:
        """Return those of one version."""
        return replace(self, parameters={**self.parameters, "model_version_id": [version_id]})

    async def state(self, tx: Transaction) -> Row:
        """Return the number of rows, and `completed_at` of the last that ended."""
        return await tx.one(points.STATE if self.of_points else queries.STATE, **self.parameters)

    async def metric_names(self, tx: Transaction) -> list[str]:
        """Return the names of the metrics that the rows have."""
        statement = queries.METRIC_NAMES_OF_POINTS if self.of_points else queries.METRIC_NAMES
        return [row["name"] for row in await tx.all(statement, **self.parameters)]

    async def page(self, tx: Transaction, until: str, last: Row | None, rows: int) -> list[Row]:
        """Return the next rows, newest first.

        Args:
            tx: The transaction.
            until: Time at which the rows had ended.
            last: The row before them; None for the first rows.
            rows: Maximum number of rows.
        """
        given = {**self.parameters, "until": until, "page_rows": rows}
        if self.of_points:
            place = ids.place(ids.LAST if last is None else last["evaluation_id"])
            return [{**row, "geometry": row["made"] or []} for row in await tx.all(points.LIST_ENDED, **given, **place)]
        if last is None:
            return await tx.all(queries.PAGE, **given)
        after = {"after_created_at": last["created_at"], "after_id": last["evaluation_id"]}
        return await tx.all(queries.PAGE_AFTER, **given, **after)


def selected(request: pb.ExportEvaluationsRequest) -> ExportedEvaluations:
    """Read the filters of a request; without a status the completed evaluations are meant."""
    of = {"batch_id": list(request.batch_id), "study_id": list(request.study_id)}
    of_points = any(of.values())
    parameters = {
        "project_id": request.project_id,
        "status": [_STATUSES[status] for status in request.status] or ["completed"],
        "model_version_id": [],
        "asked_by": list(request.asked_by),
    }
    return ExportedEvaluations(parameters | of if of_points else parameters, of_points)


def not_deployed() -> DomainError:
    """Build the refusal of a project without a deployed version."""
    return DomainError("MODEL_NOT_DEPLOYED", "The project has no deployed model version; deploy one first.")
