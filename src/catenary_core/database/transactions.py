"""Transactions: psycopg runs the statements, over a pool of connections."""

from __future__ import annotations

import asyncio
import math
import select
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from contextvars import ContextVar
from itertools import groupby
from operator import itemgetter
from typing import Any

import orjson
import psycopg
import sqlalchemy as sa
from psycopg import AsyncConnection, AsyncRawCursor
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import set_json_loads
from psycopg.types.string import TextLoader
from psycopg_pool import AsyncConnectionPool

from catenary_core.database.statements import Row, Statement

# By PostgreSQL's default a page that isn't the next one costs four times as much, which is true of turning disks: pages of
# filtered lists were looked for in the whole table's order.
PLANNING = "-c plan_cache_mode=force_generic_plan -c random_page_cost=1.1"
_OPTIONS = f"{PLANNING} -c timezone=UTC -c datestyle=ISO"
_NOTIFY = Statement(
    sa.select(
        sa.func.pg_notify(sa.func.unnest(sa.bindparam("channels", type_=sa.ARRAY(sa.Text))), sa.literal_column("''"))
    )
)


class Commits:
    """What a process knows of its own commits, ahead of PostgreSQL's notifications."""

    __slots__ = ("_told", "notified_at")

    def __init__(self) -> None:
        self.notified_at: dict[str, float] = {}
        """When they last notified a channel (monotonic)."""
        self._told: defaultdict[str, list[Callable[[], None]]] = defaultdict(list)

    def tell(self, channel: str, action: Callable[[], None]) -> None:
        """Does something after each commit that notifies a channel, or that `Transaction.tells` of it. It must not fail."""
        self._told[channel].append(action)

    def done(self, notified: set[str], told: set[str]) -> None:
        """One that notified some channels, and is to be told of others too."""
        self.notified_at.update(dict.fromkeys(notified, time.monotonic()))
        for channel in notified | told:
            for action in self._told.get(channel, ()):
                action()


class Transaction:
    """A connection inside a transaction, or in autocommit for single reads.

    It may notify channels (`notify`). A hot statement may do so by itself (`notifying`), which spares a round trip.
    """

    __slots__ = ("_after_commit", "_commits", "_connection", "_ends", "_last", "_notified", "_told", "_unsent")

    def __init__(self, connection: AsyncConnection[DictRow], commits: Commits, *, ends: bool = True) -> None:
        """`commits` are those of the process. `ends`: there is an end of it, at which `Session` or `Unit` run what was left
        for it."""
        self._connection = connection
        self._ends = ends
        self._commits = commits
        self._notified: set[str] = set()
        self._told: set[str] = set()
        self._unsent: set[str] = set()
        self._last: list[tuple[Statement, Mapping[str, Any]]] = []
        self._after_commit: list[Callable[[], None]] = []

    async def _run(self, statement: Statement, given: Mapping[str, Any]) -> AsyncRawCursor[DictRow]:
        cursor = AsyncRawCursor(self._connection)
        return await cursor.execute(statement.sql.encode(), statement.parameters(given), prepare=True)

    async def all(self, statement: Statement, /, **given: Any) -> list[Row]:
        """Every row."""
        return statement.shown(await (await self._run(statement, given)).fetchall(), given)

    async def one_or_none(self, statement: Statement, /, **given: Any) -> Row | None:
        """The first row, if there is one."""
        row = await (await self._run(statement, given)).fetchone()
        return None if row is None else statement.shown([row], given)[0]

    async def one(self, statement: Statement, /, **given: Any) -> Row:
        """The first row of a statement that always has one."""
        row = await self.one_or_none(statement, **given)
        if row is None:
            raise LookupError(f"no row from: {statement.sql}")
        return row

    async def execute(self, statement: Statement, /, **given: Any) -> int:
        """Runs a statement without rows; the number of rows that it touched."""
        return (await self._run(statement, given)).rowcount

    async def execute_at_commit(self, statement: Statement, /, **given: Any) -> None:
        """Runs a statement at the end of the transaction, in one round trip with the COMMIT and others like it, in their order;
        in a part of a unit at the end of the part.

        For what nobody needs the rows of: nothing that the transaction does before its end sees what it does. What is given is
        read at the end, so it must stay as it is.
        """
        self._need_end()
        self._last.append((statement, given))

    async def execute_many(self, statement: Statement, rows: Sequence[Mapping[str, Any]]) -> None:
        """Runs a statement once for each set of parameters, pipelined."""
        async with AsyncRawCursor(self._connection) as cursor:
            await cursor.executemany(statement.sql.encode(), [statement.parameters(row) for row in rows])

    async def notify(self, channel: str) -> None:
        """Wakes the listeners of a channel when the transaction commits; equal ones in a transaction are one."""
        self._need_end()
        self._unsent.add(channel)
        self._notified.add(channel)

    def _need_end(self) -> None:
        if not self._ends:
            raise RuntimeError("this needs a transaction, and here each statement is one")

    def after_commit(self, action: Callable[[], None]) -> None:
        """Does something in this process once the transaction is committed; never after a rollback. It must not fail."""
        self._after_commit.append(action)

    def notifies(self, channel: str) -> None:
        """Notes that a statement of this transaction has notified a channel by itself."""
        self._notified.add(channel)

    def notified_lately(self, channel: str, seconds: float) -> bool:
        """Whether a transaction of this process that notified the channel was committed in the last seconds."""
        return time.monotonic() - self._commits.notified_at.get(channel, -math.inf) < seconds

    def tells(self, channel: str) -> None:
        """Once it is committed, tells those of this process of it who would be notified (`Commits.tell`)."""
        self._told.add(channel)

    def _has_last(self) -> bool:
        return bool(self._last or self._unsent)

    async def _execute_last(self) -> None:
        """Runs what was left for the end, and notifies."""
        last, self._last = self._last, []
        if self._unsent:
            last.append((_NOTIFY, {"channels": sorted(self._unsent)}))
        for statement, group in groupby(last, key=itemgetter(0)):
            rows = [given for _, given in group]
            if len(rows) == 1:
                await self._run(statement, rows[0])
            else:
                await self.execute_many(statement, rows)

    def _committed(self) -> None:
        for action in self._after_commit:
            action()
        self._commits.done(self._notified, self._told)


