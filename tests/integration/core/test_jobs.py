"""Leases under contention, loss and cancellation."""

from __future__ import annotations

import asyncio
import time

import sqlalchemy as sa
import uuid_utils

from catenary_core.call.call import Call
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database
from catenary_core.jobs import queue

_EXPIRE = Statement(sa.text("UPDATE jobs.job SET lease_until = clock_timestamp() - interval '1 s'"))


def _call() -> Call:
    return Call("/test", {}, "request-1", time.monotonic() + 30)


async def _add(db: Database, count: int) -> list[str]:
    ids = [str(uuid_utils.uuid7()) for _ in range(count)]
    for job_id in ids:
        async with db.transaction() as tx:
            await queue.enqueue(tx, _call(), "evaluate", job_id, {"value": 450.0})
    return ids


async def test_parallel_workers_lease_each_job_once_and_in_order_of_waiting(db: Database) -> None:
    ids = await _add(db, 10)

    async def take() -> str | None:
        async with db.transaction() as tx:
            row = await queue.lease(tx, "w", 300)
        return None if row is None else str(row["id"])

    first = await take()
    assert first == ids[0]
    taken = await asyncio.gather(*(take() for _ in range(12)))
    assert sorted(job for job in taken if job) == sorted(ids[1:])


async def test_a_lost_lease_frees_the_job_and_its_old_token_counts_for_nothing(db: Database) -> None:
    (job_id,) = await _add(db, 1)
    async with db.transaction() as tx:
        old = await queue.lease(tx, "w1", 300)
        assert await queue.lease(tx, "w2", 300) is None
    async with db.transaction() as tx:
        await tx.execute(_EXPIRE)
        new = await queue.lease(tx, "w2", 300)
    assert old is not None
    assert new is not None
    assert (new["id"], new["attempts"]) == (job_id, 2)
    async with db.transaction() as tx:
        assert not await queue.renew(tx, job_id, old["lease_token"], 300)
        assert not await queue.release(tx, job_id, old["lease_token"])
        assert await queue.end(tx, job_id, old["lease_token"]) is None
        ended = await queue.end(tx, job_id, new["lease_token"])
        assert ended is not None
        assert ended["payload"] == {"value": 450.0}
        assert await queue.end(tx, job_id, new["lease_token"]) is None


async def test_a_released_job_is_free_at_once_and_its_attempt_does_not_count(db: Database) -> None:
    (job_id,) = await _add(db, 1)
    async with db.transaction() as tx:
        row = await queue.lease(tx, "w1", 300)
        assert row is not None
        assert await queue.release(tx, job_id, row["lease_token"])
        again = await queue.lease(tx, "w2", 300)
    assert again is not None
    assert again["attempts"] == 1


async def test_a_dropped_job_can_be_neither_leased_nor_ended(db: Database) -> None:
    (job_id,) = await _add(db, 1)
    async with db.transaction() as tx:
        row = await queue.lease(tx, "w1", 300)
        assert row is not None
        assert await queue.drop(tx, job_id)
        assert not await queue.drop(tx, job_id)
        assert await queue.end(tx, job_id, row["lease_token"]) is None
