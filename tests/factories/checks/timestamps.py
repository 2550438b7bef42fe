"""Times of answers as datetimes. As texts they have no order: trailing zeros are left out, and "…12Z" stands after "…1234Z"."""

from __future__ import annotations

from datetime import datetime
from typing import Any


def moment(text: str) -> datetime:
    """Parse the time of an answer."""
    return datetime.fromisoformat(text)


def in_order(value: Any, column: str) -> Any:
    """Return the value of a column as the key of its order."""
    return moment(value) if column.endswith("_at") else value
