"""A core whose start or stop fails at any step leaves nothing running: no task, no connection, no HTTP session."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from catenary_core.background.periodic import Periodic
from catenary_core.bootstrap import running_core
from catenary_core.database.transactions import Database
from catenary_core.database.wakeups import Wakeups
from catenary_core.event_log.consumer import Consumer
from catenary_core.limits.gate import Limits
from catenary_core.limits.meter import Meter
from catenary_core.services.events.feed import Feed
from catenary_core.services.identity.tokens.enterprise_issuers import EnterpriseIssuers
from catenary_core.services.webhooks.deliveries.deliverer import Deliverer
from factories.installations.serving import core_settings

pytestmark = pytest.mark.sampled

WORK = (Wakeups, Periodic, Consumer, Feed, Deliverer, Limits, Meter, EnterpriseIssuers)
STARTS = [(Database, "open"), (Database, "transaction"), *((kind, "start") for kind in WORK if "start" in vars(kind))]
STOPS = [(Database, "close"), *((kind, "stop") for kind in WORK if "stop" in vars(kind))]


class _InjectedError(Exception):
    """The fault of the test."""


@contextmanager
def _failing(steps: list[tuple[type, str]], at: int) -> Iterator[Callable[[], int]]:
    """Let the `at`th of the steps that this task takes fail, once it is done; a transaction fails before it begins.

    Yields how many steps were taken.
    """
    task, taken = asyncio.current_task(), 0

    def wrapped(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **given: Any) -> Any:
            nonlocal taken
            mine = asyncio.current_task() is task
            taken += mine
            if not mine or taken != at:
                return real(*args, **given)
            if real.__name__ == "transaction":
                raise _InjectedError
            return after(real(*args, **given))

        return call

    async def after(step: Any) -> None:
        await step
        raise _InjectedError

    with pytest.MonkeyPatch.context() as patch:
        for kind, name in steps:
            patch.setattr(kind, name, wrapped(getattr(kind, name)))
        yield lambda: taken


async def _left(postgres: str, dsn: str, before: set[asyncio.Task[Any]]) -> list[object]:
    """List the remains of a core: tasks, connections that stay, HTTP sessions that are open."""
    tasks = [task.get_name() for task in asyncio.all_tasks() - before]
    for task in asyncio.all_tasks() - before:
        task.cancel()
    gc.collect()  # which closes a connection whose `connect` was cancelled
    sessions = [one for one in gc.get_objects() if isinstance(one, aiohttp.ClientSession) and not one.closed]
    for session in sessions:
        await session.close()
    name = conninfo_to_dict(dsn)["dbname"]
    rows: list[Any] = []
    async with await psycopg.AsyncConnection.connect(postgres, autocommit=True) as connection:
        for _ in range(40):  # a server process ends a moment after its connection
            found = await connection.execute(
                "SELECT left(query, 60) || state FROM pg_stat_activity WHERE datname = %s", [name]
            )
            rows = await found.fetchall()
            if not rows:
                break
            await asyncio.sleep(0.05)
        await connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
    return [*tasks, *sessions, *(f"connection {pid}" for (pid,) in rows)]


@pytest.mark.slow
@pytest.mark.gate
async def test_a_start_that_fails_at_any_step_stops_what_has_started(dsn: str, postgres: str, tmp_path: Path) -> None:
    before, at, left = asyncio.all_tasks(), 0, {}
    while True:
        at += 1
        with _failing(STARTS, at) as taken:
            try:
                async with running_core(core_settings(dsn, tmp_path)):
                    if taken() < at:
                        break
                    pytest.fail("a core runs whose start has failed")
            except _InjectedError:
                pass
        if found := await _left(postgres, dsn, before):
            left[at] = found
    assert at > 20, "each step has failed once"
    assert left == {}


@pytest.mark.slow
@pytest.mark.gate
async def test_a_stop_that_fails_at_any_step_stops_the_rest(dsn: str, postgres: str, tmp_path: Path) -> None:
    before, at, left, failed = asyncio.all_tasks(), 0, {}, True
    while failed:
        at, failed = at + 1, False
        with _failing(STOPS, at):
            try:
                async with running_core(core_settings(dsn, tmp_path)):
                    pass
            except _InjectedError:
                failed = True
        if found := await _left(postgres, dsn, before):
            left[at] = found
    assert at > 12, "each step has failed once"
    assert left == {}


async def test_a_start_that_is_cancelled_stops_what_has_started(
    dsn: str, postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, real = asyncio.Event(), Limits.start

    async def hanging(self: Limits) -> None:
        await real(self)
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(Limits, "start", hanging)

    async def start() -> None:
        async with running_core(core_settings(dsn, tmp_path)):
            pass

    before = asyncio.all_tasks()
    starting = asyncio.create_task(start())
    await reached.wait()
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    del starting  # its traceback holds what `_left` has collected
    assert await _left(postgres, dsn, before) == []
