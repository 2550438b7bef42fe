"""An entry of a model's declarations, and the checks of names and texts that declarations and results share."""

import math
from collections.abc import Mapping
from typing import Any

from catenary_wire.characters import refused_character
from catenary_wire.model_limits import TEXT, is_name
from catenary_worker.task import ModelFaultError

_ONE_LINE = {"label", "unit", "group", "show_if", "value"}


class Entry(dict[str, Any]):
    """A literal dict that remembers the lines of its keys."""

    line: int | None = None
    """Line of the entry itself."""
    lines: Mapping[str, int] = {}
    """Line of each key."""

    def fault(self, text: str, key: str | None = None) -> ModelFaultError:
        """Return the fault `text` at the line of `key`, or of the entry."""
        return ModelFaultError(text, self.lines.get(key, self.line) if key else self.line)


def check_name(value: object, what: str) -> str:
    """Return `value` if it is a name (guide/models.md, "Rules of the file").

    Raises:
        ModelFaultError: The value is no name; the text begins with `what`.
    """
    if is_name(value):
        return str(value)
    raise ModelFaultError(
        f"{what} {format_value(value)} is not a name: letters, digits and _, at most 64, no digit first."
    )


def check_text(value: object, what: str, longest: int = TEXT, *, multiline: bool = True) -> str:
    """Return `value` if it is text whose characters a text of lines, or else of one line, may have.

    Raises:
        ModelFaultError: The value is no text, too long or has other characters; the text begins with `what`.
    """
    if not isinstance(value, str):
        raise ModelFaultError(f"{what} must be text, not {format_value(value)}.")
    if len(value) > longest:
        raise ModelFaultError(f"{what} is longer than {longest} characters.")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise ModelFaultError(f"{what} has characters that are not text.")
    if character := refused_character(value, multiline=multiline):
        wanted = "text" if multiline else "one line of text"
        raise ModelFaultError(f"{what} has the character {character}, which {wanted} can't have; remove it.")
    return value


def format_value(value: object) -> str:
    """Format a value for a message: its `repr`, cut to 80 characters."""
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001 - a user's __repr__ may raise anything
        text = f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return text if len(text) <= 80 else text[:77] + "..."


def is_number(value: object) -> bool:
    """Return whether a literal is a finite number; True and False are not."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) if isinstance(value, float) else -(2**63) <= value < 2**63


def check_keys(what: str, entry: Entry, allowed: set[str], kind: str) -> None:
    """Refuse a key of an entry that is not allowed for its kind.

    Raises:
        ModelFaultError: A key is unknown; the error has its line.
    """
    for key in entry:
        if key not in allowed:
            known = ", ".join(sorted(allowed))
            raise entry.fault(f"{what} unknown key {format_value(key)} for {kind}; known keys are {known}.", key)


def checked_texts(what: str, entry: Entry, longest: Mapping[str, int]) -> dict[str, str | None]:
    """Return the texts of an entry by key, None where absent.

    Args:
        what: The beginning of the text of a fault.
        entry: The entry.
        longest: Most characters of each key.

    Raises:
        ModelFaultError: A value is no text, too long or has other characters; the error has its line.
    """
    found: dict[str, str | None] = {}
    for key, length in longest.items():
        value = entry.get(key)
        try:
            multiline = key not in _ONE_LINE
            found[key] = None if value is None else check_text(value, f"{what} {key}", length, multiline=multiline)
        except ModelFaultError as fault:
            raise entry.fault(fault.message, key) from None
    return found
