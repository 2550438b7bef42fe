"""The hourly limits in the database: a user's requests, counted by lease, and a project's evaluations, one by one."""

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
from catenary_core.limits.counters import PROJECT_EVALUATIONS, SESSIONS, USER_REQUESTS, CounterState
from catenary_core.limits.window import LEASE_SECONDS, Window, WindowState, unchanging
from catenary_wire import limit_sentences

_HOUR = 3600.0
_MAX_CACHED = 10_000
"""Number of windows that a process caches."""
REPLY = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")
"""Response metadata with the state of the call's tightest limit: calls, calls left, reset time in Unix seconds."""


@dataclass(frozen=True, slots=True)
class Grant:
    """A lease of calls."""

    lease_id: str
    """Id of the lease; empty without calls."""
    calls: int
    """Number of leased calls; 0 if none is left."""
    seconds: float
    """Time in seconds from the request for the lease within which the calls may be used."""
    standing: WindowState
    """State of the limit after the lease."""


class UserRequests:
    """The windows of users' requests, from which this process takes leases.

    A window last seen by this process is changed in one statement, if no other process has changed it since; otherwise
    under a lock.
    """

    def __init__(self, db: Database, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Set up an empty cache.

        Args:
            db: database with the counters.
            limit: requests per user and hour.
            clock: monotonic clock, in seconds.
        """
        self._db = db
        self._limit = limit
        self._clock = clock
        self._cache: OrderedDict[str, tuple[CounterState, float]] = OrderedDict()

    async def lease(self, user_id: str, wanted: int, ended: str = "", unused: int = 0) -> Grant:
        """Lease up to `wanted` requests.

        Args:
            user_id: the user.
            wanted: largest number of requests.
            ended: id of the holder's previous lease, which ends.
            unused: number of unused requests of that lease.
        """
        lease_id = str(uuid_utils.uuid4())  # random, so that only the holder knows it

        def take(window: Window) -> int:
            window.give_back(ended, unused)
            return window.lease(lease_id, wanted)

        calls, window = await self._change(user_id, take)
        return Grant(lease_id if calls else "", calls, LEASE_SECONDS, window.standing(lease_id))

    async def give_back(self, user_id: str, lease_id: str, unused: int) -> None:
        """Return the unused requests of a lease."""
        await self._change(user_id, lambda window: window.give_back(lease_id, unused))

    async def _change(self, user_id: str, change: Callable[[Window], int]) -> tuple[int, Window]:
        counted = None
        if (known := self._cache.get(user_id)) is not None:
            cached, at = known
            now = cached.now + self._clock() - at
            window = Window(cached.state, self._limit, now)
            done = change(window)
            async with self._db.read() as tx:
                counted = await counters.swap(tx, USER_REQUESTS, user_id, cached, window.state(), *unchanging(now))
        if counted is None:
            async with self._db.transaction() as tx:
                locked = await counters.lock(tx, USER_REQUESTS, user_id)
                window = Window(locked.state, self._limit, locked.now)
                done = change(window)
                await counters.store(tx, USER_REQUESTS, user_id, window.state())
            counted = CounterState(window.state(), locked.version + 1, locked.now)
        self._cache[user_id] = (counted, self._clock())
        self._cache.move_to_end(user_id)
        if len(self._cache) > _MAX_CACHED:
            self._cache.popitem(last=False)
        return done, window


async def charge_evaluation(tx: Transaction, project_id: str, limit: int, locked: CounterState) -> WindowState:
    """Count an evaluation of a project in its hour; its month is counted by `accounts`.

    The transaction is that which adds the evaluation or the check of a version, so what isn't added isn't counted.

    Args:
        tx: the transaction.
        project_id: the project.
        limit: evaluations per project and hour.
        locked: the project's counter of PROJECT_EVALUATIONS.

    Returns:
        The limit after it, which a call reports.

    Raises RATE_LIMIT_EXCEEDED: no evaluation is left.
    """
    window = _charged(locked, limit)
    await counters.store(tx, PROJECT_EVALUATIONS, project_id, window.state())
    return window.standing()


async def is_session_counted(tx: Transaction, call: Call, model_version_id: str) -> bool:
    """Return whether a live session of the caller with a version of the project is counted in this hour already."""
    return model_version_id in _counted_sessions(await counters.read(tx, SESSIONS, _sessions_of(call)))


async def charge_session(tx: Transaction, call: Call, limit: int, model_version_id: str) -> bool:
    """Count a live session as one evaluation of the project's hour, once an hour for a user and a version.

    The month's evaluations don't count it: a session pays by its seconds.

    Returns:
        False if another call has counted it meanwhile.

    Raises RATE_LIMIT_EXCEEDED: no evaluation is left.
    """
    subject = _sessions_of(call)
    seen = await counters.lock(tx, SESSIONS, subject)
    ends = _counted_sessions(seen)
    if model_version_id in ends:
        return False
    project_id = str(call.project_id)
    locked = await counters.lock(tx, PROJECT_EVALUATIONS, project_id)
    standing = await charge_evaluation(tx, project_id, limit, locked)
    ends[model_version_id] = seen.now + _HOUR
    await counters.store(tx, SESSIONS, subject, {"ends": ends})
    report(call, standing)
    return True


def _sessions_of(call: Call) -> str:
    return f"{call.project_id}:{call.caller.user_id}"


def _counted_sessions(seen: CounterState) -> dict[str, float]:
    """Return the ends of the hours in which sessions are counted, by version."""
    return {version: until for version, until in seen.state.get("ends", {}).items() if until > seen.now}


async def check_evaluations(tx: Transaction, project_id: str, limit: int) -> None:
    """Check that a project has an evaluation left, without counting, before work for one that has none.

    Raises RATE_LIMIT_EXCEEDED: no evaluation is left.
    """
    _charged(await counters.read(tx, PROJECT_EVALUATIONS, project_id), limit)


def _charged(counted: CounterState, limit: int) -> Window:
    window = Window(counted.state, limit, counted.now)
    if not window.charge():
        raise limit_exceeded(limit_sentences.evaluations, window.standing(), counted.now)
    return window


async def standing_of(tx: Transaction, project_id: str, limit: int) -> WindowState:
    """Return a project's limit of evaluations, which a call reports, without counting."""
    counted = await counters.read(tx, PROJECT_EVALUATIONS, project_id)
    return Window(counted.state, limit, counted.now).standing()


def report(call: Call, standing: WindowState) -> None:
    """Report a limit in the call's response metadata; of several limits, the one with the fewest calls left."""
    reported = call.reply.get(REPLY[1])
    if reported is None or standing.remaining < int(reported):
        call.reply.update(zip(REPLY, map(str, (standing.limit, standing.remaining, standing.reset)), strict=True))


def limit_exceeded(sentence: Callable[[int, float], str], standing: WindowState, now: float) -> DomainError:
    """Return RATE_LIMIT_EXCEEDED; `sentence` makes the text from the limit and the seconds to wait."""
    seconds = max(1, math.ceil(standing.reset_at - now))
    return DomainError(
        "RATE_LIMIT_EXCEEDED",
        sentence(standing.limit, seconds),
        details={"limit": standing.limit, "remaining": standing.remaining, "reset": standing.reset},
        retry_after=float(seconds),
    )
