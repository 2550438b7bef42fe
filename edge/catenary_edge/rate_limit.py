"""The hourly limit of a user's requests at the edge, and the `X-RateLimit-*` headers.

See guide/conventions.md, "Headers and limits".

The core leases a user's calls to this edge, a few at a time: one at first, ever more while the user goes on. Leased calls
count in every edge's window from the moment they are leased, so several edges together never let more through than the limit;
those of a user who pauses for a second go back. An edge that is killed has its leased calls counted as if they had been used.
A request counts at the moment when its call is leased, if it waited for that, however late the lease then comes.
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

TAKE = "/catenary.limits.v1.LimitService/TakeCalls"
GIVE_BACK = "/catenary.limits.v1.LimitService/GiveBackCalls"
IDLE_SECONDS = 1.0
"""A user who sends nothing for so long has the rest of a lease given back."""
REFUSED_SECONDS = 1.0
"""For so long a refusal is repeated without asking the core."""
_SWEEP_SECONDS = 0.5
MOST_SECONDS = 30.0
"""How long a request waits to be counted, behind others that wait for the same leases."""
_MAX_WANTED = 1000
_GROWTH = 8
"""A lease that was used up is followed by one so many times as large."""
_METADATA = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")
_DETAILS = ("limit", "remaining", "reset")

Ask = Callable[[Rpc, Any, Mapping[str, str]], Awaitable[Mapping[str, Any]]]
"""Calls an internal method of the core with the caller's credentials: the fields of its answer. Raises Problem."""

log = structlog.get_logger("catenary.edge")


@dataclass(frozen=True, slots=True)
class RateLimitState:
    """A limit as it stands for a request: its calls, those left, and the Unix second when the next becomes free."""

    limit: int
    remaining: int
    reset: int

    def headers(self) -> dict[str, str]:
        """The four headers."""
        wait = 0 if self.remaining else max(1, math.ceil(self.reset - time.time()))
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": str(self.reset),
            "X-RateLimit-Retry-After": str(wait),
        }


def headers(charge: Charge | None, told: Mapping[str, Any]) -> dict[str, str]:
    """The four headers of an answer: of the limit with the fewest calls left, the user's or the one that the core told.

    `told` is response metadata or a refusal's details. None for a request that wasn't counted.
    """
    standing = _told(told)
    if charge is not None and (standing is None or charge.standing.remaining <= standing.remaining):
        standing = charge.standing
    return {} if standing is None else standing.headers()


def _told(told: Mapping[str, Any]) -> RateLimitState | None:
    for names in (_METADATA, _DETAILS):
        if all(name in told for name in names):
            return RateLimitState(*(int(told[name]) for name in names))
    return None


@dataclass(slots=True)
class _Held:
    """What the edge has of a user's calls: `left` of `calls`, usable until `until` (monotonic), and after that by requests that
    came before it was asked for, at `asked_at`. No calls: the user has none."""

    lease_id: str
    calls: int
    left: int
    asked_at: float
    until: float
    used_at: float
    limit: int
    beyond: int
    """Calls that are left beside these."""
    reset: int

    @property
    def standing(self) -> RateLimitState:
        return RateLimitState(self.limit, self.beyond + self.left, self.reset)


@dataclass(slots=True)
class _User:
    """A user whose calls are held, or asked for."""

    metadata: Mapping[str, str] = field(default_factory=dict)
    """Of the latest request: with what the core is asked."""
    held: _Held | None = None
    asking: asyncio.Task[None] | None = None


@dataclass(frozen=True, slots=True)
class Charge:
    """A counted request: how the limit stood after it, and what it takes to give it back."""

    user_id: str
    lease_id: str
    standing: RateLimitState


class Leases:
    """The calls that this edge may let through. `close` gives back what is left."""

    def __init__(
        self,
        ask: Ask,
        take: Rpc,
        give_back: Rpc,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock` is a monotonic one."""
        self._ask = ask
        self._take = take
        self._give_back = give_back
        self._clock = clock
        self._users: dict[str, _User] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self._refunds: set[asyncio.Task[None]] = set()

    async def charge(self, user_id: str, metadata: Mapping[str, str]) -> Charge:
        """Counts a request of a user. Raises 429 when none is left, what the core refuses, and 503 when it is too slow."""
        came_at = self._clock()
        while True:
            user = self._users.get(user_id)  # each time anew: the sweeper forgets users for whom nothing is held
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
        """Takes a charge back, as for an answer 304, which doesn't count: the charge with the standing that is now."""
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
        """Gives back what is held."""
        if self._sweeper is not None:
            self._sweeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sweeper
        asking = [user.asking for user in self._users.values() if user.asking is not None]
        await asyncio.gather(*asking, return_exceptions=True)
        await asyncio.gather(*(self._let_go(user) for user in self._users.values()), *self._refunds)

    def _used(self, user: _User, came_at: float) -> _Held | None:
        """What is held after one call of it was used; None when there is none to use. Raises 429 while that is known."""
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
        """Asks for calls, and ends the lease before in the same breath."""
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
                    self._ask_for(user, self._let_go(user))  # which the user's next request waits for
                else:
                    del self._users[user_id]

    async def _let_go(self, user: _User) -> None:
        held, user.held = user.held, None
        if held is not None and held.left:
            await self._return(held.lease_id, held.left, user.metadata)

    async def _return(self, lease_id: str, calls: int, metadata: Mapping[str, str]) -> None:
        try:
            await self._ask(self._give_back, pb.GiveBackCallsRequest(lease_id=lease_id, unused=calls), metadata)
        except Problem as problem:  # they stay counted, as if they had been used
            log.warning("leased calls not given back", reason=problem.reason, calls=calls)

    def _ask_for(self, user: _User, asking: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Asks the core for a user; whoever waits for it may go away."""

        async def noted() -> None:
            try:
                await asking
            finally:
                # By the task itself: who would find it done and wait for it would never let the loop call anything.
                user.asking = None

        def seen(task: asyncio.Task[None]) -> None:
            if not task.cancelled():
                task.exception()  # even when nobody waits for it

        user.asking = asyncio.create_task(noted(), name="leasing calls")
        user.asking.add_done_callback(seen)
        return user.asking


def refused(standing: RateLimitState) -> Problem:
    """The 429 of a user whose calls are used up."""
    headers = standing.headers()
    seconds = headers["X-RateLimit-Retry-After"]
    problem = refusal(
        "RATE_LIMIT_EXCEEDED",
        f"You have had your {standing.limit} requests of the hour; try again in {seconds} s.",
        limit=standing.limit,
        remaining=standing.remaining,
        reset=standing.reset,
    )
    problem.headers["Retry-After"] = seconds
    return problem
