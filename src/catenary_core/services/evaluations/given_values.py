"""The values of a request to evaluate: plain JSON in `parameters`, or typed in `values`, which gRPC callers alone may set."""

from __future__ import annotations

from typing import Any

from catenary.platform.v1 import evaluation_service_pb2, parameter_value_pb2
from catenary_core.call import json_text
from catenary_core.call.errors import MOST_VIOLATIONS, DomainError, Violation
from catenary_wire.sentences import Sentence


def read(request: evaluation_service_pb2.EvaluateRequest) -> dict[str, Any]:
    """Return the given values by name, as `rules.resolve` takes them.

    Raises VALIDATION_ERROR: a name stands in both maps, or a JSON text is malformed.
    """
    given = {name: json_text.parse(value.text, f"parameters.{name}") for name, value in request.parameters.items()}
    typed = {name: _plain(value, f"values.{name}") for name, value in request.values.items()}
    if twice := sorted(given.keys() & typed.keys()):
        raise _refusal(twice)
    return given | typed


def _refusal(twice: list[str]) -> DomainError:
    violations = [
        Violation(
            name,
            Sentence("{name} has a value in parameters and one in values; give one of them.", {"name": name}),
            "unique",
        )
        for name in twice[:MOST_VIOLATIONS]
    ]
    details = {"parameter": twice[0], "value": None, "constraint": "unique"}
    return DomainError("VALIDATION_ERROR", violations[0].sentence, details=details, violations=violations)


def _plain(value: parameter_value_pb2.ParameterValue, field: str) -> Any:
    """Return the plain value; `buf.validate` has checked that one member is set."""
    match value.WhichOneof("kind"):
        case "quantity":
            return {"value": value.quantity.value, "unit": value.quantity.unit}
        case "point":
            point = value.point
            coordinates = [point.x, point.y, point.z]
            return {"value": coordinates, "unit": point.unit} if point.HasField("unit") else coordinates
        case "json":
            return json_text.parse(value.json.text, f"{field}.json")
        case member:
            return getattr(value, str(member))
