"""Times of answers as times. As texts they have no order: what ends in zeros is shorter, and "…12Z" stands after "…1234Z"."""

from __future__ import annotations

from datetime import datetime
from typing import Any


def moment(text: str) -> datetime:
    """The time that an answer gives as text."""
    return datetime.fromisoformat(text)


def in_order(value: Any, column: str) -> Any:
    """The value of a column as it stands in a sorted list."""
    return moment(value) if column.endswith("_at") else value
