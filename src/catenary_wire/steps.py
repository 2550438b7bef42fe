"""The step rule: which values of a numeric parameter lie on its grid (guide/models.md, "Parameters").

Integers are counted exactly. Any other value may lie off the grid by a billionth of a step, or by four units in the last place of
the larger of value and start, where doubles of that size are coarser. A grid too fine to count refuses nothing.
"""

from __future__ import annotations

import math

TOLERANCE = 1e-9
"""The part of a step by which a value that is no integer may lie off the grid."""


def on_step(value: float, start: float, step: float) -> bool:
    """Return whether a value is a whole number of steps from the start, within the tolerance of the step rule."""
    if isinstance(value, int) and isinstance(start, int) and isinstance(step, int):
        return (value - start) % step == 0
    steps = (value - start) / step
    spacing = 4 * math.ulp(max(abs(float(value)), abs(float(start)))) / step
    return not math.isfinite(steps) or abs(steps - round(steps)) <= max(TOLERANCE, spacing)
