"""The JSON text of `catenary.type.v1.Json`: strict JSON, as in REST bodies."""

from __future__ import annotations

from typing import Any

from catenary_core.call.errors import invalid
from catenary_wire import strict_json
from catenary_wire.strict_json import JsonError

_REASONS = {
    "nesting": f"it is nested over {strict_json.DEPTH} deep",
    "duplicate": "a key stands twice",
    "characters": "it has characters that can't be kept",
}


def parse(text: str, field: str) -> Any:
    """Parse a text of strict JSON (`strict_json.parse`).

    Args:
        text: the JSON text, without lone surrogates outside its escapes.
        field: name of the field in the error.

    Raises VALIDATION_ERROR: the text isn't strict JSON.
    """
    try:
        return strict_json.parse(text.encode())
    except JsonError as error:
        raise invalid(
            field, "{field} is not an acceptable JSON value: {why}.", value=text, constraint="json", why=_reason(error)
        ) from None


def _reason(error: JsonError) -> str:
    if error.constraint == "json":
        return str(error.__cause__ or error.text)
    if error.value is not None and error.constraint == "finite":
        return "a number is too large" if error.value[-1].isdigit() else f"{error.value} is not JSON"
    return _REASONS[error.constraint]
