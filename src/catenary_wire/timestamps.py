"""Timestamps as JSON has them: RFC 3339 in UTC, with `Z`."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Literal

from google.protobuf.timestamp_pb2 import Timestamp

# A timestamp is put together from texts made before: a quarter of the time that datetime takes, and pages hold many.
_EPOCH = date(1970, 1, 1)
_MINUTES = tuple(f"T{minute // 60:02}:{minute % 60:02}" for minute in range(1440))
_SECONDS = tuple(f":{second:02}" for second in range(60))


def timestamp_text(value: Timestamp) -> str:
    """Return the text of a timestamp of the years 1 to 9999: at most microseconds, trailing zeros left out."""
    days, rest = divmod(value.seconds, 86400)
    text = _date(days) + _MINUTES[rest // 60] + _SECONDS[rest % 60]
    micros = value.nanos // 1000
    return f"{text}.{micros:06}".rstrip("0") + "Z" if micros else text + "Z"


def now_text(precision: Literal["milliseconds", "microseconds"]) -> str:
    """Return the text of the present time with all three or six digits of the fraction."""
    return datetime.now(UTC).isoformat(timespec=precision).removesuffix("+00:00") + "Z"


@lru_cache(maxsize=4096)
def _date(days: int) -> str:
    return (_EPOCH + timedelta(days=days)).isoformat()
