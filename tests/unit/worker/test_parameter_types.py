"""Colours, dates, points, tables, order and conditions of parameters, as a model file declares them."""

from __future__ import annotations

from typing import Any

import pytest

from catenary_wire import model_limits
from catenary_worker.models.description import read, validate
from catenary_worker.models.entries import Entry
from catenary_worker.models.parameter_types import check
from catenary_worker.task import ModelFaultError

END = "\ndef evaluate(p):\n    return {}\n"
LOADS = '{"name": "loads", "type": "table", "columns": [{"name": "at", "type": "number", "unit": "m"}'


def _declared(text: str) -> dict[str, Any]:
    (parameter,) = read(f"PARAMETERS = [{text}]{END}".encode())[0]["parameters"]
    return parameter


def test_each_new_type_comes_out_in_one_spelling() -> None:
    assert _declared('{"name": "c", "type": "color", "default": "#B8B2A7FF"}')["default"] == "#b8b2a7"
    assert _declared('{"name": "d", "type": "date", "default": "2026-02-28"}')["default"] == "2026-02-28"
    at = _declared('{"name": "at", "type": "point", "default": (1, -0.0, 3), "unit": "m"}')
    assert (repr(at["default"]), at["unit"]) == ("[1.0, 0.0, 3.0]", "m")
    loads = _declared(
        LOADS + ', {"name": "count", "type": "integer"}, {"name": "on", "type": "boolean"},'
        ' {"name": "note", "type": "string", "unit": None}],'
        ' "default": [{"at": 1, "count": 2, "on": True, "note": "a"}]}'
    )
    assert loads["columns"] == [
        {"name": "at", "type": "number", "unit": "m"},
        {"name": "count", "type": "integer", "unit": None},
        {"name": "on", "type": "boolean", "unit": None},
        {"name": "note", "type": "string", "unit": None},
    ]
    assert repr(loads["default"]) == "[{'at': 1.0, 'count': 2, 'on': True, 'note': 'a'}]"
    assert _declared(LOADS + '], "default": []}')["default"] == []


def test_what_was_normalised_once_stays_as_it_is() -> None:
    for text in (
        '{"name": "c", "type": "color", "default": "#B8B2A780", "order": -3, "show_if": "on"}',
        '{"name": "at", "type": "point", "default": [1, 2, 3]}',
        LOADS + '], "default": [{"at": 1}]}',
    ):
        found = _declared(text)
        assert check("again:", Entry(found)) == found


