"""The check of an expression's names and dimensions.

Rules:

- `+`, `-`, comparisons, `min` and `max` take operands of one dimension; a constant 0 has every dimension.
- `*` and `/` combine dimensions. The exponent of `**` is a number; where the base has a dimension it is a constant.
- `exp`, `log`, `sin`, `cos` and `tan` take numbers; angles are numbers in radians, so that `sin(30 deg)` is 0.5.
- A temperature in degC or degF is a point of a scale with a zero of its own: it can be compared, and the difference of
  two is a plain one; nothing else multiplies or adds such points. K and degR are plain.
- A parameter or metric without a unit is a number. A unit that the table lacks is a dimension of its own.
- `and`, `or` and `not` take truths: comparisons and parameters of type boolean. Texts can only be equal or not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from catenary_wire.expressions import arithmetic
from catenary_wire.expressions.errors import ExpressionError
from catenary_wire.expressions.syntax import Expression, Step
from catenary_wire.units import unit_table
from catenary_wire.units.unit_table import Dimension, Measure

_FINEST_EXPONENT = 1000
_NUMBER: Dimension = ()
_PLAIN = Measure(1.0, 0.0, _NUMBER)
_SHOWN_NAMES = 8
_Kind = Literal["number", "truth", "text"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """The kind, unit and dimension of a value."""

    kind: _Kind = "number"
    """`number`, `truth` or `text`."""
    measure: Measure = _PLAIN
    """Unit in which the value is given; values of truths and texts have the plain one."""
    constant: float | None = None
    """Value in base units, where it needs no name."""

    @property
    def dimension(self) -> Dimension:
        """Return the dimension; () for a number."""
        return self.measure.dimension

    @property
    def is_point(self) -> bool:
        """Return whether the value is a point of a scale with a zero of its own."""
        return bool(self.measure.offset)


TRUTH = Quantity("truth")
"""True or false."""
TEXT = Quantity("text")
"""A text."""


@dataclass(frozen=True, slots=True)
class Checked:
    """An expression whose names and dimensions are right."""

    expression: Expression
    """Expression as it was read."""
    names: Mapping[str, Quantity]
    """Quantity of each name that the expression has."""
    result: Quantity
    """Quantity of the result; numbers are in base units."""


@lru_cache(4096)
def of_unit(unit: str | None) -> Quantity:
    """Return the quantity of a number in a unit.

    Args:
        unit: symbol; None or "" for a number without a unit. A symbol that the table lacks is a dimension of its own.
    """
    if not unit:
        return Quantity()
    own = Measure(1.0, 0.0, ((f"unit {unit}", Fraction(1)),))
    return Quantity(measure=unit_table.measure(unit) or own)


def check(expression: Expression, names: Mapping[str, Quantity], *, hinted: bool = True) -> Checked:
    """Check the names and dimensions of an expression.

    Args:
        expression: the expression.
        names: quantity of each name that an expression may have.
        hinted: whether a refusal looks for similar names, which takes some milliseconds where there are hundreds.

    Raises:
        ExpressionError: a name is unknown, or operands don't fit each other.
    """
    stack: list[Quantity] = []
    used = {}
    for step in expression.steps:
        if step.kind == "name":
            used[step.text] = _known(step, names, hinted=hinted)
            found = used[step.text]
        else:
            operands = stack[len(stack) - step.count :]
            del stack[len(stack) - step.count :]
            found = _CHECKS[step.kind](step, operands)
        stack.append(found)
    (result,) = stack
    return Checked(expression, used, result)


def need(checked: Checked, kind: _Kind, unit: str | None = None) -> None:
    """Check the kind and, of a number, the dimension of a result.

    Raises:
        ExpressionError: the result is of another kind or dimension.
    """
    expected = of_unit(unit)
    if checked.result.kind != kind:
        raise ExpressionError(f"The expression gives {_described(checked.result)} instead of {_WORDS[kind]}.", 1)
    if kind == "number" and expected.is_point and not checked.result.is_point:
        raise ExpressionError(
            f"The expression gives no temperature of a scale such as {unit}; for a difference give delta_{unit} or K.",
            1,
        )
    if kind == "number" and not _alike(checked.result, expected):
        raise ExpressionError(
            f"The expression gives {_described(checked.result)} instead of {_described(expected, unit)}.", 1
        )


def _known(step: Step, names: Mapping[str, Quantity], *, hinted: bool) -> Quantity:
    if quantity := names.get(step.text):
        return quantity
    shown = step.text if len(step.text) <= unit_table.LONGEST_SYMBOL else step.text[: unit_table.LONGEST_SYMBOL] + "…"
    if unit_table.measure(step.text):
        raise ExpressionError(
            f'No parameter or metric is called "{shown}"; a unit stands behind its number in one piece: 5 kN/m2.',
            step.column,
        )
    near = unit_table.near(step.text, sorted(names)) if hinted else []
    known = near or sorted(names)[:_SHOWN_NAMES]
    way_out = f"known names are {', '.join(known)}" if known else "there are none"
    raise ExpressionError(
        f'No parameter or metric is called "{shown}"; '
        + (f"did you mean {' or '.join(near)}?" if near else f"{way_out}{'…' if len(names) > len(known) else ''}."),
        step.column,
    )


def _constant(step: Step, _: list[Quantity]) -> Quantity:
    quantity = of_unit(step.text)
    value = step.value * quantity.measure.factor + quantity.measure.offset
    if not math.isfinite(value):
        raise ExpressionError(
            "The number is outside the range of a double in base units; write a smaller one.", step.column
        )
    return replace(quantity, constant=value)


def _text(_: Step, __: list[Quantity]) -> Quantity:
    return TEXT


def _sign(step: Step, operands: list[Quantity]) -> Quantity:
    (operand,) = _numbers(step, operands)
    if operand.is_point:
        raise _point(step)
    return _folded(step, operands, operand.dimension)


def _binary(step: Step, operands: list[Quantity]) -> Quantity:
    left, right = _numbers(step, operands)
    if step.text in {"+", "-"}:
        return _sum(step, left, right)
    if left.is_point or right.is_point:
        raise _point(step)
    if step.text == "**":
        return _folded(step, operands, _power(step, left, right))
    exponents = dict(left.dimension)
    for name, exponent in right.dimension:
        exponents[name] = exponents.get(name, Fraction(0)) + (exponent if step.text == "*" else -exponent)
    return _folded(step, operands, _dimension(exponents.items()))


def _sum(step: Step, left: Quantity, right: Quantity) -> Quantity:
    common = _common(step, [left, right])
    if left.is_point and right.is_point and step.text == "-":
        return _folded(step, [left, right], common.dimension)
    if right.is_point:
        raise _point(step)
    return replace(_folded(step, [left, right], common.dimension), measure=_base(common))


def _power(step: Step, base: Quantity, exponent: Quantity) -> Dimension:
    if exponent.dimension:
        raise ExpressionError(f"The exponent of ** is {_described(exponent)} instead of a number.", step.column)
    greatest = arithmetic.GREATEST_EXPONENT
    if exponent.constant is not None and abs(exponent.constant) > greatest:
        raise ExpressionError(
            f"The exponent of ** is not between -{greatest} and {greatest}; give a smaller one.", step.column
        )
    if not base.dimension:
        return _NUMBER
    if exponent.constant is None:
        raise ExpressionError(
            f"The exponent of {_described(base)} changes with a name; give a constant number.", step.column
        )
    power = Fraction(exponent.constant).limit_denominator(_FINEST_EXPONENT)
    dimension = _dimension((name, old * power) for name, old in base.dimension)
    if any(abs(raised) > greatest for _, raised in dimension):
        raise ExpressionError(
            f"The power has a dimension with an exponent over {greatest}; give a smaller one.", step.column
        )
    return dimension


def _comparison(step: Step, operands: list[Quantity]) -> Quantity:
    left, right = operands
    if left.kind == right.kind == "number":
        _common(step, operands)
    elif left.kind != right.kind or step.text not in {"==", "!="}:
        raise ExpressionError(f"{step.text} can't compare {_described(left)} with {_described(right)}.", step.column)
    return TRUTH


def _logic(step: Step, operands: list[Quantity]) -> Quantity:
    for operand in operands:
        if operand.kind != "truth":
            raise ExpressionError(
                f"{step.text} takes comparisons such as span > 3 m, not {_described(operand)}.", step.column
            )
    return TRUTH


def _call(step: Step, operands: list[Quantity]) -> Quantity:
    _numbers(step, operands)
    if step.text in {"min", "max"}:
        common = _common(step, operands)
        return replace(_folded(step, operands, common.dimension), measure=_base(common))
    (operand,) = operands
    if operand.is_point:
        raise _point(step)
    if step.text == "abs":
        return _folded(step, operands, operand.dimension)
    if step.text == "sqrt":
        return _folded(step, operands, _dimension((name, exponent / 2) for name, exponent in operand.dimension))
    if operand.dimension:
        raise ExpressionError(f"{step.text} takes a number, not {_described(operand)}.", step.column)
    return _folded(step, operands, _NUMBER)


_CHECKS = {
    "number": _constant,
    "text": _text,
    "sign": _sign,
    "binary": _binary,
    "comparison": _comparison,
    "and": _logic,
    "or": _logic,
    "not": _logic,
    "call": _call,
}


def _numbers(step: Step, operands: list[Quantity]) -> list[Quantity]:
    for operand in operands:
        if operand.kind != "number":
            raise ExpressionError(f"{step.text} takes numbers, not {_described(operand)}.", step.column)
    return operands


def _common(step: Step, operands: list[Quantity]) -> Quantity:
    """Return the operand whose dimension all others have, a point before a plain one."""
    measured = [operand for operand in operands if operand.constant != 0 or operand.dimension] or operands
    first = next((operand for operand in measured if operand.is_point), measured[0])
    if first.is_point and len(measured) < len(operands):
        raise ExpressionError(
            f"{step.text} can't join 0 and a temperature in degC or degF, whose zero is another; write 0 degC.",
            step.column,
        )
    for operand in measured:
        if operand.dimension != first.dimension:
            raise ExpressionError(
                f"{step.text} can't join {_described(measured[0])} and "
                f"{_described(operand if operand.dimension != measured[0].dimension else first)}; "
                "give both in units of one kind.",
                step.column,
            )
    return first


def _folded(step: Step, operands: Iterable[Quantity], dimension: Dimension) -> Quantity:
    """Return the plain quantity of a result, with its value where all operands are constant."""
    values = [operand.constant for operand in operands]
    constants = [value for value in values if value is not None]
    value = arithmetic.result(step, constants) if len(constants) == len(values) else None
    if isinstance(value, arithmetic.Undefined):
        raise ExpressionError(f"{value.why} Change the constants.", step.column)
    return Quantity(measure=Measure(1.0, 0.0, dimension), constant=None if value is None else float(value))


def _base(quantity: Quantity) -> Measure:
    """Return the base unit of a quantity; that of a point keeps a zero point, as a sign of its scale."""
    return Measure(1.0, quantity.measure.offset, quantity.dimension)


def _alike(one: Quantity, other: Quantity) -> bool:
    return one.dimension == other.dimension or (one.constant == 0 and not one.dimension)


def _dimension(exponents: Iterable[tuple[str, Fraction]]) -> Dimension:
    return tuple(sorted((name, exponent) for name, exponent in exponents if exponent))


def _point(step: Step) -> ExpressionError:
    return ExpressionError(
        f"{step.text} has no meaning for a temperature in degC or degF; use K, or the difference of two temperatures.",
        step.column,
    )


_WORDS = {"number": "a number", "truth": "true or false", "text": "a text"}


def _described(quantity: Quantity, unit: str | None = None) -> str:
    """Return a quantity as a phrase, with a unit of its dimension where the table has one."""
    if quantity.kind != "number" or not quantity.dimension:
        return "a number without a unit" if quantity.kind == "number" else _WORDS[quantity.kind]
    if unit:
        return f"a quantity in {unit}"
    if kind := unit_table.kind_of(quantity.dimension):
        return f"a quantity of {kind}"
    names = [f"{name}" if exponent == 1 else f"{name}^{exponent}" for name, exponent in quantity.dimension]
    return f"a quantity of {' '.join(names)}"
