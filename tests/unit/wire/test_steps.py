"""Properties of the step rule; `tests/contract/test_step_rule.py` has its table."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from catenary_wire.steps import on_step


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
