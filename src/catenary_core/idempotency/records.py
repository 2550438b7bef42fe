"""The table of stored responses (guide/conventions.md, "Idempotency-Key").

A row contains neither key, body nor response in plain text: `id` and `fingerprint` are HMACs, `answer` is encrypted.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from catenary_core.database.columns import CLOCK
from catenary_core.database.retention import removal, remove
from catenary_core.database.statements import Statement, metadata
from catenary_core.database.transactions import Database

KEPT = sa.text("interval '24 hours'")
"""Retention of a record."""

record = sa.Table(
    "record",
    metadata,
    # HMAC of caller, route and key.
    sa.Column("id", sa.LargeBinary, primary_key=True),
    # HMAC of the request without fields from headers.
    sa.Column("fingerprint", sa.LargeBinary, nullable=False),
    sa.Column("answer", sa.LargeBinary, nullable=False),
    # Until this time the first call may still wait for work that it started; null after its response.
    sa.Column("running_until", sa.DateTime(timezone=True), nullable=True),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.text("clock_timestamp()")),
    sa.Index("record_created_at_idx", "created_at"),
    schema="idempotency",
)
"""Stored responses."""

LOCK = Statement(sa.select(sa.func.pg_try_advisory_xact_lock(sa.bindparam("number", type_=sa.BigInteger)).label("got")))
"""Takes the advisory lock of a key, without waiting."""
FIND = Statement(
    sa.select(
        record.c.fingerprint,
        record.c.answer,
        sa.cast(sa.func.extract("epoch", record.c.running_until - CLOCK), sa.Float).label("running_seconds"),
    ).where(record.c.id == sa.bindparam("record_id", type_=record.c.id.type), record.c.created_at > CLOCK - KEPT)
)
"""Reads the record of a key."""
_given = insert(record).values(
    id=sa.bindparam("record_id", type_=record.c.id.type),
    fingerprint=sa.bindparam("fingerprint", type_=record.c.fingerprint.type),
    answer=sa.bindparam("answer", type_=record.c.answer.type),
    running_until=CLOCK + sa.func.make_interval(0, 0, 0, 0, 0, 0, sa.bindparam("running_seconds", type_=sa.Float)),
)
PUT = Statement(
    # An existing row is older than a day, or was written by the same call before it waited.
    _given.on_conflict_do_update(
        index_elements=[record.c.id],
        set_={
            "fingerprint": _given.excluded.fingerprint,
            "answer": _given.excluded.answer,
            "running_until": _given.excluded.running_until,
            "created_at": sa.case((record.c.created_at > CLOCK - KEPT, record.c.created_at), else_=CLOCK),
        },
    )
)
"""Writes the record of a key."""
_REMOVE_OLD = removal(record.c.id, record.c.created_at, KEPT)


async def remove_old(db: Database) -> int:
    """Delete rows older than a day, at most 50,000; return the number of deleted rows."""
    return await remove(db, _REMOVE_OLD)
