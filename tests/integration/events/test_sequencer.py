"""The order of events over several processes and faults (guide/conventions.md, "Events")."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from catenary_core.bootstrap import CHANNELS
from catenary_core.database import wakeups as wakeups_module
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database, Transaction
from catenary_core.database.wakeups import Wakeups
from catenary_core.event_log import events, reader
from catenary_core.services.events import sequencer as sequencer_module
from catenary_core.services.events.sequencer import Sequencer
from factories.events.sequencers import frame_of, node, sequence
from factories.events.world import SECONDS, write

pytestmark = pytest.mark.slow

_LOG = Statement(sa.text("SELECT id, sequence, number FROM events.event ORDER BY sequence"))
_AGED = Statement(sa.text("UPDATE events.event SET occurred_at = occurred_at - interval '31 days' WHERE sequence <= 3"))
# Ends the listening connections, and waits up to a minute for their ends.
_END_LISTENERS = """SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
                     WHERE query LIKE 'LISTEN%' AND datname = current_database()"""
_HOLDER = """SELECT a.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
              WHERE l.locktype = 'advisory' AND l.granted AND a.datname = current_database()"""


async def _log(db: Database) -> list[dict[str, Any]]:
    async with db.read() as tx:
        return await tx.all(_LOG)


async def _until_all_ordered(db: Database, count: int) -> None:
    """Wait until `count` events have their order."""
    async with asyncio.timeout(SECONDS):
        while True:
            rows = await _log(db)
            if len(rows) == count and all(row["sequence"] is not None for row in rows):
                assert [row["sequence"] for row in rows] == list(
                    range(rows[0]["sequence"], rows[0]["sequence"] + count)
                )
                return
            await asyncio.sleep(0.01)


@pytest.fixture
async def sequencer(dsn: str, db: Database) -> Any:
    wakeups = Wakeups(dsn, CHANNELS)
    await wakeups.start()
    running = Sequencer(frame_of(dsn, db, wakeups))
    await running.start()
    async with asyncio.timeout(SECONDS):
        # Its first round looks for events that are too old, and would meet those that a test has aged.
        while not (running.holds and running._forget_at):  # noqa: ASYNC110 (it tells nobody)
            await asyncio.sleep(0.01)
    yield running
    await running.stop()
    await wakeups.stop()


async def _written_first_and_committed_last(db: Database) -> dict[str, Any]:
    """Write an event, then another that is committed before it, as beside a call that goes on.

    Returns the other, once it is ordered.
    """

    async def other() -> dict[str, Any]:
        await write(db)
        await _until_all_ordered(db, 1)
        (row,) = await _log(db)
        return row

    async with db.as_one():
        async with db.transaction() as early:
            await events.write(early, None, "project.updated", subject="/early", data={})
        return await asyncio.create_task(other())


async def test_a_transaction_that_commits_late_comes_late_and_is_not_missed(db: Database, sequencer: Any) -> None:
    other = await _written_first_and_committed_last(db)
    assert (other["sequence"], other["number"]) == (1, 2)
    await _until_all_ordered(db, 2)
    assert [(row["sequence"], row["number"]) for row in await _log(db)] == [(1, 2), (2, 1)]


async def test_who_reads_by_the_numbers_of_writing_misses_what_commits_late(db: Database, sequencer: Any) -> None:
    """The guard of the test above."""
    last = await _written_first_and_committed_last(db)
    await _until_all_ordered(db, 2)
    log = await _log(db)
    assert [row["id"] for row in log if row["number"] > last["number"]] == []
    assert [row["number"] for row in log if row["sequence"] > last["sequence"]] == [1]


async def test_what_follows_from_an_event_comes_after_it_though_ids_say_otherwise(
    db: Database, sequencer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two nodes whose clocks differ: the second event has the smaller id.
    ids = iter(("01890000-0000-7000-8000-000000000002", "01890000-0000-7000-8000-000000000001"))
    monkeypatch.setattr(events.uuid_utils, "uuid7", lambda: next(ids))
    async with db.transaction() as tx:
        await events.write(tx, None, "project.updated", subject="/first", data={})
        await events.write(tx, None, "project.updated", subject="/second", data={})
    await _until_all_ordered(db, 2)
    assert [row["id"][-1] for row in await _log(db)] == ["2", "1"]


async def test_order_goes_on_when_the_listening_connection_is_lost(
    dsn: str, db: Database, sequencer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asyncio.timeout(SECONDS):
        with psycopg.connect(dsn, autocommit=True) as connection:
            while connection.execute(_END_LISTENERS).rowcount == 0:  # noqa: ASYNC110 (it may not listen yet)
                await asyncio.sleep(0.05)
    await write(db)
    await _until_all_ordered(db, 1)
    # What another process writes uses a ticket up by its notification alone: it listens again.
    monkeypatch.setattr(events, "NOTIFY_SECONDS", 0.0)
    ticket, written = sequencer._wakeups.ticket(events.CHANNEL), 1
    other = Database(dsn, max_connections=2)
    await other.open()
    async with asyncio.timeout(SECONDS):
        while not ticket.is_set():
            await write(other)
            written += 1
            await asyncio.sleep(0.1)
    await other.close()
    await _until_all_ordered(db, written)


async def test_order_goes_on_when_the_sequencers_connection_is_lost(dsn: str, db: Database, sequencer: Any) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        (pid,) = connection.execute(_HOLDER).fetchone() or (None,)
        connection.execute("SELECT pg_terminate_backend(%s)", [pid])
    await write(db)
    await _until_all_ordered(db, 1)


async def test_events_of_over_thirty_days_go_but_for_the_newest(db: Database, sequencer: Any) -> None:
    for _ in range(5):
        await write(db)
    await _until_all_ordered(db, 5)
    async with db.transaction() as tx:
        await tx.execute(_AGED)
    async with db.transaction() as tx:
        assert await reader.forget(tx) == 3
        assert await reader.forget(tx) == 0
    assert [row["sequence"] for row in await _log(db)] == [4, 5]
    async with db.transaction() as tx:
        await tx.execute(Statement(sa.text("UPDATE events.event SET occurred_at = occurred_at - interval '31 days'")))
        assert await reader.forget(tx) == 1
    await write(db)
    await _until_all_ordered(db, 2)
    assert [row["sequence"] for row in await _log(db)] == [5, 6]


async def _notifications(dsn: str, db: Database, writes: int) -> int:
    """Count the notifications of `writes` events, each of its own transaction."""
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
        for channel in (events.CHANNEL, "written"):
            await connection.execute(f"LISTEN {channel}".encode())
        for _ in range(writes):
            await write(db)
        await connection.execute("NOTIFY written")  # it comes after those of the commits before it
        count = 0
        async for notification in connection.notifies():
            if notification.channel == "written":
                break
            count += 1
        return count


async def test_a_process_notifies_of_events_now_and_then(
    dsn: str, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "NOTIFY_SECONDS", 3600.0)
    assert await _notifications(dsn, db, 10) == 1
    monkeypatch.setattr(events, "NOTIFY_SECONDS", 0.0)
    assert await _notifications(dsn, db, 10) == 10


async def test_who_rolls_back_has_not_notified(dsn: str, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async def undone() -> None:
        async with db.transaction() as tx:
            await events.write(tx, None, "project.updated", subject="/undone", data={})
            raise ZeroDivisionError

    monkeypatch.setattr(events, "NOTIFY_SECONDS", 3600.0)
    with pytest.raises(ZeroDivisionError):
        await undone()
    assert await _notifications(dsn, db, 2) == 1


@pytest.mark.parametrize(("gather", "ordered"), [(0.02, True), (3600.0, False)])
async def test_a_busy_log_is_ordered_without_notifications(
    dsn: str, db: Database, monkeypatch: pytest.MonkeyPatch, gather: float, ordered: bool
) -> None:
    """This guards the claim too: a sequencer that didn't look by itself would leave events for later."""
    monkeypatch.setattr(events, "NOTIFY_SECONDS", 3600.0)
    monkeypatch.setattr(sequencer_module, "GATHER_SECONDS", gather)
    for module in (sequencer_module, wakeups_module):
        monkeypatch.setattr(module, "POLL_SECONDS", 3600.0)
    await write(db)
    wakeups, another = Wakeups(dsn, CHANNELS), Database(dsn, max_connections=2)
    running = Sequencer(frame_of(dsn, another, wakeups))
    await running.start()
    try:
        await _until_all_ordered(db, 1)
        await write(db)
        if ordered:
            await _until_all_ordered(db, 2)
        else:
            await asyncio.sleep(1.0)
            assert [row["sequence"] for row in await _log(db)] == [1, None]
    finally:
        await running.stop()


