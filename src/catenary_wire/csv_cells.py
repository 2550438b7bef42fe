"""Texts in the cells of CSV files that spreadsheets open: none of them may run as a formula.

A spreadsheet takes a text as a formula by its first character, in quotes or not; after an apostrophe it is text.
"""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - spreadsheets take the wide ones too
MARK = "'"
"""Character before a text that a spreadsheet would take for something else."""


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet takes the text as a formula, or passes over its beginning before one."""
    return text.startswith(_FORMULA)
