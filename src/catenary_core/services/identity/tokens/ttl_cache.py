"""A cache in bounded memory whose entries live for a few seconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class TtlCache(Generic[K, V]):
    """A cache whose entries live for `seconds` from before their look-up, and which drops the oldest when full."""

    def __init__(self, seconds: float, size: int, clock: Callable[[], float]) -> None:
        """Create an empty cache of at most `size` entries; `clock` is monotonic, in seconds."""
        self._seconds = seconds
        self._size = size
        self._clock = clock
        self._entries: dict[K, tuple[float, V]] = {}

    def get(self, key: K) -> V | None:
        """Return the value of a live entry, or None."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        if entry[0] > self._clock():
            return entry[1]
        del self._entries[key]
        return None

    def put(self, key: K, value: V, *, since: float) -> None:
        """Store a value.

        `since` is the clock's time before the value was looked up, so that no entry outlives a change by more than
        `seconds`.
        """
        self._entries.pop(key, None)
        while len(self._entries) >= self._size:
            del self._entries[next(iter(self._entries))]
        self._entries[key] = (since + self._seconds, value)

    def __len__(self) -> int:
        return len(self._entries)
