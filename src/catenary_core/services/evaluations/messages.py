"""Responses and events of evaluations, built from rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from catenary.platform.v1 import evaluation_service_pb2, evaluation_shapes
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row
from catenary_core.event_log import events

FINAL = frozenset({"completed", "failed", "timed_out", "cancelled"})
"""The statuses of ended evaluations."""
EVALUATION_PATH = resource_path(evaluation_service_pb2, "GetEvaluation")
_GEOMETRY = resource_path(evaluation_service_pb2, "DownloadGeometry")
MAX_EVENT_TABLES = 64 * 1024
"""Maximum bytes of JSON of the tables in an event."""


def evaluation(row: Row, *, cached: bool = False, with_log: bool = False) -> evaluation_shapes.Evaluation:
    """Build an evaluation from its row.

    Args:
        row: The row.
        cached: Whether an earlier request's result is returned.
        with_log: Whether the caller may see what the model printed.
    """
    return {
        "evaluation_id": row["evaluation_id"],
        "project_id": row["project_id"],
        "status": row["status"],
        "model_version_id": row["model_version_id"],
        "parameters": row["parameters"],
        "metrics": row["metrics"],
        "constraints": row["constraints"],
        "geometry": [_geometry(row["evaluation_id"], item) for item in row["geometry"]],
        "tables": row["tables"],
        "error": row["error"],
        "cached": cached,
        "duration_ms": row["duration_ms"],
        "created_by": row["created_by"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "started_at": row["started_at"],
        "completed_at": row["completed_at"],
        "log": (row["log"] or None) if with_log else None,
    }


def event_data(row: Row) -> dict[str, Any]:
    """Build the `data` of an event: the evaluation, without its tables if they are large."""
    answer = events.without_names(evaluation(row))
    if len(orjson.dumps(answer["tables"])) > MAX_EVENT_TABLES:
        answer["tables"] = {}
    return {"evaluation": answer}


def _geometry(evaluation_id: str, item: Mapping[str, Any]) -> evaluation_shapes.Geometry:
    """Add its `url` to a stored geometry: the bare name stands for the glb."""
    name = item["name"] if item["format"] == "glb" else f"{item['name']}.{item['format']}"
    return {
        "name": item["name"],
        "format": item["format"],
        "url": _GEOMETRY.format(name, evaluation_id=evaluation_id),
        "size": item["size"],
        "sha256": item["sha256"],
        "parts": item["parts"],
    }
