"""Transactions: psycopg runs the statements on connections of a pool."""

from __future__ import annotations

import asyncio
import math
import select
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
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

from catenary_core.database.connecting import connect
from catenary_core.database.statements import Row, Statement

# By default PostgreSQL counts a random page as four times as costly as the next one, which holds for rotating disks: filtered
# lists were then read by scanning the whole table in the order of its index.
PLANNING = "-c plan_cache_mode=force_generic_plan -c random_page_cost=1.1"
"""Planner options of every connection."""
_OPTIONS = f"{PLANNING} -c timezone=UTC -c datestyle=ISO"
_NOTIFY = Statement(
    sa.select(
        sa.func.pg_notify(sa.func.unnest(sa.bindparam("channels", type_=sa.ARRAY(sa.Text))), sa.literal_column("''"))
    )
)
_SNAPSHOT = Statement(sa.text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))


class Commits:
    """The commits of this process, known here before PostgreSQL's notifications arrive."""

    __slots__ = ("_listeners", "notified_at")

    def __init__(self) -> None:
        self.notified_at: dict[str, float] = {}
        """Time of the last commit that notified each channel (monotonic seconds)."""
        self._listeners: defaultdict[str, list[Callable[[], None]]] = defaultdict(list)

    def add_listener(self, channel: str, action: Callable[[], None]) -> None:
        """Call `action` after each commit that notifies the channel or names it in `Transaction.wake_locally`.

        The action must not raise.
        """
        self._listeners[channel].append(action)

    def record(self, notified: set[str], local_channels: set[str]) -> None:
        """Record a commit and call the listeners of its channels.

        Args:
            notified: channels that the commit has notified.
            local_channels: further channels whose listeners in this process are called.
        """
        self.notified_at.update(dict.fromkeys(notified, time.monotonic()))
        for channel in notified | local_channels:
            for action in self._listeners.get(channel, ()):
                action()


@contextmanager
def _causes() -> Iterator[None]:
    """Raise the failure that aborted a pipeline rather than "pipeline aborted".

    PostgreSQL sends a failure at once, perhaps before psycopg has sent the pipeline's end. psycopg then raises what it
    reads behind the failure, with the failure as its context.
    """
    try:
        yield
    except psycopg.errors.PipelineAborted as error:
        raise (error.__context__ if isinstance(error.__context__, psycopg.Error) else error) from None


