"""The edge's leases of users' calls, over a core that counts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from catenary_edge import rate_limit as subject
from catenary_edge.errors.problem import Problem, refusal
from catenary_edge.rate_limit import Leases, RateLimitState, headers
from catenary_wire import limit_sentences

TAKE, GIVE_BACK = "take", "give back"


class Core:
    """Leases of a limit, by hand: `granted` calls each time, at most what is left."""

    def __init__(self, limit: int = 1000) -> None:
        self.limit = limit
        self.used = 0
        self.asked: list[Any] = []
        self.returned: list[int] = []
        self.problem: Problem | None = None
        self.gate: asyncio.Event | None = None

    async def ask(self, rpc: Any, request: Any, metadata: Mapping[str, str]) -> Mapping[str, Any]:
        if self.gate is not None:
            await self.gate.wait()
        await asyncio.sleep(0)
        if self.problem is not None:
            raise self.problem
        if rpc == GIVE_BACK:
            self.returned.append(request.unused)
            self.used -= request.unused
            return {}
        self.asked.append((request.wanted, request.ended_lease_id, request.unused))
        self.used -= request.unused
        calls = min(request.wanted, self.limit - self.used)
        self.used += calls
        standing = {"limit": self.limit, "remaining": self.limit - self.used, "reset": 2_000_000_000}
        return {"lease_id": f"lease-{len(self.asked)}", "calls": calls, "seconds": 2.0, **standing}


class World:
    def __init__(self, core: Core) -> None:
        self.core = core
        self.now = 100.0
        self.leases = Leases(core.ask, TAKE, GIVE_BACK, lambda: self.now)  # type: ignore[arg-type]

    async def charge(self, user: str = "u") -> RateLimitState:
        return (await self.leases.charge(user, {"authorization": user})).standing


@pytest.fixture
async def world(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    monkeypatch.setattr(subject, "_SWEEP_SECONDS", 0.001)
    one = World(Core())
    yield one
    one.core.problem = None
    await one.leases.close()


async def test_every_request_counts_and_the_core_is_asked_ever_less(world: World) -> None:
    remaining = [(await world.charge()).remaining for _ in range(100)]
    assert remaining == list(range(999, 899, -1))
    assert [wanted for wanted, _, _ in world.core.asked] == [1, 8, 64, 512]


async def test_the_limit_holds_to_the_call(world: World) -> None:
    world.core.limit = 50
    assert [(await world.charge()).remaining for _ in range(50)] == list(range(49, -1, -1))
    for _ in range(10):
        with pytest.raises(Problem, match="50 requests of the hour; try again in") as caught:
            await world.charge()
        assert (caught.value.status, caught.value.reason) == (429, "RATE_LIMIT_EXCEEDED")
        assert caught.value.details == {"limit": 50, "remaining": 0, "reset": 2_000_000_000}
        seconds = int(caught.value.headers["Retry-After"])
        assert seconds > 0
        assert caught.value.message == limit_sentences.requests(50, seconds), "header and text agree"
    assert len(world.core.asked) <= 8, "a refusal is repeated without asking"


async def test_a_refused_user_is_let_in_a_second_after_calls_are_free(world: World) -> None:
    world.core.used = world.core.limit
    with pytest.raises(Problem):
        await world.charge()
    world.core.used = 0
    with pytest.raises(Problem):
        await world.charge()
    world.now += 1.0
    assert (await world.charge()).remaining == 999


async def test_users_are_counted_apart(world: World) -> None:
    world.core.limit = 10**6
    for user in "ab":
        for _ in range(5):
            await world.charge(user)
    assert world.core.used >= 10
    assert len(world.leases._users) == 2


async def test_many_requests_at_once_are_counted_once_each(world: World) -> None:
    standings = await asyncio.gather(*(world.charge() for _ in range(200)))
    assert sorted(standing.remaining for standing in standings) == list(range(800, 1000))


async def test_what_an_idle_user_leaves_goes_back(world: World) -> None:
    for _ in range(2):
        await world.charge()
    assert world.core.used == 9
    world.now += 1.0
    await asyncio.sleep(0.05)
    assert (world.core.used, world.core.returned) == (2, [7])
    assert world.leases._users == {}
    assert (await world.charge()).remaining == 997


async def test_an_ended_lease_is_not_used_and_goes_back_with_the_next_request(world: World) -> None:
    for _ in range(2):
        await world.charge()
    world.now += 2.0  # the sweeper has no turn: the same moment of the loop
    assert (await world.charge()).remaining == 997
    assert world.core.asked[-1] == (1, "lease-2", 7)


async def test_a_request_waits_for_calls_that_are_going_back(world: World) -> None:
    for _ in range(2):
        await world.charge()
    world.core.gate = asyncio.Event()
    world.now += 1.0
    await asyncio.sleep(0.05)
    waiting = asyncio.create_task(world.charge())
    await asyncio.sleep(0.01)
    world.core.gate.set()
    assert (await waiting).remaining == 997


async def test_who_leaves_does_not_take_the_lease_from_the_others(world: World) -> None:
    world.core.gate = asyncio.Event()
    first, second = (asyncio.create_task(world.charge()) for _ in range(2))
    await asyncio.sleep(0.01)
    first.cancel()
    world.core.gate.set()
    await second
    assert len(world.core.asked) == 1
    assert world.core.used == 1


async def test_a_refund_gives_the_call_back(world: World) -> None:
    for _ in range(3):
        charge = await world.leases.charge("u", {})
    assert charge.standing.remaining == 997
    assert world.leases.refund(charge, {}).standing.remaining == 998
    assert (await world.charge()).remaining == 997
    world.now += 5.0
    await asyncio.sleep(0.05)
    assert world.core.used == 3
    world.leases.refund(charge, {})  # its lease is gone from here, but not from the core
    await asyncio.sleep(0.01)
    assert world.core.used == 2


async def test_without_the_core_nobody_passes(world: World) -> None:
    world.core.problem = refusal("UNAVAILABLE", "x")
    for _ in range(2):
        with pytest.raises(Problem, match="x"):
            await world.charge()
    world.core.problem = None
    assert (await world.charge()).remaining == 999


async def test_a_stop_gives_everything_back(world: World) -> None:
    for user in "abc":
        for _ in range(2):
            await world.charge(user)
    await world.leases.close()
    assert world.core.used == 6


async def test_a_late_lease_serves_who_waited_for_it_and_nobody_who_came_later(world: World) -> None:
    assert (await world.charge()).remaining == 999
    asked = world.core.ask

    async def slow(rpc: Any, request: Any, metadata: Mapping[str, str]) -> Mapping[str, Any]:
        answer = await asked(rpc, request, metadata)
        world.now += 3.0  # longer than a lease lasts
        return answer

    world.leases._ask = slow
    assert [one.remaining for one in await asyncio.gather(world.charge(), world.charge())] == [998, 997]
    assert world.core.asked == [(1, "", 0), (8, "lease-1", 0)]
    world.leases._ask = asked
    assert (await world.charge()).remaining == 996
    assert world.core.asked[2:] == [(2, "lease-2", 6)]


async def test_a_request_that_comes_as_calls_have_gone_back_asks_for_new_ones(world: World) -> None:
    """The request begins after the end of the task that gave them back.

    The loop has not noted that end yet.
    """
    ask = world.core.ask
    come: asyncio.Queue[asyncio.Task[RateLimitState]] = asyncio.Queue()

    def later() -> float:
        world.now += 1.0  # without the guard the loop would only be left by the end of the wait
        return world.now

    async def and_then_a_request(rpc: Any, request: Any, metadata: Mapping[str, str]) -> Mapping[str, Any]:
        got = await ask(rpc, request, metadata)
        if rpc == GIVE_BACK:
            world.leases._ask, world.leases._clock = ask, later
            come.put_nowait(asyncio.create_task(world.charge()))
        return got

    for _ in range(2):
        await world.charge()
    world.leases._ask = and_then_a_request
    world.now += subject.IDLE_SECONDS
    assert (await (await come.get())).remaining == 997
    assert world.core.returned[0] == 7  # what the request took may be idle again by now


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ({}, ("1000", "10", "5")),
        ({"x-ratelimit-limit": "100", "x-ratelimit-remaining": "3", "x-ratelimit-reset": "7"}, ("100", "3", "7")),
        ({"x-ratelimit-limit": "100", "x-ratelimit-remaining": "30", "x-ratelimit-reset": "7"}, ("1000", "10", "5")),
        ({"limit": 100, "remaining": 0, "reset": 9}, ("100", "0", "9")),
        ({"parameter": "span", "limit": 3}, ("1000", "10", "5")),
    ],
)
def test_the_headers_are_those_of_the_limit_with_the_fewest_calls_left(
    told: dict[str, Any], shown: tuple[str, str, str]
) -> None:
    found = headers(subject.Charge("u", "l", RateLimitState(1000, 10, 5)), told)
    assert tuple(found[f"X-RateLimit-{name}"] for name in ("Limit", "Remaining", "Reset")) == shown
    assert (found["X-RateLimit-Retry-After"] == "0") == (shown[1] != "0")
    assert headers(None, {}) == {}


async def test_nobody_waits_for_ever_behind_others_for_the_leases_of_a_slow_core(world: World) -> None:
    ask = world.core.ask

    async def slow(rpc: Any, request: Any, metadata: Mapping[str, str]) -> Mapping[str, Any]:
        request.wanted = 1
        got = await ask(rpc, request, metadata)
        world.now += 0.7 * subject.MOST_SECONDS
        return got

    world.leases._ask = slow
    first, second, third = await asyncio.gather(*(world.charge() for _ in range(3)), return_exceptions=True)
    assert [one.remaining for one in (first, second) if isinstance(one, RateLimitState)] == [999, 998]
    assert isinstance(third, Problem)
    assert (third.status, third.headers["Retry-After"]) == (503, "1")
    assert len(world.core.asked) == 2
    world.leases._ask = ask
    assert (await world.charge()).limit == 1000
