"""The operators and functions of expressions, on numbers, truths and texts.

A result that is no finite double (division by zero, the root of a negative number, an overflow) is undefined. A
comparison with an undefined operand is undefined. `and` and `or` follow Kleene's strong logic of three values: one false
operand makes `and` false, one true operand makes `or` true, whatever the other operand is.

Numbers that differ by at most EQUAL of their size are equal: 3 ft and 0.9144 m differ by the rounding of a conversion.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catenary_wire.expressions.syntax import Step


@dataclass(frozen=True, slots=True)
class Undefined:
    """The result of an operation that has no finite value."""

    why: str
    """Reason, as a sentence."""
    column: int
    """Column of the operation."""


Value = float | bool | str | Undefined
"""A value on its way through the steps of an expression."""

GREATEST_EXPONENT = 64
"""Greatest size of an exponent."""
EQUAL = 1e-12
"""Greatest difference of equal numbers, as a part of the greater one."""
_ORDER: Mapping[str, frozenset[int]] = {
    "<=": frozenset({-1, 0}),
    ">=": frozenset({0, 1}),
    "==": frozenset({0}),
    "!=": frozenset({-1, 1}),
    "<": frozenset({-1}),
    ">": frozenset({1}),
}
_BINARY: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
}


def result(step: Step, operands: Sequence[Value]) -> Value:
    """Return the result of one step on its operands; Undefined where there is none."""
    if step.kind in {"and", "or"}:
        return _joined(operands, decisive=step.kind == "or")
    for operand in operands:
        if isinstance(operand, Undefined):
            return operand
    if step.kind == "not":
        return not operands[0]
    if step.kind == "comparison":
        return _order(operands[0], operands[1]) in _ORDER[step.text]
    numbers = [float(operand) for operand in operands if not isinstance(operand, Undefined)]
    try:
        found = _number(step, numbers)
    except (ArithmeticError, ValueError):  # math's own sentences name neither value nor way out
        found = math.nan
    if isinstance(found, complex) or not math.isfinite(found):
        shown = ", ".join(f"{number:g}" for number in numbers)
        return Undefined(f"{step.text} of {shown} in base units has no finite value.", step.column)
    return found


def _number(step: Step, numbers: list[float]) -> float:
    if step.kind == "sign":
        return -numbers[0] if step.text == "-" else numbers[0]
    if step.kind == "call":
        return _FUNCTIONS[step.text](*numbers)
    if step.text != "**":
        return _BINARY[step.text](*numbers)
    base, exponent = numbers
    return math.pow(base, exponent) if abs(exponent) <= GREATEST_EXPONENT else math.nan


def _joined(operands: Sequence[Value], *, decisive: bool) -> Value:
    """Return the one operand that decides, else an undefined one, else the other truth."""
    if any(operand is decisive for operand in operands):
        return decisive
    return next((operand for operand in operands if isinstance(operand, Undefined)), not decisive)


def _order(left: object, right: object) -> int:
    """Return -1, 0 or 1 for less, equal and greater; texts are equal or greater."""
    if isinstance(left, float) and isinstance(right, float):
        if math.isclose(left, right, rel_tol=EQUAL):
            return 0
        return -1 if left < right else 1
    return 0 if left == right else 1
