"""Limits of constraints that are expressions over the parameters and metrics of a model: `span / 300`.

A model's check asks for `faults`, each evaluation for `limits`. A limit without a unit counts in a metric's unit that the
table lacks, as a limit that is a number does; else its dimension is that of the metric.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from catenary_wire.expressions import declared, derived, quantities, syntax
from catenary_wire.expressions.arithmetic import Undefined
from catenary_wire.expressions.errors import ExpressionError
from catenary_wire.expressions.quantities import Checked, Quantity
from catenary_wire.model_limits import LIMITS
from catenary_wire.units import unit_table

_KEPT = 512
"""Expressions that are kept checked; the points of a batch have the same ones."""
_Entries = Sequence[Mapping[str, Any]]


def faults(constraints: _Entries, parameters: _Entries, metrics: _Entries) -> Iterator[tuple[int, str]]:
    """Yield the place of each constraint whose expression doesn't fit, with a sentence for the model's author.

    Where the expressions are too long together, the one that goes over is the last fault.

    Args:
        constraints: Declared constraints, each with `name`, `metric` and `value`.
        parameters: Declared parameters, each with `name`, `type`, `unit` and `choices`.
        metrics: Declared metrics, each with `name` and `unit`.
    """
    known, units = declared.names(parameters, metrics), _units(metrics)
    hinted, characters = True, 0  # similar names take some milliseconds, so one sentence has them
    for place, one in enumerate(constraints):
        if not isinstance(one["value"], str):
            continue
        characters += len(one["value"])
        if characters > LIMITS:
            text = f"the expressions up to this one have over {LIMITS:,} characters; let evaluate return longer ones as metrics."
            yield place, f"CONSTRAINTS: {one['name']}: value: {text}"
            return
        try:
            _check(quantities.check(syntax.parse(one["value"]), known, hinted=hinted), units.get(one["metric"]))
        except ExpressionError as error:
            hinted = False
            yield place, f"CONSTRAINTS: {one['name']}: value, column {error.column}: {error.message}"


def limits(
    constraints: _Entries, parameters: _Entries, metrics: _Entries, values: Mapping[str, Any]
) -> dict[str, int | float | Undefined]:
    """Return the limit of each constraint in the unit of its metric; Undefined where an expression has no value.

    Args:
        constraints: Declared constraints, of which `faults` found none.
        parameters: Declared parameters.
        metrics: Declared metrics.
        values: Value of each parameter and declared metric, in its unit; a metric goes before a parameter of its name.
    """
    if not any(isinstance(one["value"], str) for one in constraints):
        return {one["name"]: one["value"] for one in constraints}
    known, units = declared.names(parameters, metrics), _units(metrics)
    return {
        one["name"]: _limit(one["value"], units.get(one["metric"]), known, values)
        if isinstance(one["value"], str)
        else one["value"]
        for one in constraints
    }


def _limit(
    text: str, unit: str | None, known: Mapping[str, Quantity], values: Mapping[str, Any]
) -> int | float | Undefined:
    used = dict.fromkeys(step.text for step in _parsed(text).steps if step.kind == "name")
    found = derived.value(_checked(text, unit, tuple((name, known[name]) for name in used)), unit, values)
    return found if isinstance(found, Undefined) else float(found)


@lru_cache(_KEPT)
def _parsed(text: str) -> syntax.Expression:
    return syntax.parse(text)


@lru_cache(_KEPT)
def _checked(text: str, unit: str | None, known: tuple[tuple[str, Quantity], ...]) -> Checked:
    return _check(quantities.check(_parsed(text), dict(known)), unit)


def _check(found: Checked, unit: str | None) -> Checked:
    is_plain = unit and unit_table.measure(unit) is None and not found.result.dimension
    quantities.need(found, "number", None if is_plain else unit)
    return found


def _units(metrics: _Entries) -> dict[str, str | None]:
    return {metric["name"]: metric["unit"] for metric in metrics}
