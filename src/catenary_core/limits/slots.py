"""Operations at once: each holds a slot, which it renews while it runs. The slot of a process that died ends by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catenary_core.limits.window import WindowState

SLOT_SECONDS = 15.0
"""After this an unrenewed slot is free again."""
RETRY_SECONDS = 1.0
"""What a refused caller is told to wait: when a running operation ends, nobody knows."""


class Slots:
    """The operations of one subject that run now. Times are Unix seconds of the database's clock."""

    def __init__(self, state: Mapping[str, Any], limit: int, now: float) -> None:
        """`state` is what `state()` gave, or `{}`; slots that ended by `now` are dropped."""
        self.limit = limit
        self._now = now
        self._slots = {key: ends for key, ends in state.get("slots", {}).items() if ends > now}

    def state(self) -> dict[str, Any]:
        """What the database keeps, as JSON."""
        return {"slots": self._slots}

    def take(self, slot_id: str) -> bool:
        """Takes a slot; False when all are taken."""
        if len(self._slots) >= self.limit:
            return False
        self._slots[slot_id] = self._now + SLOT_SECONDS
        return True

    def renew(self, slot_id: str) -> None:
        """Holds a slot longer; also one that had ended, since its operation runs on."""
        self._slots[slot_id] = self._now + SLOT_SECONDS

    def release(self, slot_id: str) -> None:
        """Frees a slot."""
        self._slots.pop(slot_id, None)

    def standing(self) -> WindowState:
        """How many operations may be begun now."""
        remaining = max(0, self.limit - len(self._slots))
        return WindowState(self.limit, remaining, self._now if remaining else self._now + RETRY_SECONDS)
