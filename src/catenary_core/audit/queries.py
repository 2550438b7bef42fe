"""The SQL of the audit trail's writing, chain and retention."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, insert

from catenary_core.audit.tables import address, anchor, entry, is_open
from catenary_core.database.statements import Statement
from catenary_wire.refusals import MOST_COUNT

_WRITTEN = ("actor_id", "credential_id", "action", "subject", "outcome", "request_id", "details", "address")


def _given(name: str) -> sa.BindParameter[Any]:
    return sa.bindparam(name, type_=entry.c[name].type)


_values = {name: _given(name) for name in _WRITTEN}
WRITE = Statement(sa.insert(entry).values(_values))
"""Write an entry."""

# The database's clock, so that all processes have the same minutes.
_minute = sa.func.date_trunc("minute", sa.func.statement_timestamp())
_refused = insert(entry).values(
    {**_values, "count": _given("count"), "fold_key": _given("fold_key")}
    | {"open_until": _minute + sa.text("interval '1 minute'")}
)
COUNT_REFUSALS = Statement(
    _refused.on_conflict_do_update(
        index_elements=[entry.c.fold_key, entry.c.open_until],
        index_where=is_open,
        # Beyond what the column holds nothing is lost but the exact number.
        set_={"count": sa.func.least(sa.cast(entry.c.count, sa.BigInteger) + _refused.excluded.count, MOST_COUNT)},
    )
)
"""Add equal refusals to their row of this minute, which the first of them makes."""

_CHAINED = (
    entry.c.sequence,
    entry.c.occurred_at,
    entry.c.actor_id,
    entry.c.credential_id,
    entry.c.action,
    entry.c.subject,
    entry.c.outcome,
    entry.c.request_id,
    entry.c.count,
    # As text, since the hash is of the very characters.
    sa.cast(entry.c.details, sa.Text).label("details"),
)
BATCH = 1000
"""Largest number of entries that one statement reads."""
UNCHAINED = Statement(
    sa.select(*_CHAINED)
    .where(
        entry.c.chain_sequence.is_(None),
        # A second later than the minute's end, since a flush may be under way.
        sa.or_(
            entry.c.open_until.is_(None),
            entry.c.open_until < sa.func.statement_timestamp() - sa.text("interval '1 second'"),
        ),
    )
    .order_by(entry.c.sequence)
    .limit(sa.literal(BATCH, type_=sa.Integer))
    .with_for_update(skip_locked=True)
)
"""Committed entries without a place in the chain, whose count grows no more."""

_place = entry.c.chain_sequence
_chained_rows = _place.is_not(None)
LAST = Statement(
    sa.select(_place, entry.c.chain_hash).where(_chained_rows).order_by(_place.desc()).limit(sa.literal(1, sa.Integer))
)
"""The end of the chain; no row where every entry was removed."""
LAST_ANCHOR = Statement(
    sa.select(anchor.c.chain_sequence, anchor.c.chain_hash)
    .order_by(anchor.c.chain_sequence.desc())
    .limit(sa.literal(1, sa.Integer))
)
_links = (
    sa.func.unnest(
        sa.bindparam("sequences", type_=ARRAY(sa.BigInteger)),
        sa.bindparam("places", type_=ARRAY(sa.BigInteger)),
        sa.bindparam("hashes", type_=ARRAY(sa.LargeBinary)),
    )
    .table_valued(
        sa.column("sequence", sa.BigInteger), sa.column("place", sa.BigInteger), sa.column("hash", sa.LargeBinary)
    )
    .render_derived("link")
)
CHAIN = Statement(
    sa.update(entry)
    .where(entry.c.sequence == _links.c.sequence)
    # The key of equal refusals is a hash of the address too, which would let it be found after its time.
    .values(chain_sequence=_links.c.place, chain_hash=_links.c.hash, fold_key=None, open_until=None, address=None)
)
"""Give entries their places in the chain and their hashes."""
KEEP_ADDRESSES = Statement(
    sa.insert(address).from_select(
        ["sequence", "address"],
        sa.select(entry.c.sequence, entry.c.address).where(
            entry.c.sequence == sa.func.any(sa.bindparam("sequences", type_=ARRAY(sa.BigInteger))),
            entry.c.address.is_not(None),
        ),
    )
)
"""Take the addresses of entries into their own table, before `CHAIN` removes them from the entries."""
_anchor = insert(anchor).values(
    {
        name: sa.bindparam(name, type_=anchor.c[name].type)
        for name in ("chain_sequence", "chain_hash", "signature", "trimmed")
    }
)
PUT_ANCHOR = Statement(
    _anchor.on_conflict_do_update(
        index_elements=[anchor.c.chain_sequence],
        set_={"signature": _anchor.excluded.signature, "trimmed": _anchor.excluded.trimmed},
    )
)
ANCHORS = Statement(sa.select(anchor).order_by(anchor.c.chain_sequence))
CHAIN_AFTER = Statement(
    sa.select(*_CHAINED, _place, entry.c.chain_hash)
    .where(_place > sa.bindparam("after", type_=sa.BigInteger))
    .order_by(_place)
    .limit(sa.literal(BATCH, type_=sa.Integer))
)
"""The next entries of the chain."""
WAITING = Statement(sa.select(sa.func.count().label("count")).select_from(entry).where(_place.is_(None)))
"""The number of entries without a place in the chain."""

_days_ago = sa.func.statement_timestamp() - sa.func.make_interval(0, 0, 0, sa.bindparam("days", type_=sa.Integer))
OLDEST = Statement(
    sa.select(entry.c.sequence, _place, entry.c.chain_hash, (entry.c.occurred_at < _days_ago).label("is_old"))
    .where(_chained_rows)
    .order_by(_place)
    .limit(sa.literal(BATCH, type_=sa.Integer))
)
_up_to = sa.bindparam("place", type_=sa.BigInteger)
DELETE_ENTRIES = Statement(sa.delete(entry).where(_place <= _up_to))
DELETE_ANCHORS = Statement(sa.delete(anchor).where(anchor.c.chain_sequence < _up_to))
DELETE_ADDRESSES = Statement(
    sa.delete(address).where(address.c.sequence == sa.func.any(sa.bindparam("sequences", type_=ARRAY(sa.BigInteger))))
)
_last_old = (
    sa.select(entry.c.sequence)
    .where(entry.c.occurred_at < _days_ago)
    .order_by(entry.c.occurred_at.desc())
    .limit(sa.literal(1, sa.Integer))
    .scalar_subquery()
)
_old_addresses = (
    sa.select(address.c.sequence)
    .where(address.c.sequence <= _last_old)
    .order_by(address.c.sequence)
    .limit(sa.literal(BATCH, type_=sa.Integer))
)
DELETE_OLD_ADDRESSES = Statement(sa.delete(address).where(address.c.sequence.in_(_old_addresses.scalar_subquery())))
"""Delete addresses of entries that are older than some days."""
_of_actor = entry.c.actor_id == sa.bindparam("actor_id", type_=entry.c.actor_id.type)
FORGET_ADDRESSES = Statement(
    sa.delete(address).where(
        address.c.sequence.in_(
            sa.select(entry.c.sequence).where(_of_actor, entry.c.chain_sequence.is_not(None)).scalar_subquery()
        )
    )
)
"""Delete the addresses of an actor's chained entries."""
FORGET_WAITING_ADDRESSES = Statement(
    sa.update(entry)
    .where(_of_actor, entry.c.chain_sequence.is_(None), entry.c.address.is_not(None))
    .values(address=None)
)
"""Empty the addresses of an actor's entries that wait for the chain."""
