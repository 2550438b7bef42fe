"""The grid of a numeric parameter: values a whole number of steps from its start (guide/models.md, "Parameters").

The rule in words: integers are counted exactly; any other value may lie off the grid by a billionth of a step, or by four units
in the last place of the larger of value and start, where doubles of that size are coarser; a grid too fine to count refuses
nothing. The worker has the rule a second time, for the defaults of models (`models.description`), since neither imports the
other: `tests/contract/test_step_rule.py` holds both to one table.
"""

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
