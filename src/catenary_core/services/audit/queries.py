"""The SQL of lists of audit entries; a row's columns are its message's fields, in order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import sqlalchemy as sa

from catenary_core.audit.tables import OBJECT, OBJECT_PATH, address, entry
from catenary_core.database.columns import user_reference
from catenary_core.database.statements import Statement

_object = sa.literal_column(OBJECT, sa.Text)
_OBJECT_PATH = re.compile(OBJECT_PATH)
_subject = sa.bindparam("subject", type_=sa.Text)
_outcome = sa.bindparam("outcome", type_=sa.Text)
_ok = sa.literal_column("'ok'", sa.Text)


def _moment(name: str) -> sa.ColumnElement[Any]:
    return sa.cast(sa.bindparam(name, type_=sa.Text), sa.DateTime(timezone=True))


# Each has the condition of its index, which the planner can't conclude from the value of a parameter.
_CONDITIONS: Mapping[str, sa.ColumnElement[bool]] = {
    "actor_id": entry.c.actor_id == sa.bindparam("actor_id", type_=entry.c.actor_id.type),
    "action": entry.c.action == sa.bindparam("action", type_=sa.Text),
    "below_subject": sa.and_(_object == _subject, entry.c.subject.is_not(None)),
    "subject": sa.and_(entry.c.subject == _subject, _object.is_distinct_from(entry.c.subject)),
    "refused": sa.and_(entry.c.outcome == _outcome, entry.c.outcome != _ok),
    "ok": sa.and_(entry.c.outcome == _outcome, entry.c.outcome == _ok),
    "from": entry.c.occurred_at >= _moment("from"),
    "to": entry.c.occurred_at < _moment("to"),
}
_columns = (
    entry.c.sequence,
    entry.c.occurred_at,
    user_reference(entry.c.actor_id, "actor"),
    entry.c.credential_id,
    sa.func.host(
        sa.func.coalesce(
            entry.c.address,
            sa.select(address.c.address).where(address.c.sequence == entry.c.sequence).scalar_subquery(),
        )
    ).label("address"),
    entry.c.action,
    entry.c.subject,
    entry.c.outcome,
    entry.c.count,
    entry.c.request_id,
    entry.c.details,
    entry.c.chain_sequence,
)
_key = (entry.c.occurred_at, entry.c.sequence)
_place = entry.c.chain_sequence
_after = sa.tuple_(_moment("after_created_at"), sa.bindparam("after_id", type_=sa.BigInteger))


def conditions(given: Mapping[str, str]) -> frozenset[str]:
    """Return the names of the conditions of `page` for these filters, by name of the request's field."""
    names = set(given)
    if "subject" in given and _OBJECT_PATH.fullmatch(given["subject"]):
        names = names - {"subject"} | {"below_subject"}
    if "outcome" in given:
        names = names - {"outcome"} | {"ok" if given["outcome"] == "ok" else "refused"}
    return frozenset(names)


@cache
def page(names: frozenset[str], following: bool) -> Statement:
    """Build the list of entries, newest first, under the named conditions; `following`: after a cursor."""
    newest = [column.desc() for column in _key]
    # The sequences first: planned as a join, the rows of the page would be looked for in whole tables.
    found = sa.select(*_key).where(*(_CONDITIONS[name] for name in sorted(names)))
    if following:
        found = found.where(sa.tuple_(*_key) < _after)
    limit = sa.bindparam("page_rows", type_=sa.Integer)
    # The indexes of lists have the chained entries alone; the others, of the last second, are read beside them.
    parts = (found.where(is_part).order_by(*newest).limit(limit) for is_part in (_place.is_not(None), _place.is_(None)))
    both = sa.union_all(*parts).subquery("both")
    sequences = sa.select(both.c.sequence).order_by(*(both.c[column.name].desc() for column in _key)).limit(limit)
    shown = entry.c.sequence == sa.any_(sa.func.array(sequences.scalar_subquery()))
    return Statement(sa.select(*_columns).where(shown).order_by(*newest))
