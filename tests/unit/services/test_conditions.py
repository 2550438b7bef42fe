"""The conditions of parameters, case by case as the Studio's reader of them has to tell (tests/unit/studio/shown_if.test.ts)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from catenary_core.services.models import shown_if
from catenary_wire.expressions import declared, evaluation, quantities, syntax
from catenary_wire.expressions.arithmetic import Undefined
from catenary_wire.units import unit_table

TABLE = json.loads((Path(__file__).parents[2] / "fixtures/conditions.json").read_text())
PARAMETERS: list[Any] = [{**one, "show_if": None} for one in TABLE["parameters"]]


def _values() -> dict[str, Any]:
    """Return the values in the declared units."""
    values = dict(TABLE["values"])
    for one in PARAMETERS:
        given = values[one["name"]]
        if isinstance(given, dict):
            values[one["name"]] = unit_table.convert(given["value"], given["unit"], one["unit"])
    return values


def _told(condition: str) -> bool | str:
    depth: Any = {"name": "depth", "type": "number", "unit": "m", "choices": [], "show_if": condition}
    try:
        shown_if.check([*PARAMETERS, depth])
    except shown_if.ConditionError:
        return "refused"
    checked = quantities.check(syntax.parse(condition), declared.names(PARAMETERS, ()))
    found = evaluation.evaluate(checked, _values())
    assert isinstance(found, bool | Undefined)
    return found if isinstance(found, bool) else "undefined"


@pytest.mark.parametrize(("condition", "expected"), TABLE["cases"])
def test_a_condition_is_what_the_table_says(condition: str, expected: bool | str) -> None:
    assert _told(condition) == expected


def test_the_table_has_all_outcomes_and_functions() -> None:
    outcomes = [expected for _, expected in TABLE["cases"]]
    assert min(outcomes.count(one) for one in (True, False, "undefined", "refused")) >= 10
    texts = " ".join(condition for condition, _ in TABLE["cases"])
    assert all(f"{name}(" in texts for name in syntax.FUNCTIONS)
    assert all(f" {one} " in texts for one in (*syntax.COMPARISONS, "and", "or", "**", "+", "*", "/"))
