"""The SQL of the sequencer and of releases."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from catenary_core.database.statements import Statement
from catenary_core.event_log import reader
from catenary_core.event_log.events import event
from catenary_core.services.events.tables import release

_waiting = (
    sa.select(event.c.id, event.c.number)
    .where(event.c.sequence.is_(None))
    .order_by(event.c.number)
    .limit(sa.literal(reader.BATCH, type_=sa.Integer))
    .subquery()
)
_ordered = sa.select(_waiting.c.id, sa.func.row_number().over(order_by=_waiting.c.number).label("place")).subquery()
_numbered = (
    sa.update(event)
    .where(event.c.id == _ordered.c.id)
    .values(
        sequence=sa.select(sa.func.coalesce(sa.func.max(event.alias("last").c.sequence), 0)).scalar_subquery()
        + _ordered.c.place
    )
    .returning(event.c.id)
    .cte("given")
)
_count = sa.select(sa.func.count().label("count")).select_from(_numbered).subquery()
ASSIGN_SEQUENCE = Statement(
    sa.select(
        _count.c.count,
        sa.case((_count.c.count > 0, sa.cast(sa.func.pg_notify(reader.CHANNEL, ""), sa.Text))).label("notified"),
    )
)
"""Give the next sequence numbers to committed events without one, and wake the readers.

At most BATCH events, in the order of their numbers. Only the sequencer may run this statement.
"""

NOTE_RELEASE = Statement(
    insert(release).values(release=sa.bindparam("release", type_=sa.Text)).on_conflict_do_nothing()
)
"""Record a release; change no row for one that has run before."""
