"""The distance of a point from meeting a condition.

A search needs more than true and false: of two points that break a condition, the one that breaks it by less is nearer to
the designs that are wanted. The truth is that of `expressions.evaluation`; the distance only orders the points which it
refuses.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from catenary_wire.expressions import arithmetic, evaluation
from catenary_wire.expressions.arithmetic import Undefined, Value
from catenary_wire.expressions.evaluation import Values
from catenary_wire.expressions.quantities import Checked
from catenary_wire.expressions.syntax import Expression, Step

GREATEST = 1e49
"""Greatest distance of a condition that has a truth."""
UNDEFINED = 1e50
"""Distance of a condition without a truth, such as one over a metric that a point lacks."""
_LEAST = 1e-300
_OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
}


def of_metric(value: float | None, op: str, bound: float | None) -> float:
    """Return the distance of a metric's value from a bound, as a part of a bound that is not 0; 0 where met."""
    if value is None or bound is None or not math.isfinite(value):
        return UNDEFINED
    return 0.0 if _OPERATORS[op](value, bound) else _bounded(abs(value - bound) / (abs(bound) or 1.0))


def of_expression(checked: Checked, points: Sequence[Values]) -> list[float]:
    """Return the distance of a true-or-false expression from being true at each point; 0 where true.

    A comparison's distance is the difference of its sides, as a part of a right side that has no names and isn't 0.
    `and` adds the distances of what is false; `or` takes the least; `not` takes the distance from being false.
    """
    return [
        UNDEFINED if isinstance(truth, Undefined) else 0.0 if truth else _bounded(_distance(checked, values))
        for truth, values in zip(evaluation.evaluate_all(checked, points), points, strict=True)
    ]


def _bounded(distance: float) -> float:
    return min(max(distance, _LEAST), GREATEST) if math.isfinite(distance) else GREATEST


@dataclass(frozen=True, slots=True)
class _Operand:
    value: Value
    distance: float
    """Distance from a change of truth."""
    is_constant: bool


def _distance(checked: Checked, values: Values) -> float:
    """Return the distance from a change of truth, by the same steps as the expression's value."""
    stack: list[_Operand] = []
    for step in checked.expression.steps:
        if step.kind in {"number", "name", "text"}:
            alone = Checked(Expression(step.text, (step,)), checked.names, checked.result)
            stack.append(_Operand(evaluation.evaluate(alone, values), 1.0, step.kind != "name"))
        else:
            operands = stack[len(stack) - step.count :]
            del stack[len(stack) - step.count :]
            value = arithmetic.result(step, [operand.value for operand in operands])
            is_constant = all(operand.is_constant for operand in operands)
            stack.append(_Operand(value, _joined(step, operands, value), is_constant))
    return stack[0].distance


def _joined(step: Step, operands: Sequence[_Operand], value: Value) -> float:
    if step.kind == "comparison":
        left, right = operands
        if not isinstance(left.value, float) or not isinstance(right.value, float):
            return 1.0
        return abs(left.value - right.value) / ((right.is_constant and abs(right.value)) or 1.0)
    if step.kind == "not":
        return operands[0].distance
    if step.kind in {"and", "or"}:
        if value is (step.kind == "and"):
            return min(operand.distance for operand in operands)
        # Of `and` that is false and of `or` that is true, each operand that makes it so has to change.
        return math.fsum(operand.distance for operand in operands if operand.value is not (step.kind == "and"))
    return 1.0
