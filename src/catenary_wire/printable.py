"""Texts of strangers, made safe for terminals and logs."""

from __future__ import annotations

import re

# C0 but newline and tab, DEL, C1, line and paragraph separators, marks that change the direction of writing, surrogates.
_CONTROLS = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff\\ufeff]"
)

_LINE_ENDS = re.compile(r"[ \t]*\n\s*")


def escape_controls(text: str) -> str:
    r"""Replace each character that controls a terminal by its escape, such as `\x1b`; newlines and tabs stay."""
    return _CONTROLS.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def escape_lines(text: str) -> str:
    r"""Replace as `escape_controls` does, once each line end of the text is a newline."""
    return escape_controls(text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    """Replace as `escape_controls` does, and each line end with the blanks around it by one blank: no text makes a line."""
    return _LINE_ENDS.sub(" ", escape_lines(text)).strip("\n")


def escape_controls_in_json(text: str) -> str:
    """Replace such characters in a JSON text, where they can only be inside strings, by JSON's own escapes."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