def test_order_and_condition_are_kept_as_they_are_declared() -> None:
    found = _declared('{"name": "d", "type": "number", "default": 1, "order": -2, "show_if": "braced and span > 20 m"}')
    assert (found["order"], found["show_if"]) == (-2, "braced and span > 20 m")
    assert _declared('{"name": "d", "type": "number", "default": 1}')["order"] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"name": "x", "type": "color", "default": "red"}',
            "PARAMETERS: x: default 'red' must be a colour such as \"#b8b2a7\", or \"#b8b2a780\" with alpha.",
        ),
        ('{"name": "x", "type": "color", "default": "#12345"}', "PARAMETERS: x: default '#12345' must be a colour"),
        ('{"name": "x", "type": "color", "default": "#123456", "unit": "m"}', "PARAMETERS: x: unknown key 'unit'"),
        (
            '{"name": "x", "type": "date", "default": "2026-02-30"}',
            "PARAMETERS: x: default '2026-02-30' must be a day of the calendar such as \"2026-02-28\".",
        ),
        ('{"name": "x", "type": "date", "default": "2026-02-28", "min": "2026-01-01"}', "PARAMETERS: x: unknown key 'min'"),
        (
            '{"name": "x", "type": "point", "default": [1, 2]}',
            "PARAMETERS: x: default [1, 2] must be three finite numbers such as [1.5, 0, 3].",
        ),
        ('{"name": "x", "type": "point", "default": [1, 2, 1e999]}', "PARAMETERS: x: default [1, 2, inf] must be three"),
        ('{"name": "x", "type": "table", "default": []}', "PARAMETERS: x: columns must be a list of at least one dict"),
        ('{"name": "x", "type": "table", "default": [], "columns": [3]}', "PARAMETERS: x: column 1: 3 must be a dict"),
        (
            '{"name": "x", "type": "table", "default": [], "columns": [{"name": "a b", "type": "number"}]}',
            "PARAMETERS: x: column 1: name 'a b' is not a name",
        ),
        (
            '{"name": "x", "type": "table", "default": [], "columns": [{"name": "a", "type": "color"}]}',
            "PARAMETERS: x: column 1: type 'color' must be one of number, integer, boolean, string.",
        ),
        (
            '{"name": "x", "type": "table", "default": [], "columns": [{"name": "a", "type": "string", "unit": "m"}]}',
            "PARAMETERS: x: column 1: a column of the type string has no unit; remove it.",
        ),
        (
            '{"name": "x", "type": "table", "default": [], "columns": [{"name": "a", "type": "number", "min": 1}]}',
            "PARAMETERS: x: column 1: unknown key 'min'; known keys are name, type, unit.",
        ),
        (
            '{"name": "x", "type": "table", "default": [], "columns": [{"name": "a", "type": "number", "unit": "a\\nb"}]}',
            "PARAMETERS: x: column 1: unit has the character U+000A",
        ),
        (LOADS + ', {"name": "at", "type": "string"}], "default": []}', "PARAMETERS: loads: two columns have the same"),
        (LOADS + '], "default": {}}', "PARAMETERS: loads: default {} must be a list of rows."),
        (LOADS + '], "default": [[1]]}', "PARAMETERS: loads: default, row 1: [1] must be a dict with exactly at."),
        (LOADS + '], "default": [{"at": 1}, {"to": 1}]}', "PARAMETERS: loads: default, row 2: {'to': 1} must be a dict"),
        (LOADS + '], "default": [{"at": 1, "b": 2}]}', "PARAMETERS: loads: default, row 1: {'at': 1, 'b': 2} must be"),
        (LOADS + '], "default": [{"at": "1"}]}', "PARAMETERS: loads: default, row 1, at: '1' must be a finite number."),
        (LOADS + '], "default": [{"at": True}]}', "PARAMETERS: loads: default, row 1, at: True must be a finite number."),
        (LOADS + f'], "default": {[{"at": 1}] * 10_001}}}', "PARAMETERS: loads: default has more than 10,000 cells."),
        (
            f'{{"name": "x", "type": "table", "default": [], "columns": {[{"name": "a", "type": "number"}] * 65}}}',
            "PARAMETERS: x: has more than 64 columns.",
        ),
        ('{"name": "x", "type": "number", "default": 1, "columns": []}', "PARAMETERS: x: unknown key 'columns'"),
        (
            '{"name": "x", "type": "number", "default": 1, "order": 1.5}',
            "PARAMETERS: x: order 1.5 must be a whole number in ±1,000,000.",
        ),
        ('{"name": "x", "type": "number", "default": 1, "order": True}', "PARAMETERS: x: order True must be a whole"),
        ('{"name": "x", "type": "number", "default": 1, "order": 1000001}', "PARAMETERS: x: order 1000001 must be"),
        ('{"name": "x", "type": "number", "default": 1, "show_if": True}', "PARAMETERS: x: show_if must be text, not True."),
        ('{"name": "x", "type": "number", "default": 1, "show_if": "a\\nb"}', "PARAMETERS: x: show_if has the character"),
    ],
)  # fmt: skip
def test_a_fault_names_the_key_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ModelFaultError) as caught:
        read(f"\nPARAMETERS = [{text}]{END}".encode())
    assert caught.value.message.startswith(message)
    assert caught.value.line == 2


def test_the_defaults_of_all_tables_together_have_a_bound() -> None:
    table = {"type": "table", "columns": [{"name": "at", "type": "number"}]}
    half = [{"at": 1}] * (model_limits.MOST_CELLS // 2)
    fit = [Entry(table | {"name": name, "default": half}) for name in ("a", "b")]
    assert len(validate(fit, [], [])["parameters"]) == 2
    with pytest.raises(ModelFaultError, match="the defaults of all tables have more than 10,000 cells together"):
        validate([*fit, Entry(table | {"name": "c", "default": [{"at": 1}]})], [], [])


def test_a_table_of_the_most_cells_is_taken() -> None:
    rows = [{"at": 1}] * model_limits.MOST_CELLS
    assert len(_declared(f'{LOADS}], "default": {rows}}}')["default"]) == model_limits.MOST_CELLS
