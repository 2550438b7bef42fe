"""Consumers of the event log: database changes that follow from events, such as notifications and webhook deliveries.

The whole installation has one of each consumer, in whichever process is its leader (`leader_election`). The position in
the log is a row, which moves in the transaction of the changes: each event takes effect exactly once, whenever a
process is killed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

import sqlalchemy as sa
import structlog
from sqlalchemy.dialects.postgresql import insert

from catenary_core.database.leader_election import Leader
from catenary_core.database.statements import Row, Statement, metadata
from catenary_core.database.transactions import Database, Session, Transaction
from catenary_core.database.wakeups import POLL_SECONDS, Wakeups
from catenary_core.event_log import reader
from catenary_core.event_log.events import event

_log = structlog.get_logger(__name__)
Handle = Callable[[Transaction, Sequence[Row]], Awaitable[None]]
"""Handles events, given in order as rows of `reader.read`.

All its changes must be in the given transaction. It is called again with events whose transaction was not committed. A
failing event is not skipped: later events wait until the handling succeeds.
"""
GATHER_SECONDS = 0.1
"""Pause in seconds between two reads.

Events close together are read together, so the busiest log costs ten statements a second.
"""
STORE_SECONDS = 60.0
"""Interval in seconds at which a position moved only by unwanted events is stored.

The next leader reads the events after the stored position again.
"""
_PAUSES = (1.0, 2.0, 4.0, 8.0)
"""Pauses in seconds after the first, second … failure in a row."""

follower = sa.Table(
    "follower",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    # Sequence number of the last event whose effects are in the database.
    sa.Column("sequence", sa.BigInteger, nullable=False),
    schema="events",
)
"""Position of each consumer."""

_name = sa.bindparam("name", type_=sa.Text)
_sequence = sa.bindparam("sequence", type_=sa.BigInteger)
_BEGIN = Statement(
    insert(follower)
    .from_select(["name", "sequence"], sa.select(_name, sa.func.coalesce(sa.func.max(event.c.sequence), 0)))
    .on_conflict_do_nothing()
)
_POSITION = Statement(sa.select(follower.c.sequence).where(follower.c.name == _name))
_MOVE = Statement(
    sa.update(follower)
    .where(follower.c.name == _name, follower.c.sequence == sa.bindparam("before", type_=sa.BigInteger))
    .values(sequence=_sequence)
)


def reading(wanted: sa.ColumnElement[bool]) -> Statement:
    """Return a statement for the wanted events among the next BATCH after `sequence`, in order.

    Without a wanted event it gives one row without an event. `first` and `last` are the sequence numbers of that BATCH,
    NULL if there are none.
    """
    next_ones = (
        sa.select(event.c.sequence)
        .where(event.c.sequence > _sequence)
        .order_by(event.c.sequence)
        .limit(sa.literal(reader.BATCH, type_=sa.Integer))
        .subquery()
    )
    ends = sa.select(
        sa.func.min(next_ones.c.sequence).label("first"), sa.func.max(next_ones.c.sequence).label("last")
    ).subquery()
    mine = sa.and_(event.c.sequence > _sequence, event.c.sequence <= ends.c.last, wanted)
    return Statement(
        sa.select(ends.c.first, ends.c.last, *reader.COLUMNS)
        .select_from(ends.outerjoin(event, mine))
        .order_by(event.c.sequence)
    )


class Consumer(Leader):
    """Hands each wanted event to a callback once; a consumer new to the database starts with later events."""

    def __init__(
        self, db: Database, wakeups: Wakeups, name: str, wanted: sa.ColumnElement[bool], handle: Handle
    ) -> None:
        """Set up the consumer; call `start` to take part in its leader election.

        Args:
            db: database of the log.
            wakeups: wake-ups of this process.
            name: name of the consumer, in the database and in log lines.
            wanted: condition on a row of `events.event`, so that unwanted events stay in the database. It may read
                tables of its service, for example whether anyone needs the event. It may be evaluated again for
                unwanted events, within STORE_SECONDS and in another process.
            handle: handles the wanted events.
        """
        super().__init__(f"following the event log for {name}", db)
        self._wakeups = wakeups
        self._consumer_name = name
        self._read = reading(wanted)
        self._handle = handle
        self._position = 0
        self._stored = 0
        self._store_at = 0.0
        self._failures = 0

    async def start(self) -> None:
        """Start; events written from now on are handled."""
        async with self._db.transaction() as tx:
            await tx.execute(_BEGIN, name=self._consumer_name)
        await super().start()

    async def work(self, session: Session) -> None:
        """Handle events as they arrive."""
        self._position = self._stored = (await session.read.one(_POSITION, name=self._consumer_name))["sequence"]
        while True:
            ticket = self._wakeups.ticket(reader.CHANNEL)
            try:
                await self._advance(session)
            except Exception:
                # Pause as the leader, so that no other process fails on the same events meanwhile.
                await asyncio.sleep(_PAUSES[min(self._failures, len(_PAUSES) - 1)])
                self._failures += 1
                raise
            self._failures = 0
            await self._wakeups.wait(ticket, POLL_SECONDS)
            await asyncio.sleep(GATHER_SECONDS)

    async def _advance(self, session: Session) -> None:
        more = True
        while more:
            rows = await session.read.all(self._read, sequence=self._position)
            first, last = rows[0]["first"], rows[0]["last"]
            if last is None:
                break
            if first > self._position + 1:
                missed = first - self._position - 1
                _log.warning("events expired before a consumer read them", consumer=self._consumer_name, events=missed)
            if rows[0]["id"] is not None:
                async with session.transaction() as tx:
                    await self._handle(tx, rows)
                    await self._store(tx, last)
                self._remember_stored(last)
            self._position = last
            more = last - first + 1 == reader.BATCH
        if self._position != self._stored and time.monotonic() >= self._store_at:
            await self._store(session.read, self._position)
            self._remember_stored(self._position)

    async def _store(self, tx: Transaction, position: int) -> None:
        if not await tx.execute(_MOVE, name=self._consumer_name, before=self._stored, sequence=position):
            raise LookupError(f"the position of {self._consumer_name} was moved by another process")

    def _remember_stored(self, position: int) -> None:
        self._stored = position
        self._store_at = time.monotonic() + STORE_SECONDS
