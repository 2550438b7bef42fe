"""A fault in a request's data, with the JSON path to it."""

from __future__ import annotations

import re
from typing import Any

from catenary_edge.errors.names import UnknownPath
from catenary_edge.errors.problem import BrokenRule, Problem
from catenary_wire.sentences import Argument, Fields, Sentence

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_SHOWN_LENGTH = 100
MOST = 100
"""Faults that one refusal lists."""
UNKNOWN = "unknown"
"""The constraint of a key that isn't known in its place."""


class Fault(Exception):  # noqa: N818 - a word of the field
    """An invalid value. `text` continues the name of the field ("must be a string").

    The text is a literal with `{name}` for each argument. The value is None where there is none, or none to show: that
    of an unknown name may be a secret.

    The path grows from the inside out while the exception rises, so valid requests pay nothing for it.
    """

    def __init__(self, text: str, constraint: str, value: Any, **arguments: Argument) -> None:
        super().__init__(text)
        self.text = text
        self.arguments = arguments
        self.constraint = constraint
        self.value = value
        self.path: list[str | int] = []
        self.more: list[Fault] = []
        """Faults of the same request that were found later, up to `MOST` with this one."""

    def inside(self, key: str | int) -> Fault:
        """Prepend a key or index to the paths of the fault and of those found later; return the same fault."""
        for fault in (self, *self.more):
            fault.path.append(key)
        return self

    def after(self, earlier: Fault | None) -> Fault:
        """Join the fault to one that was found before; return the first."""
        if earlier is None:
            return self
        earlier.more += [self, *self.more][: MOST - 1 - len(earlier.more)]
        self.more = []
        return earlier

    @property
    def is_full(self) -> bool:
        """True if a refusal lists no further fault."""
        return len(self.more) >= MOST - 1

    def without_value(self) -> Fault:
        """Remove the values, for secrets and personal data, and return the same fault."""
        for fault in (self, *self.more):
            fault.value = None
        return self

    def problem(self) -> Problem:
        """Build the refusal, 400 VALIDATION_ERROR, with parameter, value and constraint of the first fault in the details."""
        rules = [fault._rule() for fault in (self, *self.more)]
        details = {"parameter": rules[0].field, "value": shortened(self.value), "constraint": self.constraint}
        return Problem(400, "VALIDATION_ERROR", rules[0].sentence, details, violations=rules)

    def _rule(self) -> BrokenRule:
        parameter = json_path(self.path) or "body"
        if self.constraint == UNKNOWN:
            parameter = UnknownPath(parameter)
        sentence = Sentence("{field} " + self.text + ".", {"field": Fields(parameter), **self.arguments})
        return BrokenRule(parameter, sentence, self.constraint)


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
