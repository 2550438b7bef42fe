"""Values of variants side by side, and what they differ by."""

from __future__ import annotations

from typing import Any

import pytest

from catenary_core.services.variants.comparison import difference, side_by_side


@pytest.mark.parametrize(
    ("value", "first", "expected"),
    [
        ((5, "m"), (3, "m"), 2),
        ((1.5, None), (1, None), 0.5),
        ((5, "m"), (3, "ft"), None),
        ((True, None), (False, None), None),
        (("b", None), ("a", None), None),
        ((1e308, "N"), (-1e308, "N"), None),
        ((2**63 - 1, None), (-(2**63), None), 2.0**64),
        ((-(2**63), None), (0, None), -(2**63)),
    ],
)
def test_a_difference_is_of_numbers_in_one_unit(
    value: tuple[Any, str | None], first: tuple[Any, str | None], expected: Any
) -> None:
    found = difference(value, first)
    assert (found, type(found)) == (expected, type(expected))


def test_names_of_any_column_stand_in_the_declared_order() -> None:
    found = side_by_side([{"a": (2, None), "b": (1, None)}, {"a": (2, None), "c": (3, "m")}], ["b", "absent", "a", "b"])
    assert [(one["name"], one["differs"]) for one in found] == [("b", True), ("a", False), ("c", True)]
    assert found[0]["items"][1] == {"value": None, "unit": None, "difference": None}
    assert found[2]["items"] == [
        {"value": None, "unit": None, "difference": None},
        {"value": 3, "unit": "m", "difference": None},
    ]


def test_true_differs_from_one() -> None:
    assert side_by_side([{"a": (True, None)}, {"a": (1, None)}], [])[0]["differs"]