async def test_a_sequencer_is_told_of_its_own_processs_events_and_looks_no_more_than_it_must(
    db: Database, sequencer: Sequencer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "NOTIFY_SECONDS", 3600.0)
    for module in (sequencer_module, wakeups_module):
        monkeypatch.setattr(module, "POLL_SECONDS", 3600.0)
    looks = 0
    order = Sequencer._order

    async def counted(running: Sequencer, tx: Transaction) -> None:
        nonlocal looks
        looks += 1
        await order(running, tx)

    monkeypatch.setattr(Sequencer, "_order", counted)
    monkeypatch.setattr(Transaction, "notified_within", lambda *_: True)
    for number in (1, 2):
        await write(db)  # of which nothing is notified
        await _until_all_ordered(db, number)
    # A look by the old interval may have been ahead of the word of a commit, and taken the log for another's.
    sequencer._busy_until = looks = 0
    await asyncio.sleep(0.5)  # in which it would look 25 times if it took the log for busy
    assert looks < 10


@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGSTOP, marks=pytest.mark.slow)])
async def test_another_node_takes_over_when_the_sequencers_is_gone(dsn: str, db: Database, number: int) -> None:
    with node(sequence, dsn) as (first, first_ready):
        assert await asyncio.to_thread(first_ready.wait, SECONDS)
        with node(sequence, dsn) as (_, second_ready):
            await asyncio.sleep(2)
            assert not second_ready.is_set(), "one at a time"
            await write(db)
            await _until_all_ordered(db, 1)
            os.kill(first.pid, number)
            await write(db)
            # A frozen process is not gone until its connection has been silent for 10 s.
            await _until_all_ordered(db, 2)
            assert await asyncio.to_thread(second_ready.wait, SECONDS)