class Transaction:
    """A connection inside a transaction, or in autocommit for single reads.

    `notify` notifies a channel at the commit. A frequent statement may notify by itself (`notifying`), which saves a
    round trip.
    """

    __slots__ = (
        "_after_commit",
        "_channels_to_notify",
        "_commits",
        "_connection",
        "_deferred",
        "_ends",
        "_local_channels",
        "_notified",
        "_notified_lately",
    )

    def __init__(self, connection: AsyncConnection[DictRow], commits: Commits, *, ends: bool = True) -> None:
        """Wrap a connection.

        Args:
            connection: the connection, in the state that `ends` says.
            commits: the commits of this process.
            ends: whether deferred statements run when the block closes.
        """
        self._connection = connection
        self._ends = ends
        self._commits = commits
        self._notified: set[str] = set()
        self._notified_lately: dict[str, bool] = {}
        self._local_channels: set[str] = set()
        self._channels_to_notify: set[str] = set()
        self._deferred: list[tuple[Statement, Mapping[str, Any]]] = []
        self._after_commit: list[Callable[[], None]] = []

    async def _run(self, statement: Statement, arguments: Mapping[str, Any]) -> AsyncRawCursor[DictRow]:
        cursor = AsyncRawCursor(self._connection)
        return await cursor.execute(statement.sql.encode(), statement.parameters(arguments), prepare=True)

    async def all(self, statement: Statement, /, **arguments: Any) -> list[Row]:
        """Run a statement; return all its rows."""
        return statement.without_marks(await (await self._run(statement, arguments)).fetchall(), arguments)

    async def one_or_none(self, statement: Statement, /, **arguments: Any) -> Row | None:
        """Run a statement; return the first row, or None if there is none."""
        row = await (await self._run(statement, arguments)).fetchone()
        return None if row is None else statement.without_marks([row], arguments)[0]

    async def one(self, statement: Statement, /, **arguments: Any) -> Row:
        """Run a statement; return its first row.

        Raises:
            LookupError: the statement gave no row.
        """
        row = await self.one_or_none(statement, **arguments)
        if row is None:
            raise LookupError(f"no row from: {statement.sql}")
        return row

    async def execute(self, statement: Statement, /, **arguments: Any) -> int:
        """Run a statement without rows; return the number of affected rows."""
        return (await self._run(statement, arguments)).rowcount

    async def execute_at_commit(self, statement: Statement, /, **arguments: Any) -> None:
        """Defer a statement to the end of the transaction, in one round trip with COMMIT and other deferred statements.

        Deferred statements run in the order of these calls; inside a unit of work they run at the end of the part.

        Use it for statements whose rows nobody needs: nothing earlier in the transaction sees their effect. The
        arguments are read at the end, so they must not change until then.
        """
        self._require_end()
        self._deferred.append((statement, arguments))

    def deferred(self, statement: Statement) -> list[Mapping[str, Any]]:
        """Return the arguments with which a statement is deferred so far, in order."""
        return [arguments for deferred, arguments in self._deferred if deferred is statement]

    async def execute_many(self, statement: Statement, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run a statement once for each set of parameters, pipelined."""
        async with AsyncRawCursor(self._connection) as cursor:
            with _causes():
                await cursor.executemany(statement.sql.encode(), [statement.parameters(row) for row in rows])

    async def notify(self, channel: str) -> None:
        """Notify a channel when the transaction commits; repeated calls for one channel send one notification."""
        self._require_end()
        self._channels_to_notify.add(channel)
        self._notified.add(channel)

    def _require_end(self) -> None:
        if not self._ends:
            raise RuntimeError("this needs a transaction, but the connection is in autocommit")

    def after_commit(self, action: Callable[[], None]) -> None:
        """Call `action` in this process after the commit, never after a rollback; the action must not raise."""
        self._after_commit.append(action)

    def record_notification(self, channel: str) -> None:
        """Record that a statement of this transaction notifies the channel by itself."""
        self._notified.add(channel)

    def notified_within(self, channel: str, seconds: float) -> bool:
        """Return whether this process committed a notification of the channel within the last `seconds`.

        The first answer holds for the whole transaction, so that its deferred statements stay one group.
        """
        if channel not in self._notified_lately:
            since = time.monotonic() - self._commits.notified_at.get(channel, -math.inf)
            self._notified_lately[channel] = since < seconds
        return self._notified_lately[channel]

    def wake_locally(self, channel: str) -> None:
        """Call this process's listeners of the channel after the commit (`Commits.add_listener`), without a notification."""
        self._local_channels.add(channel)

    def _has_deferred(self) -> bool:
        return bool(self._deferred or self._channels_to_notify)

    async def _execute_deferred(self) -> None:
        """Run the deferred statements and notify the channels."""
        deferred, self._deferred = self._deferred, []
        if self._channels_to_notify:
            deferred.append((_NOTIFY, {"channels": sorted(self._channels_to_notify)}))
            self._channels_to_notify = set()
        for statement, group in groupby(deferred, key=itemgetter(0)):
            rows = [arguments for _, arguments in group]
            if len(rows) == 1:
                await self._run(statement, rows[0])
            else:
                await self.execute_many(statement, rows)

    def _committed(self) -> None:
        for action in self._after_commit:
            action()
        self._commits.record(self._notified, self._local_channels)


class Session:
    """A connection that its owner keeps, for example for a lock that lasts as long as the connection.

    `read` is the connection in autocommit, as in `Database.read`.
    """

    __slots__ = ("_commits", "_connection", "read")

    def __init__(self, connection: AsyncConnection[DictRow], commits: Commits) -> None:
        self._connection = connection
        self._commits = commits
        self.read = Transaction(connection, commits, ends=False)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """Open a transaction; commit at the end of the block, roll back on an exception."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._connection.transaction())
            tx = Transaction(self._connection, self._commits)
            yield tx
            if tx._has_deferred():
                try:
                    with _causes():
                        async with self._connection.pipeline(), stack.pop_all():
                            await tx._execute_deferred()
                except (psycopg.Error, asyncio.CancelledError):
                    # psycopg took the transaction as committed: inside a pipeline it learns of the failure at the end.
                    with suppress(psycopg.Error):  # a lost connection has nothing to roll back
                        await self._connection.rollback()
                    raise
        tx._committed()


class UnitOfWork:
    """All changes of one task in one transaction: the block of `Database.as_one`.

    The transaction begins with the task's first transaction or with `begin`. Later transactions of the task are parts
    of it (savepoints), and the task's reads see their changes. Other tasks use their own connections.
    """

    __slots__ = ("_begun", "_database", "_first", "_parts", "_savepoints", "_stack", "_task", "_tx")

    def __init__(
        self, database: Database, first: Callable[[Transaction], Awaitable[None]] | None, *, savepoints: bool
    ) -> None:
        self._database = database
        self._first = first
        self._savepoints = savepoints
        self._task = asyncio.current_task()
        self._stack = AsyncExitStack()
        self._tx: Transaction | None = None
        self._begun = False
        self._parts: list[Transaction] = []

    @property
    def open_transaction(self) -> Transaction | None:
        """The unit's own transaction, which ends with the unit; None while nothing has begun one."""
        return self._tx

    async def begin(self) -> Transaction:
        """Return the unit's own transaction; begin one if none is open."""
        if self._tx is None:
            connection = await self._stack.enter_async_context(self._database._connection())
            session = Session(connection, self._database.commits)
            self._tx = await self._stack.enter_async_context(session.transaction())
            self._begun = False
            if self._first is not None:
                await self._first(self._tx)
        return self._tx

    async def commit(self) -> None:
        """Commit all changes so far; the next transaction of the task begins a new one."""
        self._tx = None
        await self._stack.aclose()
        parts, self._parts = self._parts, []
        for part in parts:
            part._committed()

    def detach(self) -> None:
        """Make the task's later transactions ordinary ones."""
        _unit.set(None)

    @asynccontextmanager
    async def _part(self) -> AsyncIterator[Transaction]:
        unit = await self.begin()
        if not (self._savepoints or self._begun):
            self._begun = True
            async with self._undone_by_failure():
                yield unit
            return
        self._begun = True
        await unit._execute_deferred()  # what an earlier part left for the end comes before this part
        with self._without_undone_parts():
            async with unit._connection.transaction():
                tx = Transaction(unit._connection, self._database.commits)
                yield tx
                await tx._execute_deferred()
        self._parts.append(tx)

    @contextmanager
    def _without_undone_parts(self) -> Iterator[None]:
        """Forget the parts inside a part that an exception rolls back, so that nothing follows from their commit."""
        earlier = len(self._parts)
        try:
            yield
        except BaseException:
            del self._parts[earlier:]
            raise

    @asynccontextmanager
    async def _undone_by_failure(self) -> AsyncIterator[None]:
        """Roll back the whole transaction on an exception in the block: the first part has no savepoint."""
        try:
            yield
        except BaseException as error:
            self._tx = None
            self._parts.clear()
            await self._stack.__aexit__(type(error), error, error.__traceback__)
            raise


_unit: ContextVar[UnitOfWork | None] = ContextVar("unit", default=None)


def _joined(database: Database) -> UnitOfWork | None:
    """Return the unit of work of the current task, or None.

    A task started inside a unit inherits the context variable but does not belong to the unit.
    """
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
        """Connect to the server.

        Raises:
            psycopg.OperationalError: the server refuses the connection.
            PoolTimeout: no connection within 20 seconds.
        """
        await self._pool.open(wait=True, timeout=20)

    async def close(self) -> None:
        """Close all connections."""
        await self._pool.close()

    def pool_state(self) -> tuple[int, int, int]:
        """Return the numbers of open connections, idle connections and callers waiting for one."""
        stats = self._pool.get_stats()
        return stats["pool_size"], stats["pool_available"], stats.get("requests_waiting", 0)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """Open a transaction; commit at the end of the block, roll back on an exception.

        Inside a unit of work the transaction is a part of the unit.
        """
        unit = _joined(self)
        if unit is not None:
            async with unit._part() as tx:
                yield tx
            return
        async with self._connection() as connection, Session(connection, self.commits).transaction() as tx:
            yield tx

    @asynccontextmanager
    async def session(self, options: str = "") -> AsyncIterator[Session]:
        """Open a connection beside the pool until the block ends.

        Args:
            options: further PostgreSQL options, such as `-c name=value`.
        """
        connection: AsyncConnection[DictRow]
        async with await connect(
            self.dsn, row_factory=dict_row, autocommit=True, prepare_threshold=0, options=f"{_OPTIONS} {options}"
        ) as connection:
            await _configure(connection)
            yield Session(connection, self.commits)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Transaction]:
        """Open a connection in autocommit, for statements that need no common snapshot."""
        unit = _joined(self)
        if unit is not None and unit._tx is not None:
            yield unit._tx
            return
        async with self._connection() as connection:
            yield Transaction(connection, self.commits, ends=False)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Transaction]:
        """Open a transaction that reads the database as it is at the first statement, whatever is committed meanwhile."""
        async with self.transaction() as tx:
            await tx.execute(_SNAPSHOT)
            yield tx

    @asynccontextmanager
    async def as_one(
        self, first: Callable[[Transaction], Awaitable[None]] | None = None, *, savepoints: bool = True
    ) -> AsyncIterator[UnitOfWork]:
        """Run all transactions of this task in the block as one; commit at its end, roll back on an exception.

        Args:
            first: runs before anything else in each transaction that begins here.
            savepoints: whether the first part has a savepoint too. Without it, which saves two round trips, the failure
                of the first part rolls back the unit's transaction, and what the part leaves for its end is done at
                the unit's end.
        """
        unit = UnitOfWork(self, first, savepoints=savepoints)
        token = _unit.set(unit)
        try:
            async with unit._stack:
                yield unit
        finally:
            _unit.reset(token)
        await unit.commit()  # calls the listeners; the exit stack has committed

    @asynccontextmanager
    async def within_one(self) -> AsyncIterator[tuple[UnitOfWork, bool]]:
        """Run the block in the task's unit of work, or in a new one whose first part has no savepoint.

        Yields the unit, and whether it is the block's own, which alone the block may commit.
        """
        unit = _joined(self)
        if unit is not None:
            yield unit, False
        else:
            async with self.as_one(savepoints=False) as unit:
                yield unit, True

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection[DictRow]]:
        """Take a connection from the pool, without those known to be dead.

        The pool's own `check` asks the server each time, and waits a second or longer after each dead connection; after
        a restart all connections are dead.
        """
        while _is_ended(connection := await self._pool.getconn()):
            await connection.close()
            await self._pool.putconn(connection)
        try:
            yield connection
        finally:
            await self._pool.putconn(connection)  # rolls back an open transaction


_TRIMMED = {22: ".000000Z"} | {29 - zeros: "0" * zeros + "Z" for zeros in range(6)}
"""The end of a timestamp in RFC 3339 by the length of PostgreSQL's text, such as `2030-01-31 12:00:00.5+00`."""


class _Rfc3339Loader(Loader):
    """Loader of `timestamptz` as RFC 3339 text with six digits of a second: the session's zone is UTC."""

    def load(self, data: Buffer) -> str:
        text = str(data, "ascii")
        # A KeyError is the end of a call: no row has a time outside the years 1 to 9999, or infinity.
        return f"{text[:10]}T{text[11:-3]}{_TRIMMED[len(text)]}"


def _is_ended(connection: AsyncConnection[Any]) -> bool:
    """Return whether the server closed an idle connection, as in a restart; only then is there data to read."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


async def _configure(connection: AsyncConnection[Any]) -> None:
    # PostgreSQL writes UUIDs as lower-case text, which psycopg's own loader (in C) takes as it is.
    connection.adapters.register_loader("uuid", TextLoader)
    connection.adapters.register_loader("timestamptz", _Rfc3339Loader)
    set_json_loads(orjson.loads, connection)
