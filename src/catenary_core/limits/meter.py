"""The users' hourly limit in the gRPC server; a call from an edge was counted by the edge.

It works as in the edge (which may not import this module): calls are leased, in growing numbers while a user goes on.
So a busy caller costs no database round trip per call, and an idle one holds no calls.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakValueDictionary

from catenary_core.background.failures import run_step
from catenary_core.background.periodic import Periodic
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError
from catenary_core.database.transactions import Database
from catenary_core.limits import hourly
from catenary_core.limits.hourly import Grant, UserRequests
from catenary_core.limits.window import WindowState
from catenary_wire import limit_sentences

_IDLE_SECONDS = 1.0
"""Time in seconds without a call after which the rest of a user's lease is returned."""
_REFUSED_SECONDS = 1.0
"""Time in seconds for which a refusal is repeated without asking the database."""
_SWEEP_SECONDS = 0.5
"""Interval in seconds at which idle leases are looked for."""
UNCOUNTED = "catenary-uncounted"
"""Response metadata by which an edge learns that a call which it has counted costs nothing."""
_MAX_WANTED = 1000
"""Largest lease."""
_GROWTH = 8
"""Factor between a lease that was used up and the next one."""


@dataclass(slots=True)
class _HeldLease:
    """A user's lease in this process, or a refusal (a grant of 0 calls); times are of the monotonic clock."""

    grant: Grant
    """The lease."""
    left: int
    """Number of unused calls."""
    until: float
    """End of the lease or of the refusal."""
    used_at: float
    """Time of the last use."""


class Meter:
    """Counts the calls of one process; call `start` before use and `stop` after it."""

    def __init__(self, db: Database, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Set up without leases.

        Args:
            db: database with the counters.
            limit: requests per user and hour.
            clock: monotonic clock, in seconds.
        """
        self._requests = UserRequests(db, limit, clock)
        self._clock = clock
        self._held: dict[str, _HeldLease] = {}
        # A lock exists while a task holds it or waits for it.
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._sweeper = Periodic("returning idle rate limit leases", _SWEEP_SECONDS, self.sweep)

    async def start(self) -> None:
        """Start to return idle leases."""
        await self._sweeper.start()

    async def stop(self) -> None:
        """Return all leases."""
        await self._sweeper.stop()
        await run_step("returning rate limit leases", lambda: self.sweep(everything=True))

    async def charge(self, call: Call) -> None:
        """Count a call of a user.

        Raises RATE_LIMIT_EXCEEDED: no call is left.
        """
        if call.caller.kind == "worker" or _is_counted_by_edge(call):
            return
        user_id = call.caller.principal_id
        held = self._used(user_id)
        if held is None:
            async with self._locks.setdefault(user_id, asyncio.Lock()):
                held = self._used(user_id) or await self._lease(user_id)
        call.lease_id, standing = held.grant.lease_id, held.grant.standing
        hourly.report(call, WindowState(standing.limit, standing.remaining + held.left, standing.reset_at))

    async def refund(self, call: Call) -> None:
        """Take back the count of a call; tell an edge that has counted it."""
        if _is_counted_by_edge(call):
            call.reply[UNCOUNTED] = "1"
        elif call.lease_id:
            user_id = call.caller.principal_id
            async with self._locks.setdefault(user_id, asyncio.Lock()):
                held = self._held.get(user_id)
                if held is not None and held.grant.lease_id == call.lease_id:
                    held.left += 1
                else:
                    await self._requests.give_back(user_id, call.lease_id, 1)

    def _used(self, user_id: str) -> _HeldLease | None:
        """Use one call of the user's lease; return the lease, or None if it has none."""
        held, now = self._held.get(user_id), self._clock()
        if held is None or now >= held.until:
            return None
        if not held.grant.calls:
            raise self._refusal(held.grant)
        if not held.left:
            return None
        held.left -= 1
        held.used_at = now
        return held

    def _refusal(self, grant: Grant) -> DomainError:
        return hourly.limit_exceeded(limit_sentences.requests, grant.standing, time.time())

    async def _lease(self, user_id: str) -> _HeldLease:
        """Take a new lease and use one of its calls."""
        before = self._held.pop(user_id, None)
        wanted, ended, unused = 1, "", 0
        if before is not None:
            ended, unused = before.grant.lease_id, before.left
            used = before.grant.calls - unused
            wanted = max(1, min(used if unused else _GROWTH * used, _MAX_WANTED))
        asked_at = self._clock()
        grant = await self._requests.lease(user_id, wanted, ended, unused)
        now = self._clock()
        until = asked_at + grant.seconds if grant.calls else now + _REFUSED_SECONDS
        held = self._held[user_id] = _HeldLease(grant, grant.calls, until, now)
        if not grant.calls:
            raise self._refusal(grant)
        held.left -= 1  # even if the lease arrives late: the call counted at the time of the lease
        return held

    async def sweep(self, *, everything: bool = False) -> None:
        """Return the unused calls of idle leases, or of all."""
        for user_id in list(self._held):
            lock = self._locks.setdefault(user_id, asyncio.Lock())
            if lock.locked():
                continue
            async with lock:
                held = self._held.get(user_id)
                now = self._clock()
                if held is not None and (everything or now >= held.used_at + _IDLE_SECONDS):
                    del self._held[user_id]
                    if held.left:
                        await self._requests.give_back(user_id, held.grant.lease_id, held.left)


def _is_counted_by_edge(call: Call) -> bool:
    return call.metadata.get("catenary-edge") == "1"
