"""The grid of a numeric parameter: values a whole number of steps from its start (contract, section 7)."""

from __future__ import annotations

import math

TOLERANCE = 1e-9
"""Of a step."""


def on_step(value: float, start: float, step: float) -> bool:
    """Whether a value is on the grid: exactly for integers, else within 1e-9 of a step or what doubles of its size tell apart."""
    if isinstance(value, int) and isinstance(start, int) and isinstance(step, int):
        return (value - start) % step == 0
    steps = (value - start) / step
    spacing = 4 * math.ulp(max(abs(float(value)), abs(float(start)))) / step
    return not math.isfinite(steps) or abs(steps - round(steps)) <= max(TOLERANCE, spacing)
