"""Cells as values of a data type; whether they fit is the service's to say."""

from __future__ import annotations

from typing import Any

import pytest

from catenary_core.services.parameter.imports.faults import Faults, Row
from catenary_core.services.parameter.imports.values import value_of

NO_NUMBERS = ("NaN", "Infinity", "1,5", "1 000", "+3", "07", ".5", "0x10", "12 m", "true", '"3"')


def _value(value: Any, data_type: str, item: str = "") -> Any:
    faults = Faults()
    found = value_of(Row(2, item, {"value": value}), {"data_type": data_type}, faults)
    assert (found is None) == bool(faults)
    return str(faults.found[0]) if faults else found


@pytest.mark.parametrize(
    ("text", "data_type", "value"),
    [
        ("450", "number", {"integer_value": 450}),
        (" 450.0 ", "number", {"double_value": 450.0}),
        ("1.2e6", "number", {"double_value": 1.2e6}),
        ("-9223372036854775808", "integer", {"integer_value": -(2**63)}),
        ("100000000000000000000", "number", {"double_value": 1e20}),
        ("1.5", "integer", {"double_value": 1.5}),
        ("TRUE", "boolean", {"bool_value": True}),
        ("false", "boolean", {"bool_value": False}),
        ("2026-05-31", "date", {"string_value": "2026-05-31"}),
        (" as it is ", "string", {"string_value": " as it is "}),
        ("450", "string", {"string_value": "450"}),
        ('{"b": 1, "a": [2.50]}', "json", {"json_value": {"text": '{"b":1,"a":[2.5]}'}}),
        ("450", "json", {"integer_value": 450}),
    ],
)
def test_a_cell_is_read_as_the_data_type_of_its_parameter(text: str, data_type: str, value: Any) -> None:
    assert _value(text, data_type) == value


@pytest.mark.parametrize(
    ("text", "data_type", "why"),
    [
        *((text, "number", "not a number") for text in NO_NUMBERS),
        ("1e999", "number", "not a number"),
        ("9223372036854775808", "integer", "outside ±2^63"),
        ("1" * 5000, "integer", "not a number"),
        ("yes", "boolean", "neither true nor false"),
        ("{'a': 1}", "json", "not a JSON value"),
        ("null", "json", "not a JSON value"),
    ],
)
def test_a_cell_that_is_none_is_a_fault_of_the_value(text: str, data_type: str, why: str) -> None:
    fault = _value(text, data_type)
    assert fault.startswith("line 2, value: ")
    assert why in fault
    assert len(fault) < 250


def test_a_value_of_a_json_item_keeps_its_type() -> None:
    assert _value(450.0, "integer", "entries[0]") == {"double_value": 450.0}
    assert _value("450", "number", "entries[0]") == {"string_value": "450"}
    assert _value([1], "number", "entries[0]") == {"json_value": {"text": "[1]"}}
    assert _value(2.0**63, "number", "entries[0]") == {"double_value": 2.0**63}
    assert "outside" in _value(2.0**63, "integer", "entries[0]")
