"""Responses and events of batches, built from rows."""

from __future__ import annotations

from typing import Any

from catenary.platform.v1 import batch_service_pb2, batch_shapes
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row
from catenary_core.event_log import events
from catenary_core.services.evaluations.messages import constraints
from catenary_core.services.evaluations.points import messages as point_messages

FINAL = frozenset({"completed", "cancelled"})
"""The statuses of ended batches."""

BATCH_PATH = resource_path(batch_service_pb2, "GetBatch")


def ended(row: Row) -> int:
    """Return the number of points that have ended, those that were removed included, and so the last position."""
    return int(row["total"] - row["queued"] - row["running"] + row["removed"])


def batch(row: Row) -> batch_shapes.Batch:
    """Build a batch from its row."""
    return {
        "batch_id": row["batch_id"],
        "project_id": row["project_id"],
        "status": row["status"],
        "model_version_id": row["model_version_id"],
        "counts": {
            "total": row["total"],
            "queued": row["queued"],
            "running": row["running"],
            "completed": row["completed"],
            "failed": row["failed"],
            "timed_out": row["timed_out"],
            "cancelled": row["cancelled"],
            "cached": row["cached"],
        },
        "created_by": row["created_by"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "started_at": row["started_at"],
        "completed_at": row["completed_at"],
        "geometry": row["geometry"],
        "name": row["name"],
        "note": row["note"],
        "error": row["error"],
        "expected_end": row["expected_end"],
    }


def result(row: Row) -> batch_shapes.BatchResult:
    """Build a point from its row."""
    return {
        "index": row["index"],
        "status": row["status"],
        "parameters": row["parameters"],
        "metrics": row["metrics"],
        "constraints": constraints(row["constraints"]),
        "tables": row["tables"],
        "error": row["error"],
        "cached": row["cached"],
        "duration_ms": row["duration_ms"],
        "started_at": row["started_at"],
        "completed_at": row["completed_at"],
        "evaluation_id": row["evaluation_id"],
        "geometry": point_messages.geometry(row),
    }


def event_data(row: Row) -> dict[str, Any]:
    """Build the `data` of an event, without the note."""
    return {"batch": events.without_names({name: value for name, value in batch(row).items() if name != "note"})}
