"""Connections to PostgreSQL that are lost while streams are open: nothing is missed, and nobody has to connect again."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from catenary_core.database import wakeups
from catenary_core.database.transactions import Database
from catenary_core.services.events import feed, sequencer
from factories.events.world import SECONDS, World, write

_END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
_END_LISTENERS = f"{_END} AND query LIKE 'LISTEN%'"


def _end(started_dsn: str, statement: str) -> int:
    with psycopg.connect(started_dsn, autocommit=True) as connection:
        return connection.execute(statement.encode()).rowcount


async def _write_elsewhere(started_dsn: str) -> None:
    """Write an event as another node does, without a word to this process's core."""
    other = Database(started_dsn, max_connections=2)
    await other.open()
    await write(other, "system.maintenance")
    await other.close()


@pytest.mark.slow
async def test_a_stream_goes_on_when_the_listening_connection_is_lost(here: World, started_dsn: str) -> None:
    owner = await here.caller("o")
    socket = await here.socket(owner)
    async with asyncio.timeout(SECONDS):
        while _end(started_dsn, _END_LISTENERS) == 0:  # noqa: ASYNC110 (it may not listen yet)
            await asyncio.sleep(0.05)
    for _ in range(3):
        await _write_elsewhere(started_dsn)
        assert (await socket.event())["type"] == "system.maintenance"


async def test_a_stream_goes_on_without_a_gap_when_every_connection_is_lost(here: World, started_dsn: str) -> None:
    owner = await here.caller("o")
    sockets = [await here.socket(owner) for _ in range(3)]
    written = []
    for number in range(20):
        if number % 5 == 2:
            assert _end(started_dsn, _END) >= 1
        async with asyncio.timeout(SECONDS):
            while True:
                try:
                    await write(here.core.frame.db, "system.maintenance", data={"n": number})
                except psycopg.OperationalError:
                    continue
                break
        written.append(number)
    for socket in sockets:
        assert [event["data"]["n"] for event in await socket.events(len(written))] == written
        await socket.silence()


@pytest.mark.slow
async def test_without_the_poll_a_lost_notification_would_hold_the_event_back(
    here: World, started_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = await here.caller("o")
    socket = await here.socket(owner)
    for module in (wakeups, feed, sequencer):
        monkeypatch.setattr(module, "POLL_SECONDS", 3600.0)
    await asyncio.sleep(2)  # what waits now waits by the old interval
    # As when the listening connection is lost, but for good: else it would be back before the notification on a slow machine.
    await here.core.frame.wakeups.stop()
    await _write_elsewhere(started_dsn)
    await socket.silence(3)