class Session:
    """A connection that its owner keeps, as for a lock that lasts as long as the connection does.

    `read` is it in autocommit, as `Database.read`.
    """

    __slots__ = ("_commits", "_connection", "read")

    def __init__(self, connection: AsyncConnection[DictRow], commits: Commits) -> None:
        self._connection = connection
        self._commits = commits
        self.read = Transaction(connection, commits, ends=False)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """A transaction: committed at the end of the block, rolled back by an exception."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._connection.transaction())
            tx = Transaction(self._connection, self._commits)
            yield tx
            if tx._has_last():
                try:
                    async with self._connection.pipeline(), stack.pop_all():
                        await tx._execute_last()
                except (psycopg.Error, asyncio.CancelledError):
                    # psycopg took the transaction for committed: it could not know before the end of the pipeline.
                    with suppress(psycopg.Error):  # a lost connection has nothing to roll back
                        await self._connection.rollback()
                    raise
        tx._committed()


class UnitOfWork:
    """Everything that one task changes, in one transaction: the block of `Database.as_one`.

    It begins with the task's first transaction, or with `begin`; from then on the task's transactions are parts of it
    (savepoints), and its reads see what they wrote. Other tasks have connections of their own.
    """

    __slots__ = ("_database", "_first", "_parts", "_stack", "_task", "_tx")

    def __init__(self, database: Database, first: Callable[[Transaction], Awaitable[None]] | None) -> None:
        self._database = database
        self._first = first
        self._task = asyncio.current_task()
        self._stack = AsyncExitStack()
        self._tx: Transaction | None = None
        self._parts: list[Transaction] = []

    async def begin(self) -> Transaction:
        """The unit's own transaction, begun when it isn't yet."""
        if self._tx is None:
            connection = await self._stack.enter_async_context(self._database._connection())
            await self._stack.enter_async_context(connection.transaction())
            self._tx = Transaction(connection, self._database.commits, ends=False)
            if self._first is not None:
                await self._first(self._tx)
        return self._tx

    async def commit(self) -> None:
        """Commits what was done; the next transaction begins the unit anew."""
        await self._stack.aclose()
        self._tx = None
        parts, self._parts = self._parts, []
        for part in parts:
            part._committed()

    def leave(self) -> None:
        """Lets the task's later transactions be ordinary ones."""
        _unit.set(None)

    @asynccontextmanager
    async def _part(self) -> AsyncIterator[Transaction]:
        connection = (await self.begin())._connection
        async with connection.transaction():
            tx = Transaction(connection, self._database.commits)
            yield tx
            await tx._execute_last()
        self._parts.append(tx)


