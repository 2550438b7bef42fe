"""The verdict of the platform on a model's result, computed in another way, and whether the core takes the result."""

from __future__ import annotations

import math
from typing import Any

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary_core.call import validation
from catenary_core.services.worker import outcome as core
from catenary_worker import completion
from catenary_worker.task import Description, Outcome

DESCRIPTION: Description = {
    "parameters": [],
    "metrics": [{"name": "m", "unit": "kg"}],
    "constraints": [{"name": "c", "metric": "m", "op": "<=", "value": 2}],
    "geometry_unit": None,
}


def disbeliefs(outcome: Outcome, description: Description = DESCRIPTION) -> list[str]:
    """Return what in a completed outcome is not the platform's own verdict."""
    found = []
    units = {metric["name"]: metric["unit"] for metric in description["metrics"]}
    if units.keys() - outcome.metrics.keys():
        found.append("a declared metric is missing")
    for name, metric in outcome.metrics.items():
        if metric.keys() != {"value", "unit"} or metric["unit"] != units.get(name):
            found.append(f"the unit of {name}")
        if isinstance(metric["value"], bool) or not math.isfinite(metric["value"]):
            found.append(f"the value of {name}")
    expected: dict[str, Any] = {}
    for constraint in description["constraints"]:
        assert constraint["op"] == "<="
        metric, limit = outcome.metrics[constraint["metric"]], constraint["value"]
        expected[constraint["name"]] = {
            "value": metric["value"],
            "satisfied": metric["value"] <= limit,
            "metric": constraint["metric"],
            "op": "<=",
            "limit": limit,
            "unit": metric["unit"],
        }
    if outcome.constraints != expected:
        found.append("the constraints")
    return found


def taken_by_core(outcome: Outcome) -> None:
    """Read an outcome as the core does; raise its refusal."""
    message = completion.message(outcome, None)
    assert message.ByteSize() < 4 * 1024 * 1024
    validation.check(pb.CompleteRequest(outcome=message))
    core._read(message, "digest")
