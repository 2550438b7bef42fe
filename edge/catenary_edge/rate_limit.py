"""The hourly rate limit of a user's requests at the edge, and the `X-RateLimit-*` headers.

See guide/conventions.md, "Headers and limits".

The core leases a user's calls to this edge in small numbers: one at first, more while the user continues. Leased calls
count in every edge's window from the moment of the lease, so several edges together never exceed the limit. Calls of a
user who pauses for a second go back to the core. The leased calls of a killed edge stay counted as used. A request that
waited for a lease counts at the moment of that lease, however late the lease arrives.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog

from catenary.limits.v1 import limit_service_pb2 as pb
from catenary_edge.errors.problem import Problem, refusal
from catenary_edge.transcoding.services import Rpc
from catenary_wire import limit_sentences

TAKE = "/catenary.limits.v1.LimitService/TakeCalls"
GIVE_BACK = "/catenary.limits.v1.LimitService/GiveBackCalls"
IDLE_SECONDS = 1.0
"""Seconds without a request after which the rest of a user's lease goes back to the core."""
REFUSED_SECONDS = 1.0
"""Seconds for which a refusal is repeated without asking the core."""
_SWEEP_SECONDS = 0.5
"""Seconds between two checks for idle users."""
MOST_SECONDS = 30.0
"""Longest wait of a request to be counted, in seconds, behind others that wait for the same leases."""
_MAX_WANTED = 1000
"""Largest number of calls requested in one lease."""
_GROWTH = 8
"""Factor from the calls of a used-up lease to those of the next lease."""
HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Retry-After")
"""Names of the headers of a rate limit."""
UNCOUNTED = "catenary-uncounted"
"""Response metadata of a call that costs nothing, although the edge has counted it."""
_METADATA = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")
_DETAILS = ("limit", "remaining", "reset")

Ask = Callable[[Rpc, Any, Mapping[str, str]], Awaitable[Mapping[str, Any]]]
"""Calls an internal method of the core with the caller's credentials; returns the response's fields. Raises Problem."""

log = structlog.get_logger("catenary.edge")


@dataclass(frozen=True, slots=True)
class RateLimitState:
    """The state of a rate limit for one request."""

    limit: int
    """Calls allowed in the window."""
    remaining: int
    """Calls left in the window."""
    reset: int
    """Unix second when the next call becomes free."""

    def headers(self) -> dict[str, str]:
        """Return the four `X-RateLimit-*` headers."""
        wait = 0 if self.remaining else max(1, math.ceil(self.reset - time.time()))
        return dict(zip(HEADERS, map(str, (self.limit, self.remaining, self.reset, wait)), strict=True))


def headers(charge: Charge | None, reported: Mapping[str, Any]) -> dict[str, str]:
    """Return the four rate limit headers of a response; {} for a request without a limit.

    The response may have two limits: the user's of `charge` and one in `reported`, the core's response metadata or a
    refusal's details. The headers describe the one with fewer calls left.
    """
    standing = _reported_state(reported)
    if charge is not None and (standing is None or charge.standing.remaining <= standing.remaining):
        standing = charge.standing
    return {} if standing is None else standing.headers()


def headers_of_refusal(problem: Problem) -> dict[str, str]:
    """Return the rate limit headers of a 429: of the limit that refused, with the wait of `Retry-After`.

    Return {} for other refusals. The wait is not computed again, so that it is also the one in the text.
    """
    standing = _reported_state(problem.facts) if problem.status == 429 else None
    wait = problem.headers.get("Retry-After")
    return {} if standing is None or wait is None else {**standing.headers(), HEADERS[3]: wait}


def _reported_state(reported: Mapping[str, Any]) -> RateLimitState | None:
    for names in (_METADATA, _DETAILS):
        if all(name in reported for name in names):
            return RateLimitState(*(int(reported[name]) for name in names))
    return None


@dataclass(slots=True)
class _Held:
    """A lease of calls for one user.

    `calls` is 0 when the user has none left.
    """

    lease_id: str
    calls: int
    """Leased calls in all."""
    left: int
    """Leased calls not yet used."""
    asked_at: float
    """Monotonic time of the request for the lease."""
    until: float
    """Monotonic end of the lease; afterwards only requests that arrived before `asked_at` may use it."""
    used_at: float
    """Monotonic time of the last use."""
    limit: int
    beyond: int
    """Calls left in the window beside the leased ones."""
    reset: int

    @property
    def standing(self) -> RateLimitState:
        return RateLimitState(self.limit, self.beyond + self.left, self.reset)


@dataclass(slots=True)
class _User:
    """A user with a lease, or with a pending request for one."""

    metadata: Mapping[str, str] = field(default_factory=dict)
    """Metadata of the user's latest request, for calls to the core."""
    held: _Held | None = None
    asking: asyncio.Task[None] | None = None
    """The pending call to the core, if any."""


@dataclass(frozen=True, slots=True)
class Charge:
    """A counted request with its lease and the state of the limit afterwards."""

    user_id: str
    lease_id: str
    standing: RateLimitState


