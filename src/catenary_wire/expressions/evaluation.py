"""The computation of checked expressions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from catenary_wire.expressions import arithmetic
from catenary_wire.expressions.arithmetic import Undefined, Value
from catenary_wire.expressions.quantities import Checked, Quantity, of_unit
from catenary_wire.expressions.syntax import Step

Values = Mapping[str, float | bool | str | None]
"""Value of each name at a point, in the unit of its quantity."""


def evaluate(checked: Checked, values: Values) -> Value:
    """Compute an expression at one point, as `evaluate_all` does at many."""
    (found,) = evaluate_all(checked, [values])
    return found


def evaluate_all(checked: Checked, points: Sequence[Values]) -> list[Value]:
    """Compute an expression at many points: each step once, over the array of its operands at all points.

    The arrays are lists: the last digits of numpy's functions differ between processors, and a study that goes on at
    another one must find the same numbers.

    Args:
        checked: the expression.
        points: for each point, the value of each name in the unit of its quantity; a name without one, or with None,
            is undefined there.

    Returns:
        For each point, a number in base units, a truth, a text; Undefined where a value has none, with the reason.
    """
    stack: list[Sequence[Value]] = []
    for step in checked.expression.steps:
        if step.kind == "number":
            stack.append([_base(step, step.value, of_unit(step.text))] * len(points))
        elif step.kind == "text":
            stack.append([step.text] * len(points))
        elif step.kind == "name":
            quantity, missing = checked.names[step.text], Undefined(f"{step.text} has no value here.", step.column)
            given = [point.get(step.text) for point in points]
            stack.append([missing if one is None else _base(step, one, quantity) for one in given])
        else:
            operands = stack[len(stack) - step.count :]
            del stack[len(stack) - step.count :]
            stack.append([arithmetic.result(step, of_point) for of_point in zip(*operands, strict=True)])
    (result,) = stack
    return list(result)


def in_unit(value: Value, unit: str | None) -> Value:
    """Return the result of a number in a unit of its dimension; Undefined where the unit has no finite number for it.

    Args:
        value: a number in base units, or Undefined.
        unit: symbol; None for a number without a unit.
    """
    if isinstance(value, Undefined):
        return value
    measure = of_unit(unit).measure
    found = (float(value) - measure.offset) / measure.factor
    return found if math.isfinite(found) else Undefined(f"The value has no finite number in {unit}.", 1)


def _base(step: Step, value: float | bool | str, quantity: Quantity) -> Value:
    if quantity.kind != "number":
        return value
    found = float(value) * quantity.measure.factor + quantity.measure.offset
    return found if math.isfinite(found) else Undefined("The value has no finite number in base units.", step.column)
