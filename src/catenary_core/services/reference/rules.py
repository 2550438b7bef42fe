"""The rule for a source's date."""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from typing import Any

from catenary_core.call.errors import DomainError, invalid

DATE_FIELDS = ("date_day", "date_month", "date_year")
_LEAP_YEAR = 2000


def check_date(source: Mapping[str, Any]) -> None:
    """Refuse a day that its month doesn't have (Gregorian calendar).

    Any part of a date may be unknown: without a year, the month of a leap year decides.

    Raises VALIDATION_ERROR: the day is past the end of the month.
    """
    day, month, year = (source[name] for name in DATE_FIELDS)
    if day is None or month is None:
        return
    days = calendar.monthrange(int(year or 0) or _LEAP_YEAR, int(month))[1]
    if int(day) > days:
        raise _no_such_day(day, days)


def _no_such_day(day: str, days: int) -> DomainError:
    return invalid(
        "date_day",
        "{field} is past the end of the month, which has {days} days.",
        value=day,
        constraint="calendar",
        days=days,
    )
