"""The effects of events come once, over several processes and faults."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
import structlog

from catenary_core.database.statements import Row
from catenary_core.database.transactions import Database, Transaction
from catenary_core.event_log import consumer
from factories.events.consumers import DEADLY, EFFECTS, WANTED, effect, follow, following, ordered, until, written
from factories.events.sequencers import node

pytestmark = pytest.mark.slow

_POSITION = "SELECT sequence FROM events.follower"


@pytest.fixture(autouse=True)
def _effects(dsn: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(EFFECTS)


def _rows(dsn: str, query: str) -> list[Any]:
    with psycopg.connect(dsn, autocommit=True) as connection:
        return connection.execute(query).fetchall()


async def _until_effects(dsn: str, count: int) -> Counter[int]:
    """Wait for `count` effects; return the number of each process.

    Each event must have had exactly one effect.
    """
    await until(lambda: len(_rows(dsn, "SELECT FROM public.effect")) >= count)
    await asyncio.sleep(0.5)  # for one too many
    rows = _rows(dsn, "SELECT subject, process FROM public.effect")
    wanted = _rows(dsn, "SELECT id::text FROM events.event WHERE type <> 'project.created'")
    assert sorted(subject for subject, _ in rows) == sorted(id_ for (id_,) in wanted)
    assert len(rows) == count
    return Counter(process for _, process in rows)


# Slow: it starts three processes; the next test kills a node too.
@pytest.mark.slow
async def test_each_event_takes_effect_once_though_nodes_come_and_are_killed(dsn: str, db: Database) -> None:
    with node(follow, dsn, False) as (first, holds):
        assert await asyncio.to_thread(holds.wait, 60)
        await written(db, 100)
        with node(follow, dsn, False) as (second, _):
            await written(db, 100)
            await _until_effects(dsn, 200)
            writing = asyncio.create_task(written(db, 200))
            first.kill()
            await writing
            assert second.pid in await _until_effects(dsn, 400)
            assert _rows(dsn, _POSITION) == [(400,)]


async def test_a_node_killed_between_effect_and_commit_leaves_the_event_to_the_next(dsn: str, db: Database) -> None:
    with node(follow, dsn, True) as (first, holds):
        assert await asyncio.to_thread(holds.wait, 60)
        await written(db, 3)
        await _until_effects(dsn, 3)
        await written(db, 1, DEADLY)
        await asyncio.to_thread(first.join, 60)
        assert first.exitcode is not None
        assert first.exitcode < 0
        assert len(_rows(dsn, "SELECT FROM public.effect")) == 3, "its effect went with it"
        with node(follow, dsn, False) as (second, _):
            await written(db, 3)
            assert (await _until_effects(dsn, 7))[second.pid] == 4


async def test_an_event_that_fails_comes_again_and_is_neither_lost_nor_passed_by(dsn: str, db: Database) -> None:
    seen: list[list[str]] = []

    async def fails_twice(tx: Transaction, rows: Sequence[Row]) -> None:
        await effect(tx, rows)
        seen.append([row["id"] for row in rows])
        if len(seen) <= 2:
            raise RuntimeError("ada.canary@example.com")

    with structlog.testing.capture_logs() as logs:
        async with following(dsn, db, fails_twice):
            await written(db, 1)
            await written(db, 1)
            await _until_effects(dsn, 2)
    assert seen[0][0] == seen[1][0] == seen[2][0]
    failed = [line for line in logs if line["event"] == "background work failed"]
    assert [(line["work"], line["error"]) for line in failed] == [
        ("following the event log for test", "RuntimeError")
    ] * 2
    assert "ada.canary" not in str(logs)


async def test_a_new_follower_begins_now_and_one_that_was_there_where_it_was(dsn: str, db: Database) -> None:
    async with following(dsn, db, wanted=sa.false()):
        await written(db, 3)
        await ordered(db)
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("TRUNCATE events.follower")
    handed: list[int] = []

    async def note(tx: Transaction, rows: Sequence[Row]) -> None:
        handed.extend(row["sequence"] for row in rows)

    async with following(dsn, db, note):
        await written(db, 2)
        await until(lambda: _rows(dsn, _POSITION) == [(5,)])
    await written(db, 2)
    async with following(dsn, db, note):
        await until(lambda: _rows(dsn, _POSITION) == [(7,)])
    assert handed == [4, 5, 6, 7]


async def test_what_left_the_log_is_told_and_the_rest_is_handed_over(dsn: str, db: Database) -> None:
    async with following(dsn, db):
        await written(db, 1)
        await _until_effects(dsn, 1)
    await written(db, 5)
    async with following(dsn, db, wanted=sa.false()):
        await ordered(db)
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("DELETE FROM events.event WHERE sequence BETWEEN 1 AND 4")
        connection.execute("TRUNCATE public.effect")
        connection.execute("UPDATE events.follower SET sequence = 1")
    with structlog.testing.capture_logs() as logs:
        async with following(dsn, db):
            await _until_effects(dsn, 2)
    told = [line for line in logs if line["event"] == "events expired before a consumer read them"]
    assert told == [{**told[0], "consumer": "test", "events": 3, "log_level": "warning"}]


async def test_events_that_nobody_wants_cost_no_transaction_and_the_position_moves_now_and_then(
    dsn: str, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with following(dsn, db) as running:
        await written(db, 1)
        await _until_effects(dsn, 1)  # stored just now
        await written(db, 5, "project.created")
        last = await ordered(db)
        await until(lambda: running._position == last)
        assert _rows(dsn, _POSITION) == [(1,)]
        monkeypatch.setattr(running, "_store_at", 0.0)
        await until(lambda: _rows(dsn, _POSITION) == [(last,)])
        assert len(_rows(dsn, "SELECT FROM public.effect")) == 1


async def test_a_position_that_another_hand_moved_is_read_anew(dsn: str, db: Database) -> None:
    with structlog.testing.capture_logs() as logs:
        async with following(dsn, db):
            await written(db, 3)
            await _until_effects(dsn, 3)
            with psycopg.connect(dsn, autocommit=True) as connection:
                connection.execute(
                    "DELETE FROM public.effect WHERE subject = (SELECT id::text FROM events.event WHERE sequence = 3)"
                )
                connection.execute("UPDATE events.follower SET sequence = 2")
            await written(db, 1)
            await _until_effects(dsn, 4)
    assert [line["error"] for line in logs if line["event"] == "background work failed"] == ["LookupError"]


async def test_a_long_log_is_read_by_its_index(dsn: str, db: Database) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO events.event (id, sequence, type, subject, data)"
            " SELECT gen_random_uuid(), i, 'project.updated', '/x', '{}' FROM generate_series(1, 20000) i"
        )
        connection.execute("ANALYZE events.event")
    read = consumer.reading(WANTED)
    async with db.read() as tx:
        (row,) = await tx.all(read.explain(), sequence=19_000)
        rows = await tx.all(read, sequence=19_000)
    assert "Seq Scan" not in str(row["QUERY PLAN"])
    assert (rows[0]["first"], rows[0]["last"], len(rows)) == (19_001, 19_500, 500)
