"""The hourly limits in the database: of a user's requests, by lease, and of a project's evaluations, one by one."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import uuid_utils

from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError
from catenary_core.database.transactions import Database, Transaction
from catenary_core.limits import counters
from catenary_core.limits.counters import PROJECT_EVALUATIONS, USER_REQUESTS, CounterState
from catenary_core.limits.window import LEASE_SECONDS, Window, WindowState, unchanging

_REMEMBERED = 10_000
"""Windows that a process remembers."""
REPLY = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")
"""Response metadata that says how the tightest limit of a call stands: calls, calls left, Unix seconds."""


@dataclass(frozen=True, slots=True)
class Grant:
    """Calls that were leased: `calls` (0: none is left) under `lease_id`, to be used within `seconds` of the asking."""

    lease_id: str
    calls: int
    seconds: float
    standing: WindowState


class UserRequests:
    """The windows of users' requests, as this process takes of them.

    What it saw last of a window it changes in one statement, if nobody else has changed it meanwhile; else under a lock.
    """

    def __init__(self, db: Database, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` is a monotonic one."""
        self._db = db
        self._limit = limit
        self._clock = clock
        self._seen: OrderedDict[str, tuple[CounterState, float]] = OrderedDict()

    async def lease(self, user_id: str, wanted: int, ended: str = "", unused: int = 0) -> Grant:
        """Leases up to `wanted` requests; a lease that the holder had before ends, with what it left unused."""
        lease_id = str(uuid_utils.uuid4())  # a random one: who doesn't hold it can't guess it

        def take(window: Window) -> int:
            window.give_back(ended, unused)
            return window.lease(lease_id, wanted)

        calls, window = await self._change(user_id, take)
        return Grant(lease_id if calls else "", calls, LEASE_SECONDS, window.standing(lease_id))

    async def give_back(self, user_id: str, lease_id: str, unused: int) -> None:
        """Gives back what of a lease wasn't used."""
        await self._change(user_id, lambda window: window.give_back(lease_id, unused))

    async def _change(self, user_id: str, change: Callable[[Window], int]) -> tuple[int, Window]:
        counted = None
        if (known := self._seen.get(user_id)) is not None:
            seen, at = known
            now = seen.now + self._clock() - at
            window = Window(seen.state, self._limit, now)
            done = change(window)
            async with self._db.read() as tx:
                counted = await counters.swap(tx, USER_REQUESTS, user_id, seen, window.state(), *unchanging(now))
        if counted is None:
            async with self._db.transaction() as tx:
                locked = await counters.lock(tx, USER_REQUESTS, user_id)
                window = Window(locked.state, self._limit, locked.now)
                done = change(window)
                await counters.store(tx, USER_REQUESTS, user_id, window.state())
            counted = CounterState(window.state(), locked.version + 1, locked.now)
        self._seen[user_id] = (counted, self._clock())
        self._seen.move_to_end(user_id)
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return done, window


async def charge_evaluation(tx: Transaction, call: Call, limit: int, locked: CounterState) -> None:
    """Counts an evaluation of the call's project in the transaction that adds it, so that one that isn't added isn't counted.

    `locked` is the project's counter of PROJECT_EVALUATIONS. RATE_LIMIT_EXCEEDED when none is left.
    """
    window = Window(locked.state, limit, locked.now)
    charged = window.charge()
    standing = window.standing()
    if not charged:
        raise refused(f"The project has had its {limit} evaluations of the hour", standing, locked.now)
    await counters.store(tx, PROJECT_EVALUATIONS, str(call.project_id), window.state())
    tell(call, standing)


async def tell_evaluations(tx: Transaction, call: Call, limit: int) -> None:
    """Says how the evaluations of the call's project stand, where none is charged."""
    counted = await counters.read(tx, PROJECT_EVALUATIONS, str(call.project_id))
    tell(call, Window(counted.state, limit, counted.now).standing())


def tell(call: Call, standing: WindowState) -> None:
    """Notes a limit that applies to a call, for its response metadata; of several the one with the fewest calls left counts."""
    told = call.reply.get(REPLY[1])
    if told is None or standing.remaining < int(told):
        call.reply.update(zip(REPLY, map(str, (standing.limit, standing.remaining, standing.reset)), strict=True))


def refused(what: str, standing: WindowState, now: float) -> DomainError:
    """RATE_LIMIT_EXCEEDED; `what` is the beginning of its sentence."""
    seconds = max(1, math.ceil(standing.reset_at - now))
    return DomainError(
        "RATE_LIMIT_EXCEEDED",
        f"{what}; try again in {seconds} s.",
        details={"limit": standing.limit, "remaining": standing.remaining, "reset": standing.reset},
        retry_after=float(seconds),
    )
