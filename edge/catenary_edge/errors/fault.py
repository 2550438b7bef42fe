"""A fault in a request's data, with the JSON path to it."""

from __future__ import annotations

import re
from typing import Any, Final

from catenary_edge.errors.problem import Problem

_UNSHOWN: Final = object()
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_SHOWN_LENGTH = 100


class Fault(Exception):  # noqa: N818 - a word of the field
    """An invalid value. `text` continues the name of the field ("must be a string").

    The path grows from the inside out while the exception rises, so valid requests pay nothing for it.
    """

    def __init__(self, text: str, constraint: str, value: Any = _UNSHOWN) -> None:
        super().__init__(text)
        self.text = text
        self.constraint = constraint
        self.value = value
        self.path: list[str | int] = []

    def inside(self, key: str | int) -> Fault:
        """Prepend a key or index to the path and return the same fault."""
        self.path.append(key)
        return self

    def hidden(self) -> Fault:
        """Remove the value, for secrets and personal data, and return the same fault."""
        self.value = _UNSHOWN
        return self

    def problem(self) -> Problem:
        """Build the refusal, 400 VALIDATION_ERROR, with parameter, value and constraint in the details."""
        parameter = json_path(self.path) or "body"
        message = f"{parameter} {self.text}."
        details: dict[str, Any] = {"parameter": parameter}
        if self.value is not _UNSHOWN:
            details["value"] = shortened(self.value)
        details["constraint"] = self.constraint
        details["violations"] = [{"parameter": parameter, "message": message, "constraint": self.constraint}]
        return Problem(400, "VALIDATION_ERROR", message, details)


def json_path(path: list[str | int]) -> str:
    """Format a path given inside out, such as `entries[0].values`; keys with other characters stand in quotes."""
    text = ""
    for part in reversed(path):
        if isinstance(part, int):
            text += f"[{part}]"
        elif _PLAIN_KEY.fullmatch(part):
            text += f".{part}" if text else part
        else:
            safe = part[:64].encode("unicode_escape").decode()
            text += f'["{safe}"]'
    return text


def shortened(value: Any) -> Any:
    """Shorten a value for an error: scalars unchanged, long text cut, objects and lists by their kind."""
    if isinstance(value, str):
        text = value if len(value) <= _SHOWN_LENGTH else value[:_SHOWN_LENGTH] + "…"
        return text.encode(errors="replace").decode()
    if isinstance(value, dict):
        return "{…}"
    if isinstance(value, list):
        return "[…]"
    return value