_unit: ContextVar[UnitOfWork | None] = ContextVar("unit", default=None)


def _joined(database: Database) -> UnitOfWork | None:
    """The unit that this task's statements belong to: a task that was started inside of one only inherits the variable."""
    unit = _unit.get()
    return unit if unit and unit._database is database and unit._task is asyncio.current_task() else None


class Database:
    """A pool of connections to one PostgreSQL database."""

    def __init__(self, dsn: str, *, max_connections: int = 20) -> None:
        self.dsn = dsn
        self.commits = Commits()
        self._pool: AsyncConnectionPool[AsyncConnection[DictRow]] = AsyncConnectionPool(
            dsn,
            connection_class=AsyncConnection[DictRow],
            kwargs={"row_factory": dict_row, "autocommit": True, "prepare_threshold": 0, "options": _OPTIONS},
            min_size=2,
            max_size=max_connections,
            timeout=10,
            configure=_configure,
            open=False,
            name="catenary",
        )

    async def open(self) -> None:
        """Connects; raises psycopg.OperationalError or PoolTimeout when the server can't be reached."""
        await self._pool.open(wait=True, timeout=20)

    async def close(self) -> None:
        """Closes every connection."""
        await self._pool.close()

    def pool_state(self) -> tuple[int, int, int]:
        """Open connections, those of them that are idle, and callers who wait for one."""
        stats = self._pool.get_stats()
        return stats["pool_size"], stats["pool_available"], stats.get("requests_waiting", 0)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """A transaction: committed at the end of the block, rolled back by an exception. In a unit it is a part of that."""
        unit = _joined(self)
        if unit is not None:
            async with unit._part() as tx:
                yield tx
            return
        async with self._connection() as connection, Session(connection, self.commits).transaction() as tx:
            yield tx

    @asynccontextmanager
    async def session(self, options: str = "") -> AsyncIterator[Session]:
        """A connection beside the pool, until the block ends; `options` are further ones of PostgreSQL, as `-c name=value`."""
        connection: AsyncConnection[DictRow]
        async with await AsyncConnection.connect(
            self.dsn, row_factory=dict_row, autocommit=True, prepare_threshold=0, options=f"{_OPTIONS} {options}"
        ) as connection:
            await _configure(connection)
            yield Session(connection, self.commits)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Transaction]:
        """A connection in autocommit, for statements that need no common snapshot."""
        unit = _joined(self)
        if unit is not None and unit._tx is not None:
            yield unit._tx
            return
        async with self._connection() as connection:
            yield Transaction(connection, self.commits, ends=False)

    @asynccontextmanager
    async def as_one(self, first: Callable[[Transaction], Awaitable[None]] | None = None) -> AsyncIterator[UnitOfWork]:
        """Makes one transaction of all that this task does in the block: committed at its end, rolled back by an exception.

        `first` is run in it before anything else, each time that it begins.
        """
        unit = UnitOfWork(self, first)
        token = _unit.set(unit)
        try:
            async with unit._stack:
                yield unit
        finally:
            _unit.reset(token)
        await unit.commit()  # does what was to be done after it

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection[DictRow]]:
        """A connection of the pool that isn't known to be dead.

        The pool's own `check` asks the server each time, and waits a second and longer after each dead connection; after a
        restart all are dead.
        """
        while _is_ended(connection := await self._pool.getconn()):
            await connection.close()
            await self._pool.putconn(connection)
        try:
            yield connection
        finally:
            await self._pool.putconn(connection)  # which rolls back what may be left open


class _Rfc3339Loader(Loader):
    """Timestamps with time zone as RFC 3339; the session's zone is UTC, and PostgreSQL has trimmed the fraction."""

    def load(self, data: Buffer) -> str:
        text = str(data, "ascii")
        return f"{text[:10]}T{text[11:-3]}Z"


def _is_ended(connection: AsyncConnection[Any]) -> bool:
    """Whether the server has closed an idle connection, as by a restart: only then is there something to read on it."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


async def _configure(connection: AsyncConnection[Any]) -> None:
    # PostgreSQL writes UUIDs as lower-case text, which psycopg's own loader (in C) takes as it is.
    connection.adapters.register_loader("uuid", TextLoader)
    connection.adapters.register_loader("timestamptz", _Rfc3339Loader)
    set_json_loads(orjson.loads, connection)
