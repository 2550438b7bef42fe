"""Responses and events of evaluations, built from rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from catenary.platform.v1 import evaluation_service_pb2, evaluation_shapes
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row
from catenary_core.event_log import events
from catenary_core.jobs.queue import JobEnd
from catenary_wire import media_types

FINAL = frozenset({"completed", "failed", "timed_out", "cancelled"})
"""The statuses of ended evaluations."""
EVALUATION_PATH = resource_path(evaluation_service_pb2, "GetEvaluation")
_GEOMETRY = resource_path(evaluation_service_pb2, "DownloadGeometry")
_FILE = resource_path(evaluation_service_pb2, "DownloadEvaluationFile")
MAX_EVENT_TABLES = 64 * 1024
"""Maximum bytes of JSON of the tables in an event, and of the parameters, which may be tables too."""


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
        "constraints": constraints(row["constraints"]),
        "geometry": [geometry(row["evaluation_id"], item) for item in row["geometry"]],
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
        "files": [_file(row["evaluation_id"], item) for item in row["files"]],
        "charts": row["charts"],
        "progress": _progress(row.get("progress"), with_output=with_log),
        "batch_id": None,
        "study_id": None,
        "index": None,
    }


def _progress(told: Mapping[str, Any] | None, *, with_output: bool) -> evaluation_shapes.EvaluationProgress | None:
    """Build the progress of an evaluation; None where the caller may see nothing of what the model told."""
    if told is None:
        return None
    output = (told.get("output") or None) if with_output else None  # a job of an older release has none
    if not (told["fraction"] or told["message"] or output):
        return None
    return {"fraction": told["fraction"], "message": told["message"], "output": output}


def constraints(stored: Mapping[str, Mapping[str, Any]]) -> dict[str, evaluation_shapes.ConstraintValue]:
    """Build the constraints of an evaluation; those stored by an older release lack what is compared with what."""
    return {
        name: {
            "value": one["value"],
            "satisfied": one["satisfied"],
            "metric": one.get("metric"),
            "op": one.get("op"),
            "limit": one.get("limit"),
            "unit": one.get("unit"),
        }
        for name, one in stored.items()
    }


def charts(ended: JobEnd) -> list[evaluation_shapes.Chart]:
    """Build the charts of an outcome, as they are stored and shown."""
    return [
        {"name": name, "kind": chart["kind"], "table": chart["table"], "x": chart["x"], "y": chart["y"]}
        for name, chart in ended.charts.items()
    ]


def event_data(row: Row) -> dict[str, Any]:
    """Build the `data` of an event: the evaluation, without tables and their charts or parameters if they are large."""
    answer = events.without_names(evaluation(row))
    if len(orjson.dumps(answer["tables"])) > MAX_EVENT_TABLES:
        answer.update(tables={}, charts=[])
    if len(orjson.dumps(answer["parameters"])) > MAX_EVENT_TABLES:
        answer.update(parameters={})
    return {"evaluation": answer}


def _file(evaluation_id: str, item: Mapping[str, Any]) -> evaluation_shapes.EvaluationFile:
    """Add its `media_type` and `url` to a stored file."""
    return {
        "name": item["name"],
        "media_type": media_types.of_file(item["name"]),
        "url": _FILE.format(item["name"], evaluation_id=evaluation_id),
        "size": item["size"],
        "sha256": item["sha256"],
    }


def geometry_path(evaluation_id: str, item: Mapping[str, Any]) -> str:
    """Return the REST path of a stored geometry: the bare name stands for the glb."""
    name = item["name"] if item["format"] == "glb" else f"{item['name']}.{item['format']}"
    return _GEOMETRY.format(name, evaluation_id=evaluation_id)


def geometry(evaluation_id: str, item: Mapping[str, Any]) -> evaluation_shapes.Geometry:
    """Add its `url` to a geometry; one that was not made yet has a name and a format alone."""
    return {
        "name": item["name"],
        "format": item["format"],
        "url": geometry_path(evaluation_id, item),
        "size": item.get("size"),
        "sha256": item.get("sha256"),
        "parts": [_part(part) for part in item.get("parts", [])],
        "unit": item.get("unit"),
    }


def _part(stored: evaluation_shapes.GeometryPart) -> evaluation_shapes.GeometryPart:
    """Return a part with what those lack that were stored by an older release."""
    return {**stored, "opening": stored.get("opening"), "measured": stored.get("measured")}
