"""The step rule of numeric parameters: a value is a whole number of steps from the start.

See guide/models.md, "Parameters". Integers are counted exactly. Any other value may be off the grid by a billionth of a
step, or by four units in the last place of the larger of value and start, where doubles of that size are coarser. A
grid too fine to count accepts every value.
"""

from __future__ import annotations

import math
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
    origin, width = _exact(start), _exact(step)
    count = math.floor((Fraction(value) - origin) / width)
    found = (origin + count * width, origin + (count + 1) * width)
    if isinstance(start, int) and isinstance(step, int):
        return int(found[0]), int(found[1])
    return float(found[0]), float(found[1])


def _exact(number: float) -> Fraction:
    return Fraction(number) if isinstance(number, int) else Fraction(repr(float(number)))
