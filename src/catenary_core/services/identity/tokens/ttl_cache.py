"""What was found out a moment ago, kept for a few seconds in bounded memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class TtlCache(Generic[K, V]):
    """A cache whose entries last `seconds`, counted from before they were looked up, and of which the oldest goes first."""

    def __init__(self, seconds: float, size: int, clock: Callable[[], float]) -> None:
        """`clock` is a monotonic one, in seconds."""
        self._seconds = seconds
        self._size = size
        self._clock = clock
        self._entries: dict[K, tuple[float, V]] = {}

    def get(self, key: K) -> V | None:
        """The value of an entry that still lasts."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        if entry[0] > self._clock():
            return entry[1]
        del self._entries[key]
        return None

    def put(self, key: K, value: V, *, since: float) -> None:
        """Keeps a value. `since` is the clock's time from before the look-up, so that no change is seen later than it may be."""
        self._entries.pop(key, None)
        while len(self._entries) >= self._size:
            del self._entries[next(iter(self._entries))]
        self._entries[key] = (since + self._seconds, value)

    def __len__(self) -> int:
        return len(self._entries)
