"""The step rule of numeric parameters: a value is a whole number of steps from the start.

See guide/models.md, "Parameters". Integers are counted exactly. Any other value may be off the grid by a billionth of a
step, or by four units in the last place of the larger of value and start, where doubles of that size are coarser. A
grid too fine to count accepts every value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

TOLERANCE = 1e-9
"""Tolerance, as a fraction of a step."""


def on_step(value: float, start: float, step: float) -> bool:
    """Return whether a value is on the grid: exactly for integers, else within the tolerance.

    The tolerance is 1e-9 of a step, or four units in the last place where that is more.
    """
    if isinstance(value, int) and isinstance(start, int) and isinstance(step, int):
        return (value - start) % step == 0
    steps = (value - start) / step
    spacing = 4 * math.ulp(max(abs(float(value)), abs(float(start)))) / step
    return not math.isfinite(steps) or abs(steps - round(steps)) <= max(TOLERANCE, spacing)


def neighbours(value: float, start: float, step: float) -> tuple[float, float]:
    """Return the largest number of the grid up to a value, and the one after it; integers where start and step are.

    Steps are counted as their decimals are written, so that the third step of 0.1 is 0.3. Raises OverflowError: the grid has
    no finite number there.
    """
    count = math.floor((Fraction(value) - _exact(start)) / _exact(step))
    return nth(start, step, count), nth(start, step, count + 1)


def nth(start: float, step: float, count: int) -> float:
    """Return the number a count of steps from the start; an integer where start and step are.

    Raises OverflowError: the number is not finite.
    """
    found = _exact(start) + count * _exact(step)
    return int(found) if isinstance(start, int) and isinstance(step, int) else float(found)


@dataclass(frozen=True, slots=True)
class Steps:
    """The numbers of a grid between two bounds, computed one by one: there may be any number of them."""

    first: Fraction
    """Lowest number."""
    width: Fraction
    """Distance of two numbers."""
    number: int
    """Number of numbers."""
    whole: bool
    """True for integers."""

    def at(self, index: int) -> float:
        """Return the number at an index from 0 on."""
        value = self.first + index * self.width
        return int(value) if self.whole else float(value)

    def above_zero(self) -> Steps:
        """Return the steps over 0."""
        left_out = min(self.number, max(0, math.floor(-self.first / self.width) + 1))
        return Steps(self.first + left_out * self.width, self.width, self.number - left_out, self.whole)


def counts(low: float, high: float, start: float, step: float) -> tuple[int, int]:
    """Return the counts of the first and the last step from `low` to `high`; where none lies there, the first is greater."""
    origin, width = _exact(start), _exact(step)
    return math.ceil((_exact(low) - origin) / width), math.floor((_exact(high) - origin) / width)


def between(low: float, high: float, start: float, step: float, *, whole: bool) -> Steps:
    """Return the numbers of a grid from `low` to `high`, both taken in where they are on it.

    Steps are counted as their decimals are written, as in `neighbours`.

    Args:
        low: The lower bound.
        high: The upper bound.
        start: A number of the grid.
        step: The width of a step.
        whole: Whether the numbers are integers; `start` and `step` then are whole.
    """
    origin, width = _exact(start), _exact(step)
    first, last = counts(low, high, start, step)
    return Steps(origin + first * width, width, max(0, last - first + 1), whole)


def _exact(number: float) -> Fraction:
    return Fraction(number) if isinstance(number, int) else Fraction(repr(float(number)))
