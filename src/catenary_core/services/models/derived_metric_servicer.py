"""`catenary.platform.v1.DerivedMetricService`: metrics that a project computes itself."""

from __future__ import annotations

import asyncio
from typing import Any

from catenary.platform.v1 import derived_metric_service_pb2 as pb
from catenary.platform.v1 import derived_metric_service_shapes as shapes
from catenary.platform.v1.derived_metric_shapes import DerivedMetrics
from catenary_core.call import preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, not_found
from catenary_core.database.statements import Row, json_value
from catenary_core.frame import Frame
from catenary_core.services.models import deployments, derived_metrics, queries
from catenary_wire.expressions import declared


class DerivedMetricServicer:
    """`catenary.platform.v1.DerivedMetricService`.

    Expressions are read and computed in a thread: a hundred of the longest take some tenths of a second.
    """

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def get_derived_metrics(
        self, request: pb.GetDerivedMetricsRequest, call: Call
    ) -> shapes.GetDerivedMetricsResponse:
        """Return the project's derived metrics, each with its problem against the deployed version."""
        async with self._db.read() as tx:
            row = await tx.one(queries.DERIVED_METRICS, project_id=request.project_id)
        return {"derived_metrics": await asyncio.to_thread(_shown, row, row["entries"])}

    async def put_derived_metrics(
        self, request: pb.PutDerivedMetricsRequest, call: Call
    ) -> shapes.PutDerivedMetricsResponse:
        """Replace the project's derived metrics."""
        entries = [_entry(given) for given in request.metrics]
        async with self._db.transaction() as tx:
            await deployments.hold(tx, request.project_id)
            row = await tx.one(queries.DERIVED_METRICS, project_id=request.project_id)
            preconditions.check(call, await asyncio.to_thread(_shown, row, row["entries"]))
            if entries:
                if row["declared_parameters"] is None:
                    raise DomainError(
                        "MODEL_NOT_DEPLOYED", "The project has no deployed model version; deploy one first."
                    )
                known = declared.names(row["declared_parameters"], row["declared_metrics"])
                await asyncio.to_thread(derived_metrics.check_all, entries, known)
            row |= await tx.one(queries.PUT_DERIVED_METRICS, project_id=request.project_id, entries=json_value(entries))
        return {"derived_metrics": await asyncio.to_thread(_shown, row, entries)}

    async def get_derived_metric_values(
        self, request: pb.GetDerivedMetricValuesRequest, call: Call
    ) -> shapes.GetDerivedMetricValuesResponse:
        """Return the values of the project's derived metrics for one evaluation."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.DERIVED_METRIC_VALUES, evaluation_id=request.evaluation_id)
        if row is None:
            raise not_found("evaluation")
        known = declared.names(row["declared_parameters"], row["declared_metrics"])
        values = row["parameters"] | {name: metric["value"] for name, metric in row["metrics"].items()}
        entries = row["entries"]
        return {
            "values": await asyncio.to_thread(lambda: [derived_metrics.value(one, known, values) for one in entries])
        }


def _entry(given: pb.NewDerivedMetric) -> dict[str, Any]:
    return {
        "name": given.name,
        "expression": given.expression,
        "unit": given.unit if given.HasField("unit") else None,
        "description": given.description,
    }


def _shown(row: Row, entries: list[dict[str, Any]]) -> DerivedMetrics:
    known = declared.names(row["declared_parameters"] or [], row["declared_metrics"] or [])
    return {
        "project_id": row["project_id"],
        "metrics": [derived_metrics.shown(entry, known) for entry in entries],
        "updated_at": row["updated_at"],
    }
