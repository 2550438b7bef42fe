"""The rules of charts, of the names of files and of their media types."""

from __future__ import annotations

from typing import Any

import pytest

from catenary_wire import charts, media_types, model_limits

ROWS: list[dict[str, Any]] = [
    {"n": 1, "kind": "a", "load": 2.5, "gap": None, "on": True},
    {"n": 2, "kind": None, "load": None, "more": 3},
]
TABLES = {"members": charts.columns(ROWS), "empty": charts.columns([]), "bare": charts.columns([{}])}
CHART = {"kind": "line", "table": "members", "x": "n", "y": ["load"]}


def test_the_columns_of_a_table_are_those_of_all_rows() -> None:
    assert charts.columns(ROWS) == {"n": True, "kind": False, "load": True, "gap": True, "on": False, "more": True}


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"x": "kind", "kind": "bar"},
        {"y": ["load", "gap", "more"]},
        {"kind": "scatter"},
        {"table": "empty", "x": "whatever", "y": ["other"]},
        {"table": "bare", "x": "whatever", "y": ["other"]},
    ],
)
def test_a_chart_is_series_of_columns_of_a_table(given: dict[str, Any]) -> None:
    assert charts.problem({**CHART, **given}, TABLES) is None


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"kind": "pie"}, "must have a kind of line, bar, scatter"),
        ({"kind": ["line"]}, "must have a kind of line, bar, scatter"),
        ({"table": "loads"}, "must have a table that is returned beside it (members, empty, bare)"),
        ({"table": ["members"]}, "must have a table that is returned beside it"),
        ({"x": "m"}, "has a column that no row of the table members has; its columns are n, kind, load, gap, on, more"),
        ({"y": ["load", "m"]}, "has a column that no row of the table members has"),
        ({"y": []}, "must have a list of 1 to 16 columns as y"),
        ({"y": "load"}, "must have a list of 1 to 16 columns as y"),
        ({"y": ["load"] * 17}, "must have a list of 1 to 16 columns as y"),
        ({"y": ["load", "load"]}, "has a column twice in y"),
        ({"y": [["load"]]}, "must have columns that are one line of text"),
        ({"table": "empty", "x": "a\x1b[2J"}, "must have columns that are one line of text of at most 200 characters"),
        ({"table": "empty", "x": "a\ud800"}, "must have columns that are one line of text of at most 200 characters"),
        ({"table": "empty", "x": "a" * 201}, "must have columns that are one line of text of at most 200 characters"),
        ({"y": ["kind"]}, "has a column of the table members whose cells are not all numbers"),
        ({"y": ["on"]}, "has a column of the table members whose cells are not all numbers"),
        ({"kind": "scatter", "x": "kind"}, "has a column of the table members whose cells are not all numbers"),
        ({"title": "x"}, "must have exactly kind, table, x and y"),
    ],
)
def test_what_is_no_chart_is_told_as_the_end_of_a_sentence(given: dict[str, Any], problem: str) -> None:
    assert (charts.problem({**CHART, **given}, TABLES) or "").startswith(problem)


@pytest.mark.parametrize("value", [None, [], "line", 3, {}, {"kind": "line"}])
def test_another_value_is_no_chart(value: object) -> None:
    assert charts.problem(value, TABLES) == "must have exactly kind, table, x and y"


def test_without_tables_there_is_none_to_draw() -> None:
    assert charts.problem(CHART, {}) == "must have a table that is returned beside it (there is none)"


@pytest.mark.parametrize("name", ["report.pdf", "a", "A-1_b.tar.gz", "2026", "x" * 100])
def test_names_of_files(name: str) -> None:
    assert model_limits.is_file_name(name)


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../x", "a/b", "a\\b", "a..b", ".htaccess", "a.", "a b", "a\n", "a\x00.pdf", "é.pdf", 'a".pdf', "a%2Fb",
     "a:b", "x" * 101, "x" * 300, b"a.pdf", None, 3],
)  # fmt: skip
def test_what_is_no_name_of_a_file(name: object) -> None:
    assert not model_limits.is_file_name(name)


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("report.pdf", "application/pdf"),
        ("REPORT.PDF", "application/pdf"),
        ("page.html", "text/html"),
        ("a.tar.gz", "application/octet-stream"),
        ("pdf", "application/octet-stream"),
        ("model.ifc", "application/x-step"),
    ],
)
def test_the_media_type_is_by_the_suffix(name: str, media_type: str) -> None:
    assert media_types.of_file(name) == media_type
