"""The forms of colours, dates and points, as defaults of a model and as values of a caller alike.

The worker holds declared defaults to them, and the core holds what callers send; each function gives the one spelling in
which equal values are equal.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date

COLOR_FORM = 'a colour such as "#b8b2a7", or "#b8b2a780" with alpha'
DATE_FORM = 'a day of the calendar such as "2026-02-28"'
POINT_FORM = "three finite numbers such as [1.5, 0, 3]"

_COLOR = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{8})", re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


def color(value: object) -> str | None:
    """Return the one spelling of a colour: lower case, without the alpha of an opaque one; None for anything else."""
    if not isinstance(value, str) or len(value) > len("#rrggbbaa"):
        return None
    text = value.lower()
    if _COLOR.fullmatch(text) is None:
        return None
    return text[:7] if text[7:] == "ff" else text


def channels(text: str) -> list[float]:
    """Return the channels of a colour from 0 to 1: red, green and blue, then alpha unless opaque.

    Args:
        text: A colour as `color` returns it.
    """
    return [byte / 255 for byte in bytes.fromhex(text[1:])]


def day(value: object) -> str | None:
    """Return the text of a calendar day, `YYYY-MM-DD`; None for anything else."""
    if not isinstance(value, str) or _DATE.fullmatch(value) is None:
        return None
    try:
        date.fromisoformat(value)
    except ValueError:
        return None
    return value


def point(value: object) -> list[float] | None:
    """Return a point as three floats; None for anything else. A minus zero becomes zero."""
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 3:
        return None
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in value):
        return None
    try:
        found = [float(one) + 0.0 for one in value]
    except OverflowError:  # an integer that no double holds
        return None
    return found if all(map(math.isfinite, found)) else None
