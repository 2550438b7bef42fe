"""The computation of checked expressions."""

from __future__ import annotations

import math
from collections.abc import Mapping

from catenary_wire.expressions import arithmetic
from catenary_wire.expressions.arithmetic import Undefined, Value
from catenary_wire.expressions.quantities import Checked, Quantity, of_unit
from catenary_wire.expressions.syntax import Step


def evaluate(checked: Checked, values: Mapping[str, float | bool | str | None]) -> Value:
    """Compute an expression.

    Args:
        checked: the expression.
        values: value of each name in the unit of its quantity; a name without one, or with None, is undefined.

    Returns:
        A number in base units, a truth, a text; Undefined where a value has none, with the reason.
    """
    stack: list[Value] = []
    for step in checked.expression.steps:
        if step.kind == "number":
            stack.append(_base(step, step.value, of_unit(step.text)))
        elif step.kind == "text":
            stack.append(step.text)
        elif step.kind == "name":
            given = values.get(step.text)
            missing = Undefined(f"{step.text} has no value here.", step.column)
            stack.append(missing if given is None else _base(step, given, checked.names[step.text]))
        else:
            operands = stack[len(stack) - step.count :]
            del stack[len(stack) - step.count :]
            stack.append(arithmetic.result(step, operands))
    (result,) = stack
    return result


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
