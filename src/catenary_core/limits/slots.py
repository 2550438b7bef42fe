"""Slots for concurrent operations: an operation renews its slot while it runs; the slot of a dead process expires."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catenary_core.limits.window import WindowState

SLOT_SECONDS = 15.0
"""Time in seconds after which an unrenewed slot expires."""
RETRY_SECONDS = 1.0
"""Waiting time told to a refused caller; nobody knows when a running operation will end."""


class Slots:
    """The running operations of one subject; times are Unix seconds of the database's clock."""

    def __init__(self, state: Mapping[str, Any], limit: int, now: float) -> None:
        """Read a stored state, without expired slots.

        Args:
            state: result of `state()`, or `{}`.
            limit: number of slots.
            now: current time.
        """
        self.limit = limit
        self._now = now
        self._slots = {key: ends for key, ends in state.get("slots", {}).items() if ends > now}

    def state(self) -> dict[str, Any]:
        """Return the state to store, as JSON."""
        return {"slots": self._slots}

    def take(self, slot_id: str, seconds: float = SLOT_SECONDS) -> bool:
        """Take a slot for some seconds; return False if all are taken."""
        if len(self._slots) >= self.limit:
            return False
        self._slots[slot_id] = self._now + seconds
        return True

    def renew(self, slot_id: str) -> None:
        """Extend a slot, even an expired one, since its operation still runs."""
        self._slots[slot_id] = self._now + SLOT_SECONDS

    def release(self, slot_id: str) -> None:
        """Free a slot."""
        self._slots.pop(slot_id, None)

    def standing(self) -> WindowState:
        """Return how many operations may start now."""
        remaining = max(0, self.limit - len(self._slots))
        return WindowState(self.limit, remaining, self._now if remaining else self._now + RETRY_SECONDS)
