"""Calls of the last hour, counted in buckets of a minute.

Sixty whole minutes and the running one: a call counts until its whole minute is an hour ago, so no hour, wherever it begins, has
more calls than the limit. (A bucket that fills up at a rate, GCRA, lets up to twice the limit through after a pause.)

Calls are taken by lease: they count from the moment they are taken, in the minute of that moment, and may be used for
LEASE_SECONDS. Therefore a bucket counts that much longer. What a holder doesn't use it gives back; what a holder that was killed
had left stays counted, and leaves the window with its minute.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MINUTE = 60
HOUR = 3600
LEASE_SECONDS = 2.0
"""How long leased calls may be used."""
_SHARE = 8
"""A lease has at most this part of the calls that are left, so that leases get small where calls get few."""
_REMEMBERED_SECONDS = 30.0
"""How long after its end a lease's calls may be given back."""


@dataclass(frozen=True, slots=True)
class WindowState:
    """How a limit stands: its calls, those left, and the Unix time when the next one becomes free."""

    limit: int
    remaining: int
    reset_at: float

    @property
    def reset(self) -> int:
        """`reset_at` in whole seconds, never too early."""
        return math.ceil(self.reset_at)


@dataclass(slots=True)
class Lease:
    """Calls that a holder took: in which minute they count, how many it may give back, and until when it may use them."""

    minute: int
    calls: int
    ends_at: float


class Window:
    """The calls of one subject under one limit. Times are Unix seconds of one clock, the database's."""

    def __init__(self, state: Mapping[str, Any], limit: int, now: float) -> None:
        """`state` is what `state()` gave, or `{}`; what is over by `now` is dropped."""
        self.limit = limit
        self._now = now
        minutes = {int(minute): calls for minute, calls in state.get("minutes", {}).items()}
        self._minutes: dict[int, int] = {
            minute: calls for minute, calls in sorted(minutes.items()) if _free_at(minute) > now
        }
        leases = {key: Lease(*values) for key, values in state.get("leases", {}).items()}
        self._leases = {key: lease for key, lease in leases.items() if lease.ends_at + _REMEMBERED_SECONDS > now}

    def state(self) -> dict[str, Any]:
        """What the database keeps, as JSON."""
        return {
            "minutes": {str(minute): calls for minute, calls in self._minutes.items()},
            "leases": {key: [lease.minute, lease.calls, lease.ends_at] for key, lease in self._leases.items()},
        }

    @property
    def used(self) -> int:
        """The calls that count now."""
        return sum(self._minutes.values())

    def charge(self, calls: int = 1) -> bool:
        """Counts calls that are made now; False, and nothing counted, when not so many are left."""
        if calls > self.limit - self.used:
            return False
        minute = int(self._now // MINUTE)
        self._minutes[minute] = self._minutes.get(minute, 0) + calls
        return True

    def lease(self, lease_id: str, wanted: int) -> int:
        """Takes up to `wanted` calls under a lease; the number taken, 0 when none is left."""
        left = self.limit - self.used
        calls = min(wanted, max(1, left // _SHARE))
        if not self.charge(calls):
            return 0
        self._leases[lease_id] = Lease(int(self._now // MINUTE), calls, self._now + LEASE_SECONDS)
        return calls

    def give_back(self, lease_id: str, unused: int) -> int:
        """Ends a lease whose holder didn't use some of its calls; the number that came back.

        Never more than were taken, and none for a lease that isn't known: nobody frees calls that they didn't take.
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
        """How the limit stands; `own_lease` is the lease just taken."""
        return WindowState(self.limit, max(0, self.limit - self.used), self._reset_at(own_lease))

    def _reset_at(self, own_lease: str) -> float:
        """When the next call becomes free: with its minute, or, when none is left, perhaps with the lease of another holder."""
        over = max(1, self.used - self.limit + 1)
        reset_at = self._now
        for minute, calls in self._minutes.items():
            reset_at = _free_at(minute)
            over -= calls
            if over <= 0:
                break
        if self.used >= self.limit:
            # One call is used as soon as it is taken; of more, some may come back.
            ends = [
                lease.ends_at
                for key, lease in self._leases.items()
                if key != own_lease and lease.calls > 1 and lease.ends_at > self._now
            ]
            reset_at = min([reset_at, *ends])
        return reset_at


def unchanging(now: float) -> tuple[float, float]:
    """The span of time around `now`, [since, until), in which a window counts alike: nothing ends, and it is the same minute."""
    minute = now // MINUTE * MINUTE
    if now < minute + LEASE_SECONDS:
        return minute, minute + LEASE_SECONDS
    return minute + LEASE_SECONDS, minute + MINUTE


def _free_at(minute: int) -> float:
    """When the calls of a minute stop counting."""
    return (minute + 1) * MINUTE + HOUR + LEASE_SECONDS
