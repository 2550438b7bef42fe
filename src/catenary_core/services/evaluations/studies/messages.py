"""Responses and events of studies, built from rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catenary.platform.v1 import study_service_pb2, study_shapes
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row
from catenary_core.event_log import events
from catenary_core.services.evaluations.messages import constraints
from catenary_core.services.evaluations.points import messages as point_messages

FINAL = frozenset({"completed", "cancelled", "failed"})
"""The statuses of ended studies."""
_CONSTANT = frozenset(
    {"objectives", "constraints", "parameters", "start_from", "derived_metrics", "note", "stop", "algorithm_reason"}
)
STUDY_PATH = resource_path(study_service_pb2, "GetStudy")


def _parameter(stored: Mapping[str, Any]) -> study_shapes.StudyParameter:
    """Build a parameter of a study; there is one distribution, so none is stored."""
    return {
        "min": stored["min"],
        "max": stored["max"],
        "choices": stored["choices"],
        "fixed": stored["fixed"],
        "distribution": "uniform",
    }


def study(row: Row) -> study_shapes.Study:
    """Build a study from its row."""
    request, definition = row["request"], row["definition"]
    return {
        "study_id": row["study_id"],
        "project_id": row["project_id"],
        "status": row["status"],
        "model_version_id": row["model_version_id"],
        "kind": request["kind"],
        "objectives": request["objectives"],
        "constraints": request["constraints"],
        "parameters": {name: _parameter(one) for name, one in request["parameters"].items()},
        "algorithm": definition["algorithm"],
        "population": definition["population"],
        "budget": definition["budget"],
        "seed": definition["seed"],
        "on_failure": request["on_failure"],
        "generation": row["generation"],
        "counts": {
            "total": row["total"],
            "queued": row["queued"],
            "running": row["running"],
            "completed": row["done"],
            "failed": row["failed"],
            "timed_out": row["timed_out"],
            "cancelled": row["cancelled"],
            "cached": row["cached"],
        },
        "front_size": row["front_size"],
        "hypervolume": row["hypervolume"],
        "reference": row["reference"],
        "expected_end": row["expected_end"],
        "error": row["error"],
        "created_by": row["created_by"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "started_at": row["started_at"],
        "completed_at": row["completed_at"],
        "start_from": request.get("start_from", []),
        "derived_metrics": definition.get("derived", []),
        "name": request.get("name", ""),
        "note": request.get("note", ""),
        "stop": request.get("stop"),
        "stopped_by": row["stopped_by"],
        "algorithm_reason": request.get("algorithm_reason"),
        "error_code": row["error_code"],
    }


def result(row: Row) -> study_shapes.StudyResult:
    """Build a point from its row."""
    return {
        "index": row["index"],
        "generation": row["generation"],
        "status": row["status"],
        "parameters": row["parameters"],
        "metrics": row["metrics"],
        "constraints": constraints(row["constraints"]),
        "objectives": [{"value": value} for value in row["objectives"] or []],
        "feasible": row["feasible"],
        "rank": row["rank"],
        "error": row["error"],
        "cached": row["cached"],
        "duration_ms": row["duration_ms"],
        "completed_at": row["completed_at"],
        "evaluation_id": row["evaluation_id"],
        "geometry": point_messages.geometry(row),
        "tables": row["tables"],
    }


def indices(objective: study_shapes.StudyObjective, found: Mapping[str, Any]) -> study_shapes.StudyIndices:
    """Build the indices of one objective from those of the engine."""
    return {
        "objective": objective,
        "used": found["used"],
        "left_out": found["left_out"],
        "parameters": [
            {
                "parameter": name,
                "mu_star": index.get("mu_star"),
                "mu_star_confidence": index.get("mu_star_confidence"),
                "sigma": index.get("sigma"),
                "s1": index.get("s1"),
                "s1_confidence": index.get("s1_confidence"),
                "st": index.get("st"),
                "st_confidence": index.get("st_confidence"),
            }
            for name, index in found["parameters"].items()
        ],
    }


def event_data(row: Row) -> dict[str, Any]:
    """Build the `data` of an event that a study ended, without the note."""
    return {"study": events.without_names({name: value for name, value in study(row).items() if name != "note"})}


def progress_data(row: Row) -> dict[str, Any]:
    """Build the `data` of an event of progress: without what never changes, and with the last hypervolume alone."""
    shown = {key: value for key, value in study(row).items() if key not in _CONSTANT}
    return {"study": events.without_names({**shown, "hypervolume": row["hypervolume"][-1:]})}
