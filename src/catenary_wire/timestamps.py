"""Timestamps as JSON has them: RFC 3339 in UTC, with `Z` and six digits of a second, so that they sort as text."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from google.protobuf.timestamp_pb2 import Timestamp

# A timestamp is put together from texts made before: a quarter of the time that datetime takes, and pages hold many.
_EPOCH = date(1970, 1, 1)
_MINUTES = tuple(f"T{minute // 60:02}:{minute % 60:02}" for minute in range(1440))
_SECONDS = tuple(f":{second:02}." for second in range(60))
_NANOS = 1_000_000_000
FIRST_SECOND, LAST_SECOND = -62_135_596_800, 253_402_300_799
"""Unix time of the first second of the year 1 and of the last of the year 9999: what RFC 3339 can say."""


def timestamp_text(value: Timestamp) -> str:
    """Return the text of a timestamp, cut to microseconds.

    Raises ValueError: its nanoseconds are no part of a second. Raises OverflowError: it is not in the years 1 to 9999.
    """
    nanos = value.nanos
    if not 0 <= nanos < _NANOS:
        raise ValueError(f"the timestamp has {nanos} nanoseconds, which are no part of a second")
    days, rest = divmod(value.seconds, 86400)
    return f"{_date(days)}{_MINUTES[rest // 60]}{_SECONDS[rest % 60]}{nanos // 1000:06}Z"


def now_text() -> str:
    """Return the text of the present time."""
    return datetime.now(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


@lru_cache(maxsize=4096)
def _date(days: int) -> str:
    return (_EPOCH + timedelta(days=days)).isoformat()


def shown_time(value: Timestamp) -> str | int:
    """Return the text of a timestamp for a refusal, or its seconds where it has none."""
    return timestamp_text(value) if is_told(value) else value.seconds


def is_told(value: Timestamp) -> bool:
    """Tell whether a timestamp has a text: a gRPC caller may send others."""
    return FIRST_SECOND <= value.seconds <= LAST_SECOND and 0 <= value.nanos < _NANOS
