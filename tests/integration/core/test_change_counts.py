"""Triggers that count changes: added at the start of a core, whatever else works on the database."""

from __future__ import annotations

import asyncio

import psycopg

from catenary_core.bootstrap import UNWATCHED
from catenary_core.database import change_counts
from catenary_core.database.statements import metadata
from catenary_core.database.transactions import Database

WATCHED = {table.fullname for table in metadata.tables.values() if table.schema} - UNWATCHED.keys()
TABLES = (
    "SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind "
    "IN ('r', 'p') AND n.nspname NOT IN ('public', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'"
)
TRIGGERS = "SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'caching_count'"


async def _found(dsn: str) -> set[str]:
    async with await psycopg.AsyncConnection.connect(dsn) as connection:
        rows = await (await connection.execute(TRIGGERS)).fetchall()
    return {name.replace('"', "") for (name,) in rows}


async def test_every_table_is_watched_or_unwatched_with_a_reason(dsn: str) -> None:
    async with await psycopg.AsyncConnection.connect(dsn) as connection:
        rows = await (await connection.execute(TABLES)).fetchall()
    assert {name for (name,) in rows} == WATCHED | UNWATCHED.keys()


async def test_every_table_of_ours_is_watched_once_though_two_cores_start(db: Database, dsn: str) -> None:
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
        await connection.execute("CREATE SCHEMA reporting")
        await connection.execute("CREATE TABLE reporting.somebody_elses (id int)")
    await asyncio.gather(change_counts.watch(db, UNWATCHED), change_counts.watch(db, UNWATCHED))
    assert await _found(dsn) == WATCHED


async def test_a_transaction_that_is_under_way_goes_on_and_its_tables_are_watched_after_it(
    db: Database, dsn: str
) -> None:
    async with await psycopg.AsyncConnection.connect(dsn) as writer:
        await writer.execute("UPDATE parameter.asset SET name = name")
        watching = asyncio.create_task(change_counts.watch(db, UNWATCHED))
        async with asyncio.timeout(120):
            while not await _found(dsn) >= WATCHED - {"parameter.asset"}:
                assert not watching.done()
                await asyncio.sleep(0.05)
        await writer.execute("UPDATE parameter.unit SET symbol = symbol")
        assert "parameter.asset" not in await _found(dsn)
        await writer.commit()
    await watching
    assert await _found(dsn) == WATCHED
