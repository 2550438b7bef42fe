"""Followers of the event log: what follows from events in the database itself, such as notifications and webhook deliveries.

A follower is one for the whole installation, whichever process runs it at a time (`place`). Its position in the log stands in the
database, and moves in the transaction of what the events cause: each event takes effect once, whenever a process is killed.
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
from catenary_core.database.transactions import Session, Transaction
from catenary_core.database.wakeups import POLL_SECONDS
from catenary_core.event_log import reader
from catenary_core.event_log.events import event
from catenary_core.frame import Frame

_log = structlog.get_logger(__name__)
Handle = Callable[[Transaction, Sequence[Row]], Awaitable[None]]
"""Does what follows from events, which come in order, as rows of `event_log.read`; all that it changes it changes in the given
transaction, and it is called again for events whose transaction wasn't committed. One that it fails on isn't left out, so nothing
comes after it until it goes well."""
GATHER_SECONDS = 0.1
"""Between two looks: events that come close together are read together, so that the busiest log costs ten statements a second."""
STORE_SECONDS = 60.0
"""A position that only events have moved which cause nothing is stored so often: the next holder reads those again."""
_PAUSES = (1.0, 2.0, 4.0, 8.0)

follower = sa.Table(
    "follower",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    # Of the last event whose effects are in the database.
    sa.Column("sequence", sa.BigInteger, nullable=False),
    schema="events",
)

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
    """The events after `sequence` that are wanted, of the next BATCH, in order; one row without an event when none is.

    `first` and `last` are the sequence numbers of those BATCH, NULL when there is none.
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
    """Hands the wanted events to a callback, each once. One that is new to the database begins with what comes from now on."""

    def __init__(self, frame: Frame, name: str, wanted: sa.ColumnElement[bool], handle: Handle) -> None:
        """`wanted` is a condition on a row of `events.event`, so that what nobody waits for stays in the database.

        It may look at tables of its service, as for whether anyone has a use for the event; it may be asked about an event
        again that it didn't want, for STORE_SECONDS and in another process.
        """
        super().__init__(f"following the event log for {name}", frame.db)
        self._wakeups = frame.wakeups
        self._follower = name
        self._read = reading(wanted)
        self._handle = handle
        self._position = 0
        self._stored = 0
        self._store_at = 0.0
        self._failures = 0

    async def start(self) -> None:
        """Begins; what is written after it is handed over."""
        async with self._db.transaction() as tx:
            await tx.execute(_BEGIN, name=self._follower)
        await super().start()

    async def work(self, session: Session) -> None:
        """Hands over what comes."""
        self._position = self._stored = (await session.read.one(_POSITION, name=self._follower))["sequence"]
        while True:
            ticket = self._wakeups.ticket(reader.CHANNEL)
            try:
                await self._advance(session)
            except Exception:
                # In its place, so that no other process fails on the same events meanwhile.
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
                lost = first - self._position - 1
                _log.warning("events left the log before a follower read them", follower=self._follower, events=lost)
            if rows[0]["id"] is not None:
                async with session.transaction() as tx:
                    await self._handle(tx, rows)
                    await self._store(tx, last)
                self._noted(last)
            self._position = last
            more = last - first + 1 == reader.BATCH
        if self._position != self._stored and time.monotonic() >= self._store_at:
            await self._store(session.read, self._position)
            self._noted(self._position)

    async def _store(self, tx: Transaction, position: int) -> None:
        if not await tx.execute(_MOVE, name=self._follower, before=self._stored, sequence=position):
            raise LookupError(f"the position of {self._follower} isn't where this process left it")

    def _noted(self, position: int) -> None:
        self._stored = position
        self._store_at = time.monotonic() + STORE_SECONDS