class Leases:
    """The leased calls of all users of this edge."""

    def __init__(
        self,
        ask: Ask,
        take: Rpc,
        give_back: Rpc,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Build an empty set of leases.

        Args:
            ask: Calls the core.
            take: The method that leases calls.
            give_back: The method that returns calls.
            clock: A monotonic clock in seconds.
        """
        self._ask = ask
        self._take = take
        self._give_back = give_back
        self._clock = clock
        self._users: dict[str, _User] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self._refunds: set[asyncio.Task[None]] = set()

    async def charge(self, user_id: str, metadata: Mapping[str, str]) -> Charge:
        """Count a request of a user.

        Raises:
            Problem: 429 when no call is left; 503 when counting takes over 30 s; a refusal of the core.
        """
        came_at = self._clock()
        while True:
            user = self._users.get(user_id)  # looked up in every round: the sweeper forgets users without a lease
            if user is None:
                user = self._users[user_id] = _User()
                self._sweeper = self._sweeper or asyncio.create_task(self._sweep(), name="idle calls")
            user.metadata = metadata
            held = self._used(user, came_at)
            if held is not None:
                return Charge(user_id, held.lease_id, held.standing)
            if self._clock() >= came_at + MOST_SECONDS:
                problem = refusal("UNAVAILABLE", "Requests can't be counted in time now; try again.")
                problem.headers["Retry-After"] = "1"
                raise problem
            asking = user.asking or self._ask_for(user, self._lease(user))
            await asyncio.shield(asking)

    def refund(self, charge: Charge, metadata: Mapping[str, str]) -> Charge:
        """Take back the charge of a response such as 304; return the charge with the new state of the limit."""
        user = self._users.get(charge.user_id)
        held = user.held if user is not None else None
        if held is not None and held.lease_id == charge.lease_id:
            held.left += 1
        else:
            refund = asyncio.create_task(self._return(charge.lease_id, 1, metadata), name="refund")
            self._refunds.add(refund)
            refund.add_done_callback(self._refunds.discard)
        stood = charge.standing
        return Charge(charge.user_id, charge.lease_id, RateLimitState(stood.limit, stood.remaining + 1, stood.reset))

    async def close(self) -> None:
        """Return all unused calls to the core."""
        if self._sweeper is not None:
            self._sweeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sweeper
        asking = [user.asking for user in self._users.values() if user.asking is not None]
        await asyncio.gather(*asking, return_exceptions=True)
        await asyncio.gather(*(self._let_go(user) for user in self._users.values()), *self._refunds)

    def _used(self, user: _User, came_at: float) -> _Held | None:
        """Use one leased call and return its lease; None when there is no usable one.

        Raises:
            Problem: 429 while the user is known to have no calls left.
        """
        held, now = user.held, self._clock()
        if held is None or (now >= held.until and came_at > held.asked_at):
            return None
        if not held.calls:
            raise refused(held.standing)
        if not held.left:
            return None
        held.left -= 1
        held.used_at = now
        return held

    async def _lease(self, user: _User) -> None:
        """Lease calls from the core; the same call ends the previous lease."""
        before, user.held = user.held, None
        request = pb.TakeCallsRequest(wanted=1)
        if before is not None:
            used = before.calls - before.left
            request.wanted = max(1, min(used if before.left else _GROWTH * used, _MAX_WANTED))
            request.ended_lease_id, request.unused = before.lease_id, before.left
        asked_at = self._clock()
        got = await self._ask(self._take, request, user.metadata)
        now, calls = self._clock(), got["calls"]
        until = asked_at + got["seconds"] if calls else now + REFUSED_SECONDS
        user.held = _Held(
            got["lease_id"], calls, calls, asked_at, until, now, got["limit"], got["remaining"], got["reset"]
        )

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            for user_id, user in list(self._users.items()):
                held, now = user.held, self._clock()
                if user.asking is not None or (held is not None and now < held.used_at + IDLE_SECONDS):
                    continue
                if held is not None and held.left:
                    self._ask_for(user, self._let_go(user))  # the user's next request waits for this
                else:
                    del self._users[user_id]

    async def _let_go(self, user: _User) -> None:
        held, user.held = user.held, None
        if held is not None and held.left:
            await self._return(held.lease_id, held.left, user.metadata)

    async def _return(self, lease_id: str, calls: int, metadata: Mapping[str, str]) -> None:
        try:
            await self._ask(self._give_back, pb.GiveBackCallsRequest(lease_id=lease_id, unused=calls), metadata)
        except Problem as problem:  # the calls stay counted, as if they had been used
            log.warning("leased calls not returned", reason=problem.reason, calls=calls)

    def _ask_for(self, user: _User, asking: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a call to the core in a task of its own; the task outlives the requests waiting for its end."""

        async def noted() -> None:
            try:
                await asking
            finally:
                # The task resets this itself, not a callback: requests that awaited a finished task in a loop would
                # never let the event loop run the callback.
                user.asking = None

        def retrieve_exception(task: asyncio.Task[None]) -> None:
            if not task.cancelled():
                task.exception()  # asyncio would log the exception of a task that nobody awaited

        user.asking = asyncio.create_task(noted(), name="leasing calls")
        user.asking.add_done_callback(retrieve_exception)
        return user.asking


def refused(standing: RateLimitState) -> Problem:
    """Build the 429 of a user without calls left."""
    headers = standing.headers()
    seconds = headers["X-RateLimit-Retry-After"]
    problem = refusal(
        "RATE_LIMIT_EXCEEDED",
        limit_sentences.requests(standing.limit, int(seconds)),
        limit=standing.limit,
        remaining=standing.remaining,
        reset=standing.reset,
    )
    problem.headers["Retry-After"] = seconds
    return problem
