"""The rules of derived metrics: which names an expression may have, whether it fits, and what its value is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from catenary.platform.v1.derived_metric_shapes import DerivedMetric, DerivedMetricValue
from catenary_core.call.errors import conflict, invalid
from catenary_core.call.item_faults import ItemFaults
from catenary_wire.expressions import derived
from catenary_wire.expressions.arithmetic import Undefined
from catenary_wire.expressions.errors import ExpressionError
from catenary_wire.expressions.quantities import Quantity


def check_all(entries: Sequence[Mapping[str, Any]], known: Mapping[str, Quantity]) -> None:
    """Check the names and expressions of all derived metrics of a project, in one refusal for the faults of all.

    Raises VALIDATION_ERROR: an expression doesn't fit.
    Raises CONFLICT: a name is taken.
    """
    taken = set(known)
    faults = ItemFaults()
    for index, entry in enumerate(entries):
        with faults.of(index):
            field = f"metrics[{index}]"
            if entry["name"] in taken:
                raise conflict(
                    f"{field}.name",
                    "{field} is the name of a parameter, a metric or another derived metric; give another one.",
                    value=entry["name"],
                )
            taken.add(entry["name"])
            try:
                derived.checked(entry["expression"], entry["unit"], known, hinted=not faults)
            except ExpressionError as error:
                raise invalid(
                    f"{field}.expression",
                    "{field}, column {column}: {problem}",
                    value=entry["expression"],
                    constraint="expression",
                    column=error.column,
                    problem=error.message,
                ) from None
    faults.refuse()


def shown(entry: Mapping[str, Any], known: Mapping[str, Quantity]) -> DerivedMetric:
    """Return a derived metric with its problem against the names of a version."""
    problem = None
    try:
        derived.checked(entry["expression"], entry["unit"], known, hinted=False)
    except ExpressionError as error:
        problem = located(error.message, error.column)
    return {
        "name": entry["name"],
        "expression": entry["expression"],
        "unit": entry["unit"],
        "description": entry["description"],
        "problem": problem,
    }


def value(entry: Mapping[str, Any], known: Mapping[str, Quantity], values: Mapping[str, Any]) -> DerivedMetricValue:
    """Compute the value of a derived metric.

    Args:
        entry: the derived metric.
        known: quantity of each name of the evaluated version.
        values: value of each name, in its declared unit.
    """
    number: float | None = None
    problem = None
    try:
        fitting = derived.checked(entry["expression"], entry["unit"], known, hinted=False)
    except ExpressionError as error:
        problem = located(error.message, error.column)
    else:
        found = derived.value(fitting, entry["unit"], values)
        if isinstance(found, Undefined):
            problem = located(found.why, found.column)
        else:
            number = float(found)
    return {"name": entry["name"], "value": number, "unit": entry["unit"], "problem": problem}


def located(message: str, column: int) -> str:
    """Return a sentence with its column in front."""
    return f"Column {column}: {message}"
