"""Values of entries: their plain form, and whether they fit a parameter type.

Integers in ±2^63 stay exact, other numbers are doubles: 450 and 450.0 are two values. A parameter type of numbers takes
both, one of integers only the first.
"""

from __future__ import annotations

import math
import re
from datetime import date
from typing import Any

from catenary.type.v1 import value_pb2
from catenary_core.call import json_text
from catenary_core.call.errors import DomainError, invalid, shortened

_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_INTEGERS = range(-(2**63), 2**63)
_MAX_TEXT = 100_000
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
"""A number as JSON writes it."""
_MOST_DIGITS = 20
"""Characters of the longest text of an integer in ±2^63."""
_EXAMPLES = {
    "string": "a text of at most 100,000 characters",
    "number": "a finite number, an integer in ±2^63",
    "integer": "an integer in ±2^63, without fraction and exponent",
    "boolean": "true or false",
    "date": "a date as YYYY-MM-DD",
    "json": "any JSON value but null",
}
"""The values that each data type takes, for error texts."""


def plain(value: value_pb2.Value, field: str) -> Any:
    """Return the plain value of a `catenary.type.v1.Value`.

    Raises VALIDATION_ERROR: the JSON text isn't acceptable.
    """
    kind = value.WhichOneof("kind")
    if kind == "json_value":
        return json_text.parse(value.json_value.text, field)
    return getattr(value, kind or "string_value")


def fits(value: Any, data_type: str) -> bool:
    """Return whether a plain value has the data type."""
    match value:
        case None:
            return False
        case bool():
            return data_type in ("boolean", "json")
        case int():
            return value in _INTEGERS and data_type in ("number", "integer", "json")
        case float():
            return data_type in ("number", "json")
        case str():
            return len(value) <= _MAX_TEXT and (
                data_type in ("string", "json") or (data_type == "date" and _is_date(value))
            )
        case _:
            return data_type == "json"


def of_text(text: str, data_type: str) -> value_pb2.Value | None:
    """Return the number or boolean that a text writes, for a data type with such values; None if it writes none.

    Numbers are written as in JSON, booleans also in capitals, such as `True`.
    """
    if data_type == "boolean" and text.lower() in ("true", "false"):
        return value_pb2.Value(bool_value=text.lower() == "true")
    written = _NUMBER.fullmatch(text) if data_type in ("number", "integer") else None
    if written is None:
        return None
    if not any(written.groups()) and len(text) <= _MOST_DIGITS and int(text) in _INTEGERS:
        return value_pb2.Value(integer_value=int(text))
    number = float(text)
    return value_pb2.Value(double_value=number) if math.isfinite(number) else None


def misfit(field: str, value: Any, data_type: str) -> DomainError:
    """Build the VALIDATION_ERROR for a value that doesn't have the parameter type's data type."""
    return invalid(
        field,
        "{field}: the parameter's type takes {example}; this value isn't one.",
        value=shortened(value),
        constraint="data_type",
        example=_EXAMPLES[data_type],
    )


def _is_date(text: str) -> bool:
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
