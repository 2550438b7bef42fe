"""Leases under contention, loss and cancellation."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa
import uuid_utils

from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Database
from catenary_core.jobs import queue
from catenary_core.jobs.submitter import Submitter

_EXPIRE = Statement(sa.text("UPDATE jobs.job SET lease_until = clock_timestamp() - interval '1 s'"))


_USER, _OTHER_USER = str(uuid_utils.uuid7()), str(uuid_utils.uuid7())
_PROJECT, _OTHER_PROJECT = str(uuid_utils.uuid7()), str(uuid_utils.uuid7())
_KINDS = ("check", "evaluate", "points")
_LEASED_FOR = Statement(
    sa.text("UPDATE jobs.job SET leased_at = clock_timestamp() - make_interval(secs => :seconds) WHERE id = :job_id")
)
_PLACES = Statement(sa.text("SELECT kind, holder, seconds FROM jobs.turn ORDER BY kind DESC, seconds"))


async def _add(
    db: Database, count: int, user_id: str = _USER, project_id: str = _PROJECT, kind: str = "evaluate"
) -> list[str]:
    ids = [str(uuid_utils.uuid7()) for _ in range(count)]
    for job_id in ids:
        async with db.transaction() as tx:
            await queue.enqueue(tx, Submitter(user_id, project_id, "request-1"), kind, job_id, {"value": 450.0})
    return ids


async def _seconds(db: Database) -> dict[str, float]:
    async with db.read() as tx:
        return {row["kind"]: row["seconds"] for row in await tx.all(_PLACES)}


async def _holders(db: Database) -> list[str]:
    async with db.read() as tx:
        return [row["holder"] for row in await tx.all(_PLACES)]


async def _lease(db: Database) -> Row:
    async with db.transaction() as tx:
        row = await queue.lease(tx, "w", 300, _KINDS)
    assert row is not None
    return row


async def _end(db: Database, leased: Row, *, after: float) -> None:
    """End a leased job as if it had run for some seconds."""
    async with db.transaction() as tx:
        await tx.execute(_LEASED_FOR, job_id=leased["id"], seconds=after)
        assert await queue.end(tx, leased["id"], leased["lease_token"])


async def test_parallel_workers_lease_each_job_once_and_in_order_of_waiting(db: Database) -> None:
    ids = await _add(db, 10)

    async def take() -> str | None:
        async with db.transaction() as tx:
            row = await queue.lease(tx, "w", 300, _KINDS)
        return None if row is None else str(row["id"])

    first = await take()
    assert first == ids[0]
    taken = await asyncio.gather(*(take() for _ in range(12)))
    assert sorted(job for job in taken if job) == sorted(ids[1:])


async def test_a_lost_lease_frees_the_job_and_its_old_token_counts_for_nothing(db: Database) -> None:
    (job_id,) = await _add(db, 1)
    async with db.transaction() as tx:
        old = await queue.lease(tx, "w1", 300, _KINDS)
        assert await queue.lease(tx, "w2", 300, _KINDS) is None
    async with db.transaction() as tx:
        await tx.execute(_EXPIRE)
        new = await queue.lease(tx, "w2", 300, _KINDS)
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
        row = await queue.lease(tx, "w1", 300, _KINDS)
        assert row is not None
        assert await queue.release(tx, job_id, row["lease_token"])
        again = await queue.lease(tx, "w2", 300, _KINDS)
    assert again is not None
    assert again["attempts"] == 1


async def test_a_dropped_job_can_be_neither_leased_nor_ended(db: Database) -> None:
    (job_id,) = await _add(db, 1)
    async with db.transaction() as tx:
        row = await queue.lease(tx, "w1", 300, _KINDS)
        assert row is not None
        assert await queue.drop(tx, job_id)
        assert not await queue.drop(tx, job_id)
        assert await queue.end(tx, job_id, row["lease_token"]) is None


@pytest.mark.parametrize("guarded", [True, False])
async def test_the_job_of_another_user_is_next_though_twelve_of_one_came_first(
    db: Database, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(queue, "_LEASE", queue._leasing())
    many = await _add(db, 12)
    running = [await _lease(db) for _ in range(2)]
    (other,) = await _add(db, 1, _OTHER_USER, _OTHER_PROJECT)
    await _end(db, running[0], after=60)
    following = [str((await _lease(db))["id"]) for _ in range(2)]
    assert following == ([other, many[2]] if guarded else many[2:4])


@pytest.mark.parametrize("guarded", [True, False])
async def test_evaluations_go_before_chunks_that_came_first(
    db: Database, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(queue, "_LEASE", queue._leasing())
    chunks = await _add(db, 3, kind="points")
    evaluations = await _add(db, 2, _OTHER_USER, _OTHER_PROJECT)
    leased = []
    for _ in range(2):
        row = await _lease(db)
        leased.append(str(row["id"]))
        await _end(db, row, after=0.5)
    assert leased == (evaluations if guarded else chunks[:2])


@pytest.mark.parametrize("guarded", [True, False])
async def test_chunks_that_wait_get_a_fifth_of_the_time(
    db: Database, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(queue, "_LEASE", queue._leasing(queue._class))  # evaluations always first
    await _add(db, 30, kind="points")
    await _add(db, 60, _OTHER_USER, _OTHER_PROJECT)
    kinds = []
    for _ in range(50):
        row = await _lease(db)
        kinds.append(row["kind"])
        await _end(db, row, after=1)
    share = kinds.count("points") / len(kinds)
    assert (0.16 <= share <= 0.24) if guarded else share == 0


async def test_chunks_that_had_the_workers_alone_neither_lose_nor_owe_turns(db: Database) -> None:
    await _add(db, 40, kind="points")
    for _ in range(10):
        await _end(db, await _lease(db), after=10)
    await _add(db, 20, _OTHER_USER, _OTHER_PROJECT)
    kinds = []
    for _ in range(20):
        row = await _lease(db)
        kinds.append(row["kind"])
        await _end(db, row, after=1)
    assert 3 <= kinds.count("points") <= 5


async def test_two_users_share_the_workers_from_the_first_lease(db: Database) -> None:
    await _add(db, 6)
    await _add(db, 6, _OTHER_USER, _OTHER_PROJECT)
    leased = [await _lease(db) for _ in range(6)]
    assert [one["user_id"] for one in leased] == [_USER, _OTHER_USER] * 3


async def test_users_share_by_the_seconds_of_their_jobs_not_by_their_number(db: Database) -> None:
    await _add(db, 20)
    await _add(db, 20, _OTHER_USER, _OTHER_PROJECT)
    ended = {_USER: 0, _OTHER_USER: 0}
    for _ in range(12):
        leased = await _lease(db)
        await _end(db, leased, after=50 if leased["user_id"] == _USER else 10)
        ended[leased["user_id"]] += 1
    assert ended == {_USER: 2, _OTHER_USER: 10}


async def test_the_projects_of_one_user_take_turns(db: Database) -> None:
    await _add(db, 4)
    await _add(db, 4, _USER, _OTHER_PROJECT)
    leased = [await _lease(db) for _ in range(4)]
    assert [one["project_id"] for one in leased] == [_PROJECT, _OTHER_PROJECT] * 2


async def test_seconds_used_while_nobody_else_waited_cost_no_turn_later(db: Database) -> None:
    await _add(db, 3)
    for _ in range(2):
        await _end(db, await _lease(db), after=1_000)
    await _end(db, await _lease(db), after=1_000)
    await _add(db, 4, _OTHER_USER, _OTHER_PROJECT)
    await _add(db, 4)
    leased = [await _lease(db) for _ in range(6)]
    assert [one["user_id"] for one in leased] == [_OTHER_USER, _USER] * 3


async def test_a_user_who_was_away_saves_up_no_turns(db: Database) -> None:
    await _add(db, 1, _OTHER_USER, _OTHER_PROJECT)
    await _end(db, await _lease(db), after=1)
    await _add(db, 8)
    for _ in range(4):
        await _end(db, await _lease(db), after=1_000)
    await _add(db, 8, _OTHER_USER, _OTHER_PROJECT)
    leased = [await _lease(db) for _ in range(6)]
    assert sum(one["user_id"] == _USER for one in leased) == 3


async def test_a_cancelled_job_is_charged_for_the_time_that_it_ran(db: Database) -> None:
    await _add(db, 3)
    await _add(db, 2, _OTHER_USER, _OTHER_PROJECT)
    leased = await _lease(db)
    async with db.transaction() as tx:
        await tx.execute(_LEASED_FOR, job_id=leased["id"], seconds=300.0)
        assert await queue.drop(tx, leased["id"])
    assert [(await _lease(db))["user_id"] for _ in range(2)] == [_OTHER_USER] * 2


async def test_places_of_users_without_jobs_are_removed_but_for_the_last(db: Database) -> None:
    for user, seconds in ((_USER, 5.0), (_OTHER_USER, 7.0)):
        await _add(db, 1, user)
        await _end(db, await _lease(db), after=seconds)
    (waiting,) = await _add(db, 1, str(uuid_utils.uuid7()), _OTHER_PROJECT)
    async with db.transaction() as tx:
        await queue.prune_turns(tx)
        places = await tx.all(_PLACES)
    assert [row["kind"] for row in places] == ["user", "user", "project", "project"]
    assert _USER not in [row["holder"] for row in places]
    assert (await _lease(db))["id"] == waiting


async def test_the_removal_of_places_waits_for_no_arriving_job(db: Database) -> None:
    for user, seconds in ((_USER, 5.0), (_OTHER_USER, 7.0)):
        await _add(db, 1, user)
        await _end(db, await _lease(db), after=seconds)
    async with db.transaction() as arriving:
        await arriving.all(Statement(sa.text("SELECT FROM jobs.turn WHERE holder = :user FOR UPDATE")), user=_USER)
        async with db.transaction() as tx:
            await tx.execute(Statement(sa.text("SET LOCAL lock_timeout = '5s'")))
            await queue.prune_turns(tx)
    assert len(await _holders(db)) == 3
    async with db.transaction() as tx:
        await queue.prune_turns(tx)
    assert await _holders(db) == [_OTHER_USER, _PROJECT]


async def test_ends_and_arrivals_at_once_neither_deadlock_nor_lose_a_second(db: Database) -> None:
    await _add(db, 16)
    leased = [await _lease(db) for _ in range(16)]
    before = await _seconds(db)
    await asyncio.gather(*(_end(db, one, after=10) for one in leased), *(_add(db, 1) for _ in range(8)))
    after = await _seconds(db)
    assert after.keys() == {"user", "project"}
    for kind in after:
        assert 160 <= after[kind] - before[kind] < 600
