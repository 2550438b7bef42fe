"""The checks of an evaluation's return value, and the platform's verdict on it.

The child converts its model's result to plain JSON values (`numbers`, `tables`) and sends these alone. The host checks the
same again with the same functions, since nothing from a child is trusted. Units and constraints are the host's: it takes
them from the description and the checked numbers (`metrics`, `constraints`).
"""

import math
import operator
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

from catenary_wire.expressions import constraint_limits
from catenary_wire.expressions.arithmetic import EQUAL, Undefined
from catenary_wire.model_limits import LABEL, MOST_METRICS, MOST_ROWS, MOST_TABLES, RESULT_BYTES
from catenary_worker.models.entries import check_name, check_text, format_value
from catenary_worker.task import Description, ModelFaultError

RETURNED = ("metrics", "geometry", "tables", "charts", "files")
TOO_LARGE = f"The result has more than {RESULT_BYTES >> 20} MiB of metrics, tables and descriptions."
_COMPARE = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt}


def returned(result: object) -> dict[str, Mapping[Any, Any]]:
    """Return the dicts of an evaluation's result, each empty if the model left it out."""
    if not isinstance(result, Mapping):
        raise ModelFaultError(f"evaluate must return a dict, not {format_value(result)}.")
    for key in result:
        if key not in RETURNED:
            raise ModelFaultError(
                f"evaluate returned the unknown key {format_value(key)}; known keys are {', '.join(RETURNED)}."
            )
    found: dict[str, Mapping[Any, Any]] = {}
    for key in RETURNED:
        value = result.get(key)
        if value is not None and not isinstance(value, Mapping):
            raise ModelFaultError(f"evaluate: {key} must be a dict by name, not {format_value(value)}.")
        found[key] = value or {}
    return found


def numbers(values: Mapping[Any, Any]) -> dict[str, int | float]:
    """Return the metrics as plain numbers by name."""
    if len(values) > MOST_METRICS:
        raise ModelFaultError(f"evaluate returned more than {MOST_METRICS} metrics.")
    return {check_name(name, "metric"): number(value, f"metric {name}") for name, value in values.items()}


def metrics(found: Mapping[str, int | float], description: Description) -> dict[str, dict[str, Any]]:
    """Return each metric as `{"value", "unit"}`: declared ones first, in their order; others with a null unit.

    Args:
        found: The numbers that `numbers` returned.
        description: The model's description.

    Raises:
        ModelFaultError: A declared metric is missing.
    """
    units = {metric["name"]: metric["unit"] for metric in description["metrics"]}
    for name in units:
        if name not in found:
            raise ModelFaultError(f"evaluate did not return the metric {name}, which METRICS declares.")
    names = [*units, *(name for name in found if name not in units)]
    return {name: {"value": found[name], "unit": units.get(name)} for name in names}


def constraints(
    found: Mapping[str, Mapping[str, Any]], description: Description, parameters: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return each constraint as `{"value": value of its metric, "satisfied", "metric", "op", "limit", "unit"}`.

    `==` holds within a relative tolerance of 1e-9, or an absolute one of 1e-12.

    Args:
        found: The metrics that `metrics` returned.
        description: The model's description.
        parameters: The resolved values, in their declared units.

    Raises:
        ModelFaultError: A limit that is an expression has no finite value for this design.
    """
    # Declared metrics alone: another one may have the name of a parameter.
    names = {metric["name"]: found[metric["name"]]["value"] for metric in description["metrics"]}
    limits = constraint_limits.limits(
        description["constraints"], description["parameters"], description["metrics"], {**parameters, **names}
    )
    results = {}
    for constraint in description["constraints"]:
        metric = found[constraint["metric"]]
        value, bound = metric["value"], _bound(constraint, metric["value"], limits[constraint["name"]])
        if constraint["op"] == "==":
            satisfied = math.isclose(value, bound, rel_tol=1e-9, abs_tol=1e-12)
        else:
            satisfied = bool(_COMPARE[constraint["op"]](value, bound))
        results[constraint["name"]] = {
            "value": value,
            "satisfied": satisfied,
            "metric": constraint["metric"],
            "op": constraint["op"],
            "limit": bound,
            "unit": metric["unit"],
        }
    return results


def _bound(constraint: Mapping[str, Any], value: float, limit: int | float | Undefined) -> int | float:
    """Return the limit of a constraint; the value itself where an expression differs from it by a conversion's rounding."""
    if isinstance(limit, Undefined):
        raise ModelFaultError(
            f"CONSTRAINTS: {constraint['name']}: value has no number for this design, column {limit.column}: {limit.why}"
            " Change the expression, or the range of what it names."
        )
    is_same = isinstance(constraint["value"], str) and math.isclose(value, limit, rel_tol=EQUAL)
    return value if is_same else limit


def tables(values: Mapping[Any, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the tables by name: lists of flat dicts of text, numbers, booleans and null."""
    if len(values) > MOST_TABLES:
        raise ModelFaultError(f"evaluate returned more than {MOST_TABLES} tables.")
    plain, left = {}, MOST_ROWS
    for name, rows in values.items():
        what = f"table {check_name(name, 'table')}"
        if not isinstance(rows, list | tuple):
            raise ModelFaultError(f"{what} must be a list of dicts, not {format_value(rows)}.")
        left -= len(rows)
        if left < 0:
            raise ModelFaultError(f"evaluate returned tables with more than {MOST_ROWS:,} rows.")
        plain[name] = [_row(row, f"{what}, row {index}") for index, row in enumerate(rows, 1)]
    return plain


def number(value: object, what: str) -> int | float:
    """Convert a finite real number to a plain int or float; numpy's scalars count, booleans do not."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ModelFaultError(f"{what} must be a number, not {format_value(value)}.")
    if isinstance(value, Integral) and -(2**63) <= (whole := int(value)) < 2**63:
        return whole
    try:
        plain = float(value)
    except (OverflowError, ValueError):
        raise ModelFaultError(f"{what} is too large for a number.") from None
    if not math.isfinite(plain):
        raise ModelFaultError(f"{what} is {plain}, which is not a finite number.")
    return plain


def _row(row: object, what: str) -> dict[str, Any]:
    if not isinstance(row, Mapping):
        raise ModelFaultError(f"{what} must be a dict, not {format_value(row)}.")
    return {
        check_text(key, f"{what}: a column's name", LABEL, multiline=False): _cell(cell, what, key)
        for key, cell in row.items()
    }


def _cell(value: object, what: str, key: object) -> str | int | float | bool | None:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return check_text(str(value), f"{what}, {key}")
    if isinstance(value, Real):
        return number(value, f"{what}, {key}")
    if type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise ModelFaultError(f"{what}, {key}: {format_value(value)} is not text, a number, a boolean or None.")
