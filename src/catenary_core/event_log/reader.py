"""Reading of the event log by sequence, for streams, webhooks, notifications and caches.

The sequencer (`services.events.sequencer`) numbers committed events one after another. A reader who reads the events
above its last number, and waits on CHANNEL in between, gets every event once and in order.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import sqlalchemy as sa

from catenary.platform.v1.event_shapes import Event
from catenary_core.call.errors import DomainError, invalid
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Transaction
from catenary_core.event_log.events import event
from catenary_wire.sentences import Fields, Sentence

CHANNEL = "catenary_events_sequenced"
"""Channel that wakes readers when events got sequence numbers."""
BATCH = 500
"""Largest number of events that one `read` returns."""
KEPT = timedelta(days=30)
"""Retention of the log."""

_sequence = sa.bindparam("sequence", type_=sa.BigInteger)
COLUMNS = (
    event.c.sequence,
    event.c.environment_project_id,
    event.c.id,
    event.c.type,
    event.c.occurred_at,
    event.c.project_id,
    event.c.actor_id,
    event.c.subject,
    event.c.data,
)
"""Columns that readers select."""
_READ = Statement(
    sa.select(*COLUMNS)
    .where(event.c.sequence > _sequence)
    .order_by(event.c.sequence)
    .limit(sa.literal(BATCH, type_=sa.Integer))
)
_END = Statement(
    sa.select(event.c.sequence, event.c.id)
    .where(event.c.sequence.is_not(None))
    .order_by(event.c.sequence.desc())
    .limit(sa.literal(1, type_=sa.Integer))
)
_FIND = Statement(sa.select(event.c.sequence).where(event.c.id == sa.bindparam("id", type_=event.c.id.type)))
_OLDEST = Statement(
    sa.select((sa.extract("epoch", event.c.occurred_at) * 1000).label("milliseconds"))
    .where(event.c.sequence.is_not(None))
    .order_by(event.c.sequence)
    .limit(sa.literal(1, type_=sa.Integer))
)
_oldest_rows = (
    sa.select(event.c.id, event.c.occurred_at)
    .where(event.c.sequence < sa.select(sa.func.max(event.c.sequence)).scalar_subquery())
    .order_by(event.c.sequence)
    .limit(sa.literal(1000, type_=sa.Integer))
    .subquery()
)
_FORGET = Statement(
    sa.delete(event).where(
        event.c.id.in_(
            sa.select(_oldest_rows.c.id).where(
                _oldest_rows.c.occurred_at
                < sa.func.clock_timestamp() - sa.func.make_interval(0, 0, 0, sa.literal(KEPT.days, type_=sa.Integer))
            )
        )
    )
)


async def read(tx: Transaction, after: int) -> list[Row]:
    """Return the events after a sequence number, in order, at most BATCH; `shown` makes an event of each row."""
    return await tx.all(_READ, sequence=after)


def event_message(row: Row) -> Event:
    """Return the only shape of an event (`catenary.platform.v1.Event`), from a row of `read`."""
    return {
        "id": row["id"],
        "type": row["type"],
        "occurred_at": row["occurred_at"],
        "project_id": row["project_id"],
        "actor_id": row["actor_id"],
        "subject": row["subject"],
        "data": row["data"],
    }


async def end(tx: Transaction) -> tuple[int, str | None]:
    """Return sequence number and id of the newest event; 0 and None for an empty log."""
    row = await tx.one_or_none(_END)
    return (0, None) if row is None else (row["sequence"], row["id"])


async def position(tx: Transaction, event_id: str, field: str = "after") -> int:
    """Return the sequence number of a reader's last event.

    Raises GONE: the event is older than the log.
    Raises VALIDATION_ERROR: the id names no event.
    """
    row = await tx.one_or_none(_FIND, id=event_id)
    if row is not None and row["sequence"] is not None:
        return int(row["sequence"])
    parsed = UUID(event_id)
    oldest = await tx.one_or_none(_OLDEST)
    # A UUID of version 7 begins with the Unix milliseconds of its creation (RFC 9562, section 5.7).
    if parsed.version == 7 and oldest is not None and parsed.int >> 80 < oldest["milliseconds"]:
        raise DomainError(
            "GONE",
            Sentence(
                "The log of events goes back {days} days, and {field} is older; read what you need, and begin without it.",
                {"days": KEPT.days, "field": Fields(field)},
            ),
            details={"parameter": field, "value": event_id, "constraint": "kept"},
        )
    raise invalid(
        field,
        "{field} is the id of no event; give that of the last one that you have.",
        value=event_id,
        constraint="unknown",
    )


async def forget(tx: Transaction) -> int:
    """Delete at most 1,000 events older than 30 days; return their number.

    The newest event stays, because numbering continues from it.
    """
    return await tx.execute(_FORGET)
