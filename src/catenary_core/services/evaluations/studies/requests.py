"""The request of a study as plain values, as they are stored and shown."""

from __future__ import annotations

from typing import Any

from catenary.platform.v1 import study_pb2
from catenary.platform.v1 import study_service_pb2 as pb
from catenary_core.call import json_text
from catenary_wire.json_form import enum_names

_KINDS = enum_names(study_pb2.StudyKind.DESCRIPTOR)
_ALGORITHMS = enum_names(study_pb2.StudyAlgorithm.DESCRIPTOR)
_DIRECTIONS = enum_names(study_pb2.StudyDirection.DESCRIPTOR)
_FAILURES = enum_names(study_pb2.StudyFailure.DESCRIPTOR)


def plain(request: pb.CreateStudyRequest) -> dict[str, Any]:
    """Return the fields of a request that responses show, with defaults where none are given.

    Raises VALIDATION_ERROR: a JSON text is damaged.
    """
    is_sensitivity = request.kind == study_pb2.STUDY_KIND_SENSITIVITY
    return {
        "kind": _KINDS[request.kind],
        "objectives": [_objective(one, is_sensitivity=is_sensitivity) for one in request.objectives],
        "constraints": [_constraint(one) for one in request.constraints],
        "parameters": {name: _parameter(name, one) for name, one in sorted(request.parameters.items())},
        "on_failure": _FAILURES.get(request.on_failure, "infeasible"),
        "start_from": [study_id.lower() for study_id in request.start_from],
        "name": request.name,
        "note": request.note,
        "stop": stop(request),
    }


def stop(request: pb.CreateStudyRequest | pb.ResumeStudyRequest) -> dict[str, int | None] | None:
    """Return the rules of a request by which a study stops; None without any."""
    if not request.HasField("stop"):
        return None
    given = request.stop
    rules = {
        "seconds": given.seconds if given.HasField("seconds") else None,
        "stalled_generations": given.stalled_generations if given.HasField("stalled_generations") else None,
    }
    return None if set(rules.values()) == {None} else rules


def algorithm(request: pb.CreateStudyRequest) -> str:
    """Return the name of the requested algorithm."""
    return _ALGORITHMS.get(request.algorithm, "auto")


def _objective(given: study_pb2.StudyObjective, *, is_sensitivity: bool) -> dict[str, Any]:
    return {
        "metric": given.metric if given.HasField("metric") else None,
        "expression": given.expression if given.HasField("expression") else None,
        "direction": None if is_sensitivity else _DIRECTIONS.get(given.direction, "minimize"),
        "reference": given.reference if given.HasField("reference") else None,
    }


def _constraint(given: study_pb2.StudyConstraint) -> dict[str, Any]:
    return {
        "metric": given.metric if given.HasField("metric") else None,
        "op": given.op if given.HasField("op") else None,
        "value": given.value if given.HasField("value") else None,
        "expression": given.expression if given.HasField("expression") else None,
    }


def _parameter(name: str, given: study_pb2.StudyParameter) -> dict[str, Any]:
    field = f"parameters.{name[:64]}"
    return {
        "min": given.min if given.HasField("min") else None,
        "max": given.max if given.HasField("max") else None,
        "choices": [json_text.parse(one.text, f"{field}.choices[{index}]") for index, one in enumerate(given.choices)],
        "fixed": json_text.parse(given.fixed.text, f"{field}.fixed") if given.HasField("fixed") else None,
    }
