"""Colours, dates and points: one spelling for equal values, and nothing for what is none."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_wire import value_forms


@pytest.mark.parametrize(
    ("given_as", "found"),
    [
        ("#B8B2A7", "#b8b2a7"),
        ("#b8b2a780", "#b8b2a780"),
        ("#b8b2a7FF", "#b8b2a7"),
        ("#00000000", "#00000000"),
        ("red", None),
        ("#12345", None),
        ("#1234567", None),
        ("#123456789", None),
        ("#12345g", None),
        ("#\uff11\uff12\uff13\uff14\uff15\uff16", None),
        ("#123456\n", None),
        ("123456", None),
        ([1, 0, 0], None),
        (0x123456, None),
        (None, None),
    ],
)
def test_a_color_has_one_spelling(given_as: Any, found: str | None) -> None:
    assert value_forms.color(given_as) == found


def test_the_channels_of_a_color_are_three_or_with_alpha_four() -> None:
    assert value_forms.channels("#ff0000") == [1, 0, 0]
    assert value_forms.channels("#0000ff33") == [0, 0, 1, 0.2]


@pytest.mark.parametrize(
    ("given_as", "is_day"),
    [
        ("2026-02-28", True),
        ("2028-02-29", True),
        ("0001-01-01", True),
        ("2026-02-29", False),
        ("2026-02-30", False),
        ("2026-13-01", False),
        ("0000-01-01", False),
        ("20260228", False),
        ("2026-W09-6", False),
        ("2026-02-28T00:00", False),
        ("2026-2-28", False),
        ("2026-02-28\n", False),
        ("٢٠٢٦-٠٢-٢٨", False),
        (20260228, False),
        (None, False),
    ],
)
def test_a_date_is_a_day_of_the_calendar(given_as: Any, is_day: bool) -> None:
    assert value_forms.day(given_as) == (given_as if is_day else None)


@pytest.mark.parametrize(
    "given_as",
    [
        [1, 2],
        [1, 2, 3, 4],
        [1, 2, math.nan],
        [1, math.inf, 3],
        [1, 2, "3"],
        [1, 2, None],
        [True, 2, 3],
        [1, 2, 10**400],
        [[1, 2, 3]],
        "123",
        {"x": 1, "y": 2, "z": 3},
        3,
        None,
    ],
)
def test_what_is_no_point(given_as: Any) -> None:
    assert value_forms.point(given_as) is None


@given(st.tuples(*[st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**63), 2**63)] * 3))
def test_a_point_is_three_floats_without_a_minus_zero(point: tuple[float, ...]) -> None:
    found = value_forms.point(point)
    assert found is not None
    assert found == list(map(float, point))
    assert all(type(one) is float and not (one == 0 and math.copysign(1, one) < 0) for one in found)
    assert value_forms.point(found) == found


@given(st.text() | st.from_regex(r"#[0-9a-fA-F]{6,8}", fullmatch=True))
def test_what_comes_out_of_a_form_is_its_own_form(text: str) -> None:
    for form in (value_forms.color, value_forms.day):
        found = form(text)
        assert found is None or form(found) == found
