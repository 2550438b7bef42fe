"""The hourly limit of users at the gRPC door. A call that an edge makes was counted there.

As the edge's (which may not import this): calls are leased, ever more while a user goes on, so that a busy caller costs the
database no trip a call, and an idle one holds nothing.
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

_IDLE_SECONDS = 1.0
"""A user who makes no call for so long has the rest of a lease given back."""
_REFUSED_SECONDS = 1.0
"""For so long a refusal is repeated without asking the database."""
_SWEEP_SECONDS = 0.5
_MAX_WANTED = 1000
_GROWTH = 8
"""A lease that was used up is followed by one so many times as large."""


@dataclass(slots=True)
class _Held:
    """What this process has of a user's calls, or that there are none (a grant of 0). Times are the monotonic clock's."""

    grant: Grant
    left: int
    until: float
    used_at: float


class Meter:
    """Counts the calls of one process; `start` and `stop` around its use."""

    def __init__(self, db: Database, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` is a monotonic one."""
        self._requests = UserRequests(db, limit, clock)
        self._limit = limit
        self._clock = clock
        self._held: dict[str, _Held] = {}
        # A lock lives while someone holds it or waits for it.
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._sweeper = Periodic("giving idle calls back", _SWEEP_SECONDS, self.sweep)

    async def start(self) -> None:
        """Begins to give idle calls back."""
        await self._sweeper.start()

    async def stop(self) -> None:
        """Gives back everything."""
        await self._sweeper.stop()
        await run_step("giving calls back", lambda: self.sweep(everything=True))

    async def charge(self, call: Call) -> None:
        """Counts a call of a user; RATE_LIMIT_EXCEEDED when none is left."""
        if call.caller.kind == "worker" or call.metadata.get("catenary-edge") == "1":
            return
        user_id = call.caller.user_id
        held = self._used(user_id)
        if held is None:
            async with self._locks.setdefault(user_id, asyncio.Lock()):
                held = self._used(user_id) or await self._lease(user_id)
        standing = held.grant.standing
        hourly.tell(call, WindowState(standing.limit, standing.remaining + held.left, standing.reset_at))

    def _used(self, user_id: str) -> _Held | None:
        """What is held of the user's calls after one was used; None when there is none to use."""
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
        return hourly.refused(f"You have had your {self._limit} requests of the hour", grant.standing, time.time())

    async def _lease(self, user_id: str) -> _Held:
        """A new lease, one call of it used."""
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
        held = self._held[user_id] = _Held(grant, grant.calls, until, now)
        if not grant.calls:
            raise self._refusal(grant)
        held.left -= 1  # however late the lease comes: the call counts at the moment when it was leased
        return held

    async def sweep(self, *, everything: bool = False) -> None:
        """Gives back what users leave unused."""
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
