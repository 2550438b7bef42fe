"""Values on the grid of a step."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_core.steps import on_step


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


@pytest.mark.parametrize(
    ("value", "step", "expected"),
    [
        (0.1 + 0.2, 0.1, True),
        (0.3 + 1e-11, 0.1, True),
        (0.3 + 1e-9, 0.1, False),
        (1e9 + 0.1, 0.1, True),
        (1e9 + 0.05, 0.1, False),
        (1e308, 5e-324, True),
    ],
)
def test_the_tolerance_is_a_billionth_of_a_step(value: float, step: float, expected: bool) -> None:
    assert on_step(value, 0, step) is expected
