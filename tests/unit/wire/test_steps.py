"""Properties of the step rule; `tests/contract/test_step_rule.py` has its table."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from catenary_wire.steps import neighbours, on_step


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6), st.integers(1, 10**6), st.integers(0, 6))
def test_decimals_lie_on_a_step_exactly_when_their_quotient_is_whole(
    value: int, start: int, step: int, places: int
) -> None:
    scale = 10**places
    whole = Fraction(value - start, step).denominator == 1
    assert on_step(value / scale, start / scale, step / scale) is whole


@given(st.integers(-(2**63), 2**63), st.integers(-(2**63), 2**63), st.integers(2, 2**40))
def test_integers_are_counted_exactly(value: int, start: int, step: int) -> None:
    assert on_step(value, start, step) is ((value - start) % step == 0)


@given(st.floats(-1e9, 1e9), st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_the_neighbours_of_a_value_are_the_steps_around_it(value: float, start: float, step: float) -> None:
    below, above = neighbours(value, start, step)
    assert below - value < 1e-6 * step
    assert above - value > -1e-6 * step
    assert on_step(below, start, step)
    assert on_step(above, start, step)


def test_steps_are_the_decimals_that_people_write() -> None:
    assert neighbours(0.35, 0.0, 0.1) == (0.3, 0.4)
    assert neighbours(24.0792, 5.0, 0.1) == (24.0, 24.1)
    assert neighbours(914.4, 0, 1) == (914, 915)
    assert [type(step) for step in neighbours(914.4, 0, 1)] == [int, int]
