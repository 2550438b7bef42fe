"""The counters of all limits: one row each, locked while it is changed. The database's clock is the one that counts."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSON, insert

from catenary_core.db import Statement, Transaction, json_value, metadata

USER_REQUESTS = "user_requests"
PROJECT_EVALUATIONS = "project_evaluations"
USER_BULK = "user_bulk"

counter = sa.Table(
    "counter",
    metadata,
    sa.Column("kind", sa.Text, nullable=False),
    # Id of the user or project that the limit is for.
    sa.Column("subject", sa.Text, nullable=False),
    # As window.Window or slots.Slots keep it.
    sa.Column("state", JSON, nullable=False),
    sa.PrimaryKeyConstraint("kind", "subject"),
    schema="limits",
)

_now = sa.cast(sa.func.extract("epoch", sa.func.clock_timestamp()), sa.Float).label("now")
_new = insert(counter).values(kind=sa.bindparam("kind"), subject=sa.bindparam("subject"), state=sa.bindparam("empty"))
_LOCK = Statement(
    _new.on_conflict_do_update(
        index_elements=[counter.c.kind, counter.c.subject], set_={"state": counter.c.state}
    ).returning(counter.c.state, _now)
)
_which = sa.and_(counter.c.kind == sa.bindparam("of_kind"), counter.c.subject == sa.bindparam("of_subject"))
_STORE = Statement(sa.update(counter).where(_which).values(state=sa.bindparam("new_state")))
_READ = Statement(sa.select(counter.c.state, _now).where(_which))
_NOW = Statement(sa.select(_now))


async def lock(tx: Transaction, kind: str, subject: str) -> tuple[dict[str, Any], float]:
    """The state of a counter, which no one else changes until the transaction ends, and the time."""
    row = await tx.one(_LOCK, kind=kind, subject=subject, empty=json_value({}))
    return row["state"], row["now"]


async def store(tx: Transaction, kind: str, subject: str, state: dict[str, Any]) -> None:
    """Keeps the new state of a locked counter."""
    await tx.execute(_STORE, of_kind=kind, of_subject=subject, new_state=json_value(state))


async def read(tx: Transaction, kind: str, subject: str) -> tuple[dict[str, Any], float]:
    """The state of a counter as it is, and the time."""
    row = await tx.one_or_none(_READ, of_kind=kind, of_subject=subject)
    return ({}, (await tx.one(_NOW))["now"]) if row is None else (row["state"], row["now"])
