"""The query `page_limit` of older versions: a number above the largest counts as the largest."""

from __future__ import annotations

from typing import Any

from catenary_edge.errors.fault import Fault
from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import Describe

FIELD = "page_limit"
MOST_ROWS = 100_000
"""Largest and default number of rows of a list without pages."""
PAGE = 1000
"""Largest number of rows of a page."""
_MOST_DIGITS = 9


def capped(text: str, most: int) -> str:
    """Return the text of a limit; that of the largest one instead of a larger one.

    Raises:
        Fault: The text is no positive integer.
    """
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise Fault("must be an integer", "type", text)
    if text[0] in "-0":
        raise Fault("must be 1 or more", "range", text)
    return str(most) if len(text) > _MOST_DIGITS or int(text) > most else text


def described(text: str, *names: str) -> Describe:
    """Make the change of an operation whose queries of these names have no largest value."""

    def describe(operation: dict[str, Any], _: dict[str, Schema]) -> None:
        for told in operation["parameters"]:
            if told["in"] == "query" and told["name"] in names:
                told["schema"] = {key: rule for key, rule in told["schema"].items() if key != "maximum"}
                told["description"] = text

    return describe
