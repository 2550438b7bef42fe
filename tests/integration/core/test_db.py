"""Statements and rows on a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext, suppress

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSON, UUID

from catenary_core.database import transactions as database
from catenary_core.database.statements import Statement, json_value
from catenary_core.database.transactions import Database, Session


async def test_rows_come_ready_for_an_answer(db: Database) -> None:
    statement = Statement(
        sa.select(
            sa.bindparam("id", type_=UUID(as_uuid=False)).label("id"),
            sa.cast(sa.bindparam("at", type_=sa.Text), sa.DateTime(timezone=True)).label("at"),
            sa.bindparam("value", type_=JSON).label("value"),
        )
    )
    async with db.read() as tx:
        row = await tx.one(
            statement,
            id="0199AAAA-0000-7000-8000-000000000000",
            at="2026-01-02 03:04:05.120+01",
            value=json_value({"b": 450.0, "a": [450, 2**63 - 1]}),
        )
    assert row["id"] == "0199aaaa-0000-7000-8000-000000000000"
    assert row["at"] == "2026-01-02T02:04:05.120000Z"
    assert row["value"] == {"b": 450.0, "a": [450, 2**63 - 1]}
    assert list(row["value"]) == ["b", "a"]
    assert isinstance(row["value"]["b"], float)


async def test_a_parameter_that_the_statement_lacks_is_refused(db: Database) -> None:
    statement = Statement(sa.select(sa.literal(1)))
    async with db.read() as tx:
        with pytest.raises(TypeError, match="no parameters"):
            await tx.one(statement, id=1)


async def test_an_exception_rolls_the_transaction_back(db: Database) -> None:
    count = Statement(sa.text("SELECT count(*) AS n FROM jobs.job"))
    insert = Statement(
        sa.text(
            "INSERT INTO jobs.job (id, kind, payload, request_id, user_id, project_id) "
            "VALUES (gen_random_uuid(), 'x', '{}', 'r', gen_random_uuid(), gen_random_uuid())"
        )
    )

    async def fail() -> None:
        async with db.transaction() as tx:
            await tx.execute(insert)
            assert (await tx.one(count))["n"] == 1
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        await fail()
    async with db.read() as tx:
        assert (await tx.one(count))["n"] == 0


_END_OTHERS = """
    SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
_ARE_THERE = "SELECT count(*) FROM pg_stat_activity WHERE pid = ANY(%s)"
_ONE = Statement(sa.text("SELECT 1 AS n"))


async def _fill(db: Database, count: int) -> None:
    """Make the pool open `count` connections."""
    barrier = asyncio.Barrier(count)

    async def use() -> None:
        async with db.read() as tx:
            await tx.one(_ONE)
            await barrier.wait()

    await asyncio.gather(*(use() for _ in range(count)))


async def _lose_connections(dsn: str) -> None:
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as other:
        ended = [pid for pid, _ in await (await other.execute(_END_OTHERS)).fetchall()]
        assert len(ended) == 5
        async with asyncio.timeout(60):
            while (await (await other.execute(_ARE_THERE, [ended])).fetchone()) != (0,):  # noqa: ASYNC110 (they are rows of PostgreSQL)
                await asyncio.sleep(0.02)


async def test_no_call_fails_by_a_connection_that_a_restart_of_the_server_closed(db: Database, dsn: str) -> None:
    await _fill(db, 5)
    await _lose_connections(dsn)
    for _ in range(8):
        async with db.transaction() as tx:
            assert (await tx.one(_ONE))["n"] == 1


