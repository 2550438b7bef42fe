"""The second point of a check for the types with forms, and the comparison of charts and files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from catenary_core.services.evaluations import rules
from catenary_worker.agreement import difference
from catenary_worker.models.other_point import other_point
from catenary_worker.task import Outcome, ResultFile
from factories.services.evaluations import parameter

CHART = {"kind": "line", "table": "t", "x": "a", "y": ["b"]}
RESULT = Outcome("completed", charts={"c": CHART}, files=[ResultFile("a.txt", b"x")])


@pytest.mark.parametrize(
    "declared",
    [
        parameter("p", "color", "#b8b2a7"),
        parameter("p", "color", "#000000"),
        parameter("p", "date", "2026-12-31"),
        parameter("p", "date", "9999-12-31"),
        parameter("p", "point", [0.0, 0.0, 0.0]),
        parameter("p", "point", [1.0, -2.0, 3.0], unit="m"),
    ],
)
def test_a_form_has_another_legal_value(declared: dict[str, Any]) -> None:
    other = other_point([declared])
    assert other is not None
    assert other["p"] != declared["default"]
    assert rules.resolve([declared], other) == other


@pytest.mark.parametrize(
    "declared",
    [
        parameter("p", "table", [{"a": 1.0}], columns=[{"name": "a", "type": "number", "unit": None}]),
        parameter("p", "point", [1.7e308, 0.0, 0.0]),
    ],
)
def test_a_table_and_a_point_without_room_keep_their_default(declared: dict[str, Any]) -> None:
    assert other_point([declared]) is None
    assert other_point([declared, parameter("b", "boolean", True)]) == {"p": declared["default"], "b": False}


@pytest.mark.parametrize(
    ("second", "told"),
    [
        (RESULT, None),
        (replace(RESULT, charts={}), "The chart c differed"),
        (replace(RESULT, charts={"c": {**CHART, "x": "b"}}), "The chart c differed"),
        (replace(RESULT, files=[]), "The file a.txt differed"),
        (replace(RESULT, files=[ResultFile("a.txt", b"y")]), "The file a.txt differed"),
        (replace(RESULT, files=[*RESULT.files, ResultFile("b.txt", b"x")]), "The file b.txt differed"),
    ],
)
def test_results_agree_in_charts_and_files_too(second: Outcome, told: str | None) -> None:
    assert difference(RESULT, second) == told
    assert difference(second, RESULT) == told
