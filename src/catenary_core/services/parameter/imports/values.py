"""A row's value in the form of the services, which check that the value fits its parameter type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from catenary_core.call import json_text
from catenary_core.call.errors import DomainError
from catenary_core.services.parameter.imports.faults import Faults, Row

_BOOLEANS = {"true": True, "false": False}
_NUMBERS = ("number", "integer")


def value_of(row: Row, parameter_type: Mapping[str, Any], faults: Faults) -> dict[str, Any] | None:
    """Return the fields of `catenary.type.v1.Value`; None after a fault.

    A JSON item keeps its own type; a cell is read as the parameter type's data type.
    """
    value = row.cells["value"]
    data_type = parameter_type["data_type"]
    if not row.item:
        try:
            value = _read(value, data_type)
        except ValueError as error:
            faults.of(row, "value", f"{value.strip()[:100]} is {error}.")
            return None
    if isinstance(value, bool):
        return {"bool_value": value}
    if isinstance(value, int):
        return {"integer_value": value}
    if isinstance(value, float):
        if data_type == "integer" and abs(value) >= 2**63:
            faults.of(row, "value", "The integer is outside ±2^63.")
            return None
        return {"double_value": value}
    if isinstance(value, str):
        return {"string_value": value}
    return {"json_value": {"text": orjson.dumps(value).decode()}}


def _read(text: str, data_type: str) -> Any:
    """Read a cell's value.

    Raises:
        ValueError: The cell does not fit the data type; the text completes "… is".
    """
    match data_type:
        case "string":
            return text
        case "date":
            return text.strip()
        case "boolean":
            if text.strip().lower() not in _BOOLEANS:
                raise ValueError("neither true nor false")
            return _BOOLEANS[text.strip().lower()]
        case _:
            return _parsed(text.strip(), data_type)


def _parsed(text: str, data_type: str) -> Any:
    """Parse a JSON value, or a number in JSON's form.

    Every reader of the file then gets the same number.

    Raises:
        ValueError: The text is no such value.
    """
    is_number = data_type in _NUMBERS
    try:
        value = json_text.parse(text, "value")
    except DomainError:
        value = None
    if value is None or (is_number and (isinstance(value, bool) or not isinstance(value, int | float))):
        raise ValueError(
            "not a number; write digits, with a point before decimals, as 1250.5 or 1.2e6"
            if is_number
            else "not a JSON value"
        )
    return value
