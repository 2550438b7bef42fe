"""Parsing of the text in `catenary.type.v1.Json`, by the rules of REST bodies."""

from __future__ import annotations

import json
import math
from typing import Any

from catenary_core.call.errors import DomainError, invalid

MAX_DEPTH = 32
"""Deepest nesting of arrays and objects."""
# The range of 64 bits, signed and unsigned; orjson writes no other integers.
_MIN_INT, _MAX_INT = -(2**63), 2**64 - 1


def parse(text: str, field: str) -> Any:
    """Parse a JSON text.

    Args:
        text: the JSON text.
        field: name of the field in the error.

    Raises VALIDATION_ERROR: the text isn't JSON (RFC 8259), or has nesting over 32, duplicate keys, NaN, infinities,
    integers outside -2^63 to 2^64 - 1, U+0000 or lone surrogates.
    """
    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_integer, parse_float=_finite
        )
        _check_levels(value, strings="\\u" in text)
    except (ValueError, RecursionError) as error:
        raise _refused(field, str(error) or "it is nested too deep") from None
    return value


def _refused(field: str, why: str) -> DomainError:
    return invalid(field, f"{field} is not an acceptable JSON value: {why}.", constraint="json")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _integer(digits: str) -> int:
    if len(digits) > 21 or not _MIN_INT <= (value := int(digits)) <= _MAX_INT:
        raise ValueError("an integer is too large")
    return value


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value


def _check_levels(value: Any, *, strings: bool) -> None:
    """Refuse deep nesting and, if the text has escapes, strings with characters invalid in UTF-8 or PostgreSQL."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        if strings:
            for text in (item for item in level if isinstance(item, str)):
                if "\x00" in text or not _is_utf8(text):
                    raise ValueError("it has characters that can't be kept")
        containers = [item for item in level if isinstance(item, dict | list)]
        if not containers:
            return
        level = [
            child
            for item in containers
            for child in (item if isinstance(item, list) else [*item.keys(), *item.values()])
        ]
    raise ValueError(f"it is nested over {MAX_DEPTH} deep")


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
