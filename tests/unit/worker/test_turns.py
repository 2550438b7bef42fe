"""WorkTurns at the place for work: by seconds of work, of users and of each user's projects."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from catenary_worker.turns import WorkTurns


class Bench:
    """A place for work on a clock that only work moves, and the order in which its users had it."""

    def __init__(self) -> None:
        self.now = 0.0
        self.order: list[str] = []
        self.turns = WorkTurns(lambda: self.now)

    async def work(self, user: str, seconds: float = 1.0, project: str = "") -> None:
        """Work once."""
        async with self.turns.turn(user, project):
            self.order.append(user + project)
            await asyncio.sleep(0)  # in which others begin to wait
            self.now += seconds

    async def work_on(self, user: str, times: int, seconds: float = 1.0, project: str = "") -> None:
        """Work again and again, as a session whose caller answers at once."""
        for _ in range(times):
            await self.work(user, seconds, project)

    @asynccontextmanager
    async def busy(self, user: str, project: str = "", seconds: float = 1.0) -> AsyncIterator[None]:
        """Keep the place busy while others queue up in the block."""
        async with self.turns.turn(user, project):
            yield
            await settled()
            self.now += seconds


async def settled() -> None:
    """Let every task go as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize("guarded", [True, False])
async def test_many_sessions_of_one_user_delay_another_user_by_one_design(
    monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(WorkTurns, "_place", lambda self, waiter: (0.0, 0.0))
    bench = Bench()
    async with asyncio.TaskGroup() as group, bench.busy("a"):
        for _ in range(20):
            group.create_task(bench.work_on("a", 5))
        await settled()
        group.create_task(bench.work("b"))
    assert bench.order.index("b") == (0 if guarded else 20)
    assert bench.order.count("a") == 100


async def test_two_users_share_the_seconds_however_long_their_designs_are() -> None:
    bench = Bench()
    async with asyncio.TaskGroup() as group, bench.busy("c"):
        for _ in range(3):
            group.create_task(bench.work_on("a", 40, 0.5))
        group.create_task(bench.work_on("b", 10, 2.0))
        group.create_task(bench.work_on("b", 10, 2.0))
    while_both = bench.order[: len(bench.order) - bench.order[::-1].index("b")]
    seconds = {"a": 0.5 * while_both.count("a"), "b": 2.0 * while_both.count("b")}
    assert seconds["b"] == 40.0
    assert abs(seconds["a"] - seconds["b"]) <= 2.5


async def test_seconds_used_before_others_came_are_not_held_against_a_user() -> None:
    bench = Bench()
    await bench.work_on("a", 100)
    async with asyncio.TaskGroup() as group, bench.turns.turn("a"):
        bench.now += 50.0
        group.create_task(bench.work_on("b", 20))
        group.create_task(bench.work_on("b", 20))
        group.create_task(bench.work("a"))
        await settled()
    assert bench.order[100:102] == ["b", "a"]


async def test_who_was_away_has_saved_nothing_up() -> None:
    bench = Bench()
    async with asyncio.TaskGroup() as group:
        async with bench.busy("a"):
            group.create_task(bench.work("b"))
            group.create_task(bench.work_on("a", 30))
            group.create_task(bench.work_on("a", 30))
        await settled()
        for _ in range(2):
            group.create_task(bench.work_on("b", 30))
    both = bench.order[-120:]
    longest = max(len(run) for run in "".join(both[:60]).replace("a", " ").split())
    assert longest <= 3


async def test_the_projects_of_a_user_take_turns_too() -> None:
    bench = Bench()
    async with asyncio.TaskGroup() as group, bench.busy("a", "1"):
        for _ in range(10):
            group.create_task(bench.work("a", project="1"))
        await settled()
        group.create_task(bench.work("a", project="2"))
        group.create_task(bench.work("b", project="3"))
    assert bench.order[:2] == ["b3", "a2"]


async def test_one_users_work_goes_in_the_order_in_which_it_came() -> None:
    bench = Bench()
    async with asyncio.TaskGroup() as group, bench.busy("a"):
        for number in range(5):
            group.create_task(_numbered(bench, number))
            await settled()
    assert bench.order == ["0", "1", "2", "3", "4"]


async def _numbered(bench: Bench, number: int) -> None:
    async with bench.turns.turn("a"):
        bench.order.append(str(number))


async def test_who_has_the_place_is_told_of_each_that_waits_for_it() -> None:
    bench = Bench()
    told: list[int] = []
    async with asyncio.TaskGroup() as group, bench.turns.turn("a"):
        group.create_task(bench.work("b"))
        await settled()
        assert told == []
        with bench.turns.wanted(lambda: told.append(len(bench.turns._waiting))):
            assert told == [1], "of one that waits already, at once"
            group.create_task(bench.work("c"))
            await settled()
        group.create_task(bench.work("d"))
        await settled()
    assert told == [1, 2]
    assert sorted(bench.order) == ["b", "c", "d"]


async def test_a_cancelled_waiter_holds_nobody_up() -> None:
    bench = Bench()
    async with asyncio.TaskGroup() as group, bench.busy("a"):
        gone = [asyncio.create_task(bench.work("b")) for _ in range(3)]
        await settled()
        group.create_task(bench.work("c"))
        await settled()
        for task in gone:
            task.cancel()
        # The place was passed on at the end of the block, before the cancelled ones noticed.
    assert bench.order == ["c"]
    assert all(task.cancelled() for task in gone)
    await bench.work("d")
    assert bench.order == ["c", "d"]


async def test_a_cancellation_at_the_moment_of_the_turn_gives_the_place_on() -> None:
    bench = Bench()
    waiting: asyncio.Task[None] | None = None
    async with asyncio.TaskGroup() as group:
        async with bench.turns.turn("a"):
            waiting = asyncio.create_task(bench.work("b"))
            await settled()
            group.create_task(bench.work("c"))
            await settled()
        waiting.cancel()  # it has the place, and has not run since
    assert bench.order == ["c"]
    assert waiting.cancelled() or waiting.cancelling()
