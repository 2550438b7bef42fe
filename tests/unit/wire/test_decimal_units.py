"""Values that are equal as people write them, in whatever unit, are one double."""

from __future__ import annotations

import pytest

from catenary_wire.units import unit_table


@pytest.mark.parametrize(
    ("value", "unit", "metres"),
    [
        (2300, "mm", 2.3),
        (36, "mm", 0.036),
        (0.036, "m", 0.036),
        (24, "ft", 7.3152),
        (1, "in", 0.0254),
        (1e-3, "km", 1.0),
    ],
)
def test_a_length_is_the_double_nearest_to_its_decimal_number(value: float, unit: str, metres: float) -> None:
    """By hand: 24 ft = 24 · 0.3048 m = 7.3152 m; the doubles 2300 · 0.001 and 36 · 0.001 are one step off."""
    assert unit_table.convert(value, unit, "m") == metres


def test_there_and_back_is_the_same_number() -> None:
    for value in (0.1, 2.3, 7.7, 1234.5678):
        assert unit_table.convert(unit_table.convert(value, "m", "mm"), "mm", "m") == value
