"""The step rule, and that evaluations in the core and defaults in the worker keep it: one table."""

from __future__ import annotations

import pytest

from catenary_core.call.errors import DomainError
from catenary_core.services.evaluations import rules
from catenary_wire.steps import on_step
from catenary_worker.models import description, entries
from catenary_worker.task import ModelFaultError

Number = int | float

# Value, start, step, and whether the value is on the grid.
CASES: list[tuple[Number, Number, Number, bool]] = [
    (24.0, 5.0, 0.5, True),
    (24.25, 5.0, 0.5, False),
    (0.1 + 0.2, 0.0, 0.1, True),
    (0.1 + 0.2, 0, 0.1, True),
    (0.3 + 1e-11, 0.0, 0.1, True),
    (0.3 + 1e-9, 0.0, 0.1, False),
    (-0.7, -1.0, 0.1, True),
    # A million steps from the start the tolerance is still a billionth of one step, not of the way.
    (1e6 + 1e-4, 0.0, 1.0, False),
    (1e5 + 1e-5, 0.0, 0.1, False),
    (1e9 + 0.1, 0.0, 0.1, True),
    (1e9 + 0.05, 0.0, 0.1, False),
    (1e308, 0.0, 5e-324, True),
    (9, 0, 3, True),
    (10, 0, 3, False),
    (10, 1, 3, True),
    (2**62 + 1, 0, 2, False),
    (2**62 + 2, 0, 2, True),
]


@pytest.mark.parametrize(("value", "start", "step", "expected"), CASES)
def test_core_and_worker_take_the_same_values_for_on_the_grid(
    value: Number, start: Number, step: Number, expected: bool
) -> None:
    kind = "integer" if isinstance(value, int) else "number"
    assert on_step(value, start, step) is expected
    assert _worker_takes_default(kind, value, start, step) is expected
    assert _core_evaluates(kind, value, start, step) is expected


def _worker_takes_default(kind: str, value: Number, start: Number, step: Number) -> bool:
    entry = entries.Entry(name="x", type=kind, default=value, min=start, step=step)
    try:
        description.validate([entry], [], [])
    except ModelFaultError as fault:
        message = fault.message
    else:
        return True
    assert "not on the step" in message
    return False


def _core_evaluates(kind: str, value: Number, start: Number, step: Number) -> bool:
    declared = dict.fromkeys(("max", "positive", "unit")) | {
        "name": "x",
        "type": kind,
        "default": start,
        "min": start,
        "step": step,
    }
    try:
        rules.resolve([declared], {"x": value})
    except DomainError as error:
        refused = error
    else:
        return True
    assert refused.details["constraint"] == "step"
    return False
