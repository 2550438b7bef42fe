"""The values that an evaluation used: as given, by default, converted, moved to a step."""

from __future__ import annotations

from typing import Any

import pytest

from catenary_cli import show
from catenary_cli.remote import use, used_values

DECLARED: list[dict[str, Any]] = [
    {"name": "span", "unit": "m"},
    {"name": "bays", "unit": None},
    {"name": "corner", "unit": "m"},
    {"name": "loads", "unit": None},
]
USED = {"bays": 4, "corner": [0.5, 1.0, 2.0], "loads": [{"kN": 1}, {"kN": 2}], "span": 7.5}


def test_each_value_has_its_unit_and_its_origin_in_the_declared_order() -> None:
    """By hand: 24 ft are 24 · 0.3048 m = 7.3152 m, which goes to the step 7.5 m."""
    given = {"span": {"value": 24, "unit": "ft"}, "bays": 4}
    assert used_values.rows(DECLARED, given, USED) == [
        ("span", "7.5", "m", "24 ft is 7.3152 m, off the steps"),
        ("bays", "4", "", ""),
        ("corner", "0.5, 1, 2", "m", "default"),
        ("loads", "2 rows", "", "default"),
    ]


def test_a_value_in_another_unit_that_is_on_a_step_is_told_as_given() -> None:
    given = {"span": {"value": 7500, "unit": "mm"}}
    assert used_values.rows(DECLARED[:1], given, {"span": 7.5}) == [("span", "7.5", "m", "7,500 mm")]


def test_a_broken_constraint_is_told_with_what_holds_instead() -> None:
    constraint = {"value": 2.37, "satisfied": False, "metric": "sag", "op": "<=", "limit": 1.0, "unit": "mm"}
    assert show.compared(constraint) == "2.37 > 1 mm"
    assert show.compared({**constraint, "satisfied": True, "value": 0.5}) == "0.5 <= 1 mm"
    assert show.compared({**constraint, "limit": None}) == "2.37"


def test_tables_are_csv_in_which_no_text_is_a_formula(capsys: pytest.CaptureFixture[str]) -> None:
    use._print_tables(
        {"members": [{"name": "=1+1", "force": -1.5}, {"name": "b", "ok": True}], "nodes": [{"name": "n"}]}
    )
    assert capsys.readouterr().out.splitlines() == [
        "table,name,force,ok",
        "members,'=1+1,-1.5,",
        "members,b,,true",
        "nodes,n,,",
    ]


def test_of_a_long_table_the_first_rows_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    result = {
        "evaluation_id": "e", "status": "completed", "cached": False, "metrics": {}, "constraints": {}, "log": None,
        "tables": {"members": [{"number": number} for number in range(12)]}, "duration_ms": None,
    }  # fmt: skip
    show.evaluation(result)
    printed = capsys.readouterr()
    assert "4" in printed.out
    assert "5" not in printed.out
    assert printed.err.startswith("7 more rows; --tables prints all")
    show.evaluation(result, all_rows=True)
    assert "11" in capsys.readouterr().out