async def test_without_the_check_calls_would_fail(db: Database, dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_is_ended", lambda _: False)
    await _fill(db, 5)
    await _lose_connections(dsn)
    with pytest.raises(psycopg.OperationalError):
        async with db.transaction() as tx:
            await tx.one(_ONE)


_INSERT = Statement(
    sa.text(
        "INSERT INTO jobs.job (id, kind, payload, request_id, user_id, project_id) "
        "VALUES (gen_random_uuid(), 'x', '{}', 'r', gen_random_uuid(), gen_random_uuid())"
    )
)
_COUNT = Statement(sa.text("SELECT count(*) AS n FROM jobs.job"))
_SLOW_COMMIT = """
    CREATE FUNCTION public.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON jobs.job DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION public.slow()
"""


async def _too_long(db: Database, where: str, committed: list[bool]) -> None:
    async with asyncio.timeout(0.3), db.transaction() as tx:
        tx.after_commit(lambda: committed.append(True))
        await tx.execute(_INSERT)
        if where == "in a statement":
            await tx.one(Statement(sa.text("SELECT 1 AS n FROM pg_sleep(60)")))
        elif where == "between statements":
            await asyncio.sleep(60)
        elif where == "in what was left for the end":
            await tx.execute_at_commit(Statement(sa.text("SELECT 1 AS n FROM pg_sleep(60)")))
        elif where == "in the commit with what was left":
            await tx.execute_at_commit(_INSERT)


@pytest.mark.slow
@pytest.mark.parametrize(
    "where",
    [
        "in a statement",
        "between statements",
        "in the commit",
        "in what was left for the end",
        "in the commit with what was left",
    ],
)
async def test_a_deadline_anywhere_in_a_transaction_leaves_no_row_and_a_whole_pool(
    db: Database, dsn: str, where: str
) -> None:
    if where.startswith("in the commit"):
        async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as other:
            await other.execute(_SLOW_COMMIT)
    committed: list[bool] = []
    for _ in range(6):  # more often than the pool has connections
        with pytest.raises(TimeoutError):
            await _too_long(db, where, committed)
    await _fill(db, 5)
    async with db.read() as tx:
        assert (await tx.one(_COUNT))["n"] == 0
    assert committed == []


_MADE = Statement(sa.text("SELECT count(*) AS count FROM made"))
_MAKE = Statement(
    sa.text("INSERT INTO made VALUES (:number) RETURNING number").bindparams(sa.bindparam("number", type_=sa.Integer))
)


@pytest.fixture
async def made(db: Database) -> Callable[[], Awaitable[int]]:
    """Make a table of unique numbers from 1; return a function that counts its rows."""
    async with db.transaction() as tx:
        await tx.execute(Statement(sa.text("CREATE TABLE made (number integer PRIMARY KEY CHECK (number > 0))")))

    async def count() -> int:
        async with db.read() as tx:
            return int((await tx.one(_MADE))["count"])

    return count


async def test_what_is_left_for_the_end_is_done_with_the_commit_and_not_before(
    db: Database, made: Callable[[], Awaitable[int]]
) -> None:
    committed = []
    async with db.transaction() as tx:
        tx.after_commit(lambda: committed.append(True))
        for number in (1, 2, 3):
            await tx.execute_at_commit(_MAKE, number=number)
        assert (await tx.one(_MADE))["count"] == 0
    assert committed
    assert await made() == 3


async def test_an_exception_drops_what_was_left_for_the_end(db: Database, made: Callable[[], Awaitable[int]]) -> None:
    async def fail() -> None:
        async with db.transaction() as tx:
            await tx.execute_at_commit(_MAKE, number=1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await made() == 0


async def test_a_failure_at_the_end_rolls_everything_back_and_leaves_the_connection_whole(
    db: Database, made: Callable[[], Awaitable[int]]
) -> None:
    committed: list[bool] = []

    async def fail(session: Session) -> None:
        async with session.transaction() as tx:
            tx.after_commit(lambda: committed.append(True))
            await tx.execute(_MAKE, number=1)
            await tx.execute_at_commit(_MAKE, number=2)
            await tx.execute_at_commit(_MAKE, number=0)
            await tx.execute_at_commit(_MAKE, number=3)

    async with db.session() as session:
        with pytest.raises(psycopg.errors.CheckViolation):
            await fail(session)
        assert not committed
        assert await made() == 0
        async with session.transaction() as tx:
            await tx.execute_at_commit(_MAKE, number=4)
        assert await made() == 1


async def _fail_before_the_commit_is_sent(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    execute = database.Transaction._execute_deferred

    async def with_a_pause(tx: database.Transaction) -> None:
        await execute(tx)
        await asyncio.sleep(0.1)

    with monkeypatch.context() as patched:
        patched.setattr(database.Transaction, "_execute_deferred", with_a_pause)
        async with db.transaction() as tx:
            await tx.execute_at_commit(_MAKE, number=0)


async def test_a_failure_before_the_commit_is_sent_is_told_as_itself(
    db: Database, made: Callable[[], Awaitable[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(psycopg.errors.CheckViolation):
        await _fail_before_the_commit_is_sent(db, monkeypatch)
    assert await made() == 0


async def test_without_its_cause_such_a_failure_is_an_aborted_pipeline(
    db: Database, made: Callable[[], Awaitable[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_causes", nullcontext)

    async def fail_often() -> None:
        for _ in range(50):  # psycopg may still read all answers at once
            with suppress(psycopg.errors.CheckViolation):
                await _fail_before_the_commit_is_sent(db, monkeypatch)

    with pytest.raises(psycopg.errors.PipelineAborted):
        await fail_often()


async def test_what_a_part_of_a_unit_leaves_for_its_end_is_there_for_the_next_part(
    db: Database, made: Callable[[], Awaitable[int]]
) -> None:
    async with db.as_one():
        async with db.transaction() as tx:
            await tx.execute_at_commit(_MAKE, number=1)
        async with db.transaction() as tx:
            assert (await tx.one(_MADE))["count"] == 1
        assert await asyncio.create_task(made()) == 0, "seen by another before the unit's own end"
    assert await made() == 1


async def test_the_first_part_of_a_unit_without_savepoints_ends_with_the_unit_in_order(
    db: Database, made: Callable[[], Awaitable[int]]
) -> None:
    async with db.as_one(savepoints=False) as unit:
        async with db.transaction() as first:
            await first.execute_at_commit(_MAKE, number=1)
        assert first is unit.open_transaction
        assert (await first.one(_MADE))["count"] == 0
        async with db.transaction() as tx:
            assert (await tx.one(_MADE))["count"] == 1, "what the first part left comes before the second"
            await tx.execute(_MAKE, number=2)
        assert await asyncio.create_task(made()) == 0
    assert await made() == 2


@pytest.mark.parametrize("part", [1, 2])
async def test_a_part_that_fails_leaves_nothing_and_the_unit_goes_on(
    db: Database, made: Callable[[], Awaitable[int]], part: int
) -> None:
    async def fail() -> None:
        async with db.transaction() as tx:
            await tx.execute_at_commit(_MAKE, number=8)
            await tx.execute(_MAKE, number=9)
            raise ZeroDivisionError

    async with db.as_one(savepoints=False):
        for number in (1, 2):
            if number == part:
                with pytest.raises(ZeroDivisionError):
                    await fail()
            async with db.transaction() as tx:
                await tx.execute(_MAKE, number=number)
    assert await made() == 2


@pytest.mark.parametrize("savepoints", [False, True])
async def test_nothing_follows_from_parts_inside_a_part_that_fails(db: Database, savepoints: bool) -> None:
    committed: list[int] = []

    async def inside(number: int) -> None:
        async with db.transaction() as tx:
            tx.after_commit(lambda: committed.append(number))

    async def fail() -> None:
        async with db.transaction():
            await inside(2)
            raise ZeroDivisionError

    async with db.as_one(savepoints=savepoints):
        if savepoints:
            await inside(1)
        with pytest.raises(ZeroDivisionError):
            await fail()
        await inside(3)
    assert committed == ([1, 3] if savepoints else [3])


async def test_within_one_joins_the_unit_that_there_is(db: Database, made: Callable[[], Awaitable[int]]) -> None:
    async with db.as_one() as unit, db.within_one() as joined:
        assert joined == (unit, False)
        async with db.transaction() as tx:
            await tx.execute(_MAKE, number=1)
        assert await asyncio.create_task(made()) == 0
    assert await made() == 1


async def test_a_snapshot_sees_nothing_that_is_committed_later_and_changes_nothing(
    db: Database, made: Callable[[], Awaitable[int]]
) -> None:
    async with db.snapshot() as tx:
        assert (await tx.one(_MADE))["count"] == 0
        async with db.session() as other, other.transaction() as writing:
            await writing.execute(_MAKE, number=1)
        assert (await tx.one(_MADE))["count"] == 0
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            await tx.execute(_MAKE, number=2)
    assert await made() == 1


async def test_a_read_has_no_end_to_leave_anything_for(db: Database) -> None:
    async with db.read() as tx:
        with pytest.raises(RuntimeError, match="needs a transaction"):
            await tx.execute_at_commit(_MADE)
        with pytest.raises(RuntimeError, match="needs a transaction"):
            await tx.notify("channel")
