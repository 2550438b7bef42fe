"""Rules for narrowing a model's parameters in a project.

A parameter is a dict in the shape of model.proto, with every field. A narrowing is a dict of the fields `min`, `max`,
`default` and `label` that the project changed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catenary.platform.v1.model_shapes import ModelParameter, TableColumn
from catenary_wire import input_files, value_forms
from catenary_wire.model_limits import MOST_CELLS
from catenary_wire.steps import on_step

MAX_TEXT = 10_000
"""Maximum length, in characters, of a text value."""
_NUMERIC = ("number", "integer")
_WANTED = {
    "number": "a finite number",
    "integer": "a whole number in ±2^63",
    "boolean": "true or false",
    "string": f"text of at most {MAX_TEXT:,} characters",
    "choice": "one of its choices",
    "color": value_forms.COLOR_FORM,
    "date": value_forms.DATE_FORM,
    "point": value_forms.POINT_FORM,
    "file": f"{input_files.PATH_FORM}, or null",
    "table": f"a list of rows with exactly its columns, of at most {MOST_CELLS:,} cells",
}

Narrowing = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NarrowingFault:
    """The reason why a narrowing doesn't fit a declaration."""

    field: str
    """The field to name in the error."""
    value: Any
    """The value of that field."""
    message: str
    constraint: str
    """The broken rule."""
    cause: str
    """The narrowed field whose removal would remove the fault."""


def fault(declared: ModelParameter, narrowing: Narrowing) -> NarrowingFault | None:
    """Return the first fault of a narrowing, or None.

    A bound must have the parameter's type, lie in the declared range and, for `min`, on the declared step (steps are
    counted from `min`). The default, narrowed or declared, must have the type and lie in the narrowed range and on the
    step.
    """
    for field in ("min", "max"):
        if field in narrowing and (found := _bound_fault(declared, field, narrowing[field])):
            return found
    parameter = narrowed(declared, narrowing)
    if "min" in narrowing and "max" in narrowing and narrowing["min"] > narrowing["max"]:
        message = (
            f"min {_shown(narrowing['min'])} is over max {_shown(narrowing['max'])}; give a range with values in it."
        )
        return NarrowingFault("min", narrowing["min"], message, "min", "max")
    return _default_fault(parameter, narrowing)


def fitting(declared: ModelParameter, narrowing: Narrowing) -> dict[str, Any]:
    """Return the part of a narrowing that fits a declaration, without the fields that cause faults."""
    kept = dict(narrowing)
    while (found := fault(declared, kept)) is not None and found.cause in kept:
        del kept[found.cause]
    return kept


def narrowed(declared: ModelParameter, narrowing: Narrowing) -> ModelParameter:
    """Return the parameter as the project sees it."""
    return {**declared, **narrowing}  # type: ignore[typeddict-item]  # a narrowing has the same fields, some of them


def effective(declared: list[ModelParameter], narrowings: Mapping[str, Narrowing]) -> list[ModelParameter]:
    """Return all parameters of a version as the project sees them; `narrowings` maps names of parameters."""
    return [narrowed(item, fitting(item, narrowings.get(item["name"], {}))) for item in declared]


def is_of_type(parameter: ModelParameter, value: Any) -> bool:
    """Return whether a value has the parameter's type, whatever the range."""
    if parameter["type"] == "table":
        return _is_table(parameter["columns"], value)
    if parameter["type"] == "file":
        return value is None or input_files.is_path(value)
    if parameter["type"] == "choice":
        return any(_same(value, choice) for choice in parameter["choices"])
    return _is_of_kind(str(parameter["type"]), value)


def _is_table(columns: Sequence[TableColumn], value: Any) -> bool:
    if not isinstance(value, list) or len(value) * len(columns) > MOST_CELLS:
        return False
    kinds = {column["name"]: str(column["type"]) for column in columns}
    return all(
        isinstance(row, dict)
        and row.keys() == kinds.keys()
        and all(_is_of_kind(kind, row[name]) for name, kind in kinds.items())
        for row in value
    )


def _is_of_kind(kind: str, value: Any) -> bool:
    match kind:
        case "number":
            return is_number(value)
        case "integer":
            return is_number(value) and isinstance(value, int)
        case "boolean":
            return isinstance(value, bool)
        case "string":
            return isinstance(value, str) and len(value) <= MAX_TEXT
        case "color":
            return value_forms.color(value) is not None
        case "date":
            return value_forms.day(value) is not None
        case "point":
            return value_forms.point(value) is not None
        case _:
            return False


def _bound_fault(declared: ModelParameter, field: str, value: Any) -> NarrowingFault | None:
    def because(problem: str, constraint: str) -> NarrowingFault:
        return NarrowingFault(field, value, f"{field} {_shown(value)} {problem}", constraint, field)

    kind = str(declared["type"])
    if kind not in _NUMERIC:
        return because(f"can't be set: {declared['name']} is of the type {kind}, which has no range.", "type")
    if not is_of_type(declared, value):
        return because(f"must be {_WANTED[kind]}.", "type")
    low: Any = declared["min"]
    high: Any = declared["max"]
    if (low is not None and value < low) or (high is not None and value > high):
        return because(f"lies outside the declared range {_range(declared)}; a project can only narrow it.", "range")
    if field == "min" and not _is_on_step(declared, value):
        return because(f"is off the declared step {_shown(declared['step'])}; the step is counted from it.", "step")
    return None


def _default_fault(parameter: ModelParameter, narrowing: Narrowing) -> NarrowingFault | None:
    value: Any = parameter["default"]
    given = "default" in narrowing

    def because(problem: str, constraint: str, cause: str) -> NarrowingFault:
        way_out = "" if given else " Give a default that fits as well."
        return NarrowingFault(
            "default", value, f"default {_shown(value)} {problem}{way_out}", constraint, "default" if given else cause
        )

    if not is_of_type(parameter, value):
        return because(f"must be {_WANTED[str(parameter['type'])]}.", "type", "default")
    if given and parameter["type"] == "file":
        return because("can't be set: the default of a file belongs to the model; give a file.", "type", "default")
    if parameter["type"] not in _NUMERIC:
        return None
    low: Any = parameter["min"]
    high: Any = parameter["max"]
    if low is not None and value < low:
        return because(f"lies outside the range {_range(parameter)}.", "range", "min")
    if high is not None and value > high:
        return because(f"lies outside the range {_range(parameter)}.", "range", "max")
    if parameter["positive"] and value <= 0:
        return because("must be over 0.", "positive", "default")
    if not _is_on_step(parameter, value):
        return because(f"is off the step {_shown(parameter['step'])}, counted from {_shown(low or 0)}.", "step", "min")
    return None


def _is_on_step(parameter: ModelParameter, value: Any) -> bool:
    step: Any = parameter["step"]
    start: Any = parameter["min"]
    return step is None or on_step(value, 0 if start is None else start, step)


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number, an integer in ±2^63; true and false aren't."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -(2**63) <= value < 2**63 if isinstance(value, int) else math.isfinite(value)


def _same(one: Any, other: Any) -> bool:
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _range(parameter: ModelParameter) -> str:
    low, high = (("…" if bound is None else _shown(bound)) for bound in (parameter["min"], parameter["max"]))
    return f"{low} to {high}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
