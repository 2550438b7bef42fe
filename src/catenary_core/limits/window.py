"""Sliding window over the calls of the last hour, in buckets of one minute.

There are sixty whole minutes and the running one: a call counts until its whole minute is an hour ago. So no hour,
wherever it starts, has more calls than the limit. (GCRA, a bucket that refills at a fixed rate, lets up to twice the
limit through after a pause.)

Calls are taken by lease: they count in the minute in which they are taken, and may be used for LEASE_SECONDS. Therefore
a bucket counts that much longer. The holder returns unused calls; those of a killed holder stay counted, and leave the
window with their minute.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MINUTE = 60
"""Seconds of a minute."""
HOUR = 3600
"""Seconds of an hour."""
LEASE_SECONDS = 2.0
"""Time in seconds for which leased calls may be used."""
_SHARE = 8
"""A lease has at most 1 / _SHARE of the remaining calls, so leases become small when calls become few."""
_REMEMBERED_SECONDS = 30.0
"""Time in seconds after a lease's end in which its calls may be returned."""


@dataclass(frozen=True, slots=True)
class WindowState:
    """The state of a limit."""

    limit: int
    """Number of calls, or of concurrent operations, that the limit allows."""
    remaining: int
    """Calls left."""
    reset_at: float
    """Unix time at which the next call becomes free."""

    @property
    def reset(self) -> int:
        """`reset_at` in whole seconds, rounded up."""
        return math.ceil(self.reset_at)


@dataclass(slots=True)
class Lease:
    """Calls that a holder has taken."""

    minute: int
    """Minute in which they count."""
    calls: int
    """Number of calls that the holder may return."""
    ends_at: float
    """Time until which the holder may use them."""


class Window:
    """The calls of one subject under one limit; times are Unix seconds of the database's clock."""

    def __init__(self, state: Mapping[str, Any], limit: int, now: float) -> None:
        """Read a stored state, without expired minutes and leases.

        Args:
            state: result of `state()`, or `{}`.
            limit: calls per hour.
            now: current time.
        """
        self.limit = limit
        self._now = now
        minutes = {int(minute): calls for minute, calls in state.get("minutes", {}).items()}
        self._minutes: dict[int, int] = {
            minute: calls for minute, calls in sorted(minutes.items()) if _free_at(minute) > now
        }
        leases = {key: Lease(*values) for key, values in state.get("leases", {}).items()}
        self._leases = {key: lease for key, lease in leases.items() if lease.ends_at + _REMEMBERED_SECONDS > now}

    def state(self) -> dict[str, Any]:
        """Return the state to store, as JSON."""
        return {
            "minutes": {str(minute): calls for minute, calls in self._minutes.items()},
            "leases": {key: [lease.minute, lease.calls, lease.ends_at] for key, lease in self._leases.items()},
        }

    @property
    def used(self) -> int:
        """Number of calls that count now."""
        return sum(self._minutes.values())

    def charge(self, calls: int = 1) -> bool:
        """Count calls made now; return False, and count none, if fewer are left."""
        if calls > self.limit - self.used:
            return False
        minute = int(self._now // MINUTE)
        self._minutes[minute] = self._minutes.get(minute, 0) + calls
        return True

    def lease(self, lease_id: str, wanted: int) -> int:
        """Take up to `wanted` calls under a lease; return the number taken, 0 if none is left."""
        left = self.limit - self.used
        calls = min(wanted, max(1, left // _SHARE))
        if not self.charge(calls):
            return 0
        self._leases[lease_id] = Lease(int(self._now // MINUTE), calls, self._now + LEASE_SECONDS)
        return calls

    def give_back(self, lease_id: str, unused: int) -> int:
        """End a lease and return its unused calls; return the number that was accepted.

        At most the leased calls are accepted, and none for an unknown lease: nobody frees calls that they didn't take.
        """
        lease = self._leases.get(lease_id)
        if lease is None:
            return 0
        calls = min(unused, lease.calls, self._minutes.get(lease.minute, 0))
        lease.ends_at = min(lease.ends_at, self._now)
        lease.calls -= calls
        if calls:
            self._minutes[lease.minute] -= calls
            if not self._minutes[lease.minute]:
                del self._minutes[lease.minute]
        return calls

    def standing(self, own_lease: str = "") -> WindowState:
        """Return the state of the limit; `own_lease` is the lease just taken."""
        return WindowState(self.limit, max(0, self.limit - self.used), self._reset_at(own_lease))

    def _reset_at(self, own_lease: str) -> float:
        """Return the time at which the next call becomes free.

        That is the end of its minute, or, if none is left, perhaps the earlier end of another holder's lease.
        """
        over = max(1, self.used - self.limit + 1)
        reset_at = self._now
        for minute, calls in self._minutes.items():
            reset_at = _free_at(minute)
            over -= calls
            if over <= 0:
                break
        if self.used >= self.limit:
            # A single leased call is used at once; of several, some may be returned.
            ends = [
                lease.ends_at
                for key, lease in self._leases.items()
                if key != own_lease and lease.calls > 1 and lease.ends_at > self._now
            ]
            reset_at = min([reset_at, *ends])
        return reset_at


def unchanging(now: float) -> tuple[float, float]:
    """Return the time span [since, until) around `now` in which a window counts alike: nothing expires, same minute."""
    minute = now // MINUTE * MINUTE
    if now < minute + LEASE_SECONDS:
        return minute, minute + LEASE_SECONDS
    return minute + LEASE_SECONDS, minute + MINUTE


def _free_at(minute: int) -> float:
    """Return the time at which the calls of a minute stop counting."""
    return (minute + 1) * MINUTE + HOUR + LEASE_SECONDS
