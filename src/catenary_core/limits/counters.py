"""The counters of all limits: one row each, locked during a change; all times are those of the database's clock."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSON, Insert, insert
from sqlalchemy.sql.dml import ReturningInsert

from catenary_core.database.statements import Statement, json_value, metadata
from catenary_core.database.transactions import Transaction

USER_REQUESTS = "user_requests"
"""Kind of counter: a user's requests per hour."""
PROJECT_EVALUATIONS = "project_evaluations"
"""Kind of counter: a project's evaluations per hour."""
SESSIONS = "sessions"
"""Kind of counter: the versions of which a user's live sessions in a project are counted in this hour."""
USER_BULK = "user_bulk"
"""Kind of counter: a user's concurrent bulk operations."""

counter = sa.Table(
    "counter",
    metadata,
    sa.Column("kind", sa.Text, nullable=False),
    # Id of the user or project that the limit is for, or both with a colon between.
    sa.Column("subject", sa.Text, nullable=False),
    # JSON of window.Window or slots.Slots, or the ends of counted sessions by version.
    sa.Column("state", JSON, nullable=False),
    # Counts the changes of the state.
    sa.Column("version", sa.BigInteger, nullable=False, server_default=sa.text("0")),
    sa.PrimaryKeyConstraint("kind", "subject"),
    schema="limits",
)
"""All counters."""

_epoch = sa.cast(sa.func.extract("epoch", sa.func.clock_timestamp()), sa.Float)
_now = _epoch.label("now")


def _locking(new: Insert) -> ReturningInsert[Any]:
    kept = new.on_conflict_do_update(
        index_elements=[counter.c.kind, counter.c.subject], set_={"state": counter.c.state}
    )
    return kept.returning(counter.c.state, counter.c.version, _now)


_LOCK = Statement(_locking(insert(counter).values({name: sa.bindparam(name) for name in ("kind", "subject", "state")})))
_which = sa.and_(counter.c.kind == sa.bindparam("of_kind"), counter.c.subject == sa.bindparam("of_subject"))
_changed = sa.update(counter).where(_which).values(state=sa.bindparam("new_state"), version=counter.c.version + 1)
_STORE = Statement(_changed)
_SWAP = Statement(
    _changed.where(
        counter.c.version == sa.bindparam("of_version", type_=sa.BigInteger),
        _epoch >= sa.bindparam("since", type_=sa.Float),
        _epoch < sa.bindparam("until", type_=sa.Float),
    ).returning(_now)
)
_READ = Statement(sa.select(counter.c.state, counter.c.version, _now).where(_which))
_NOW = Statement(sa.select(_now))


@dataclass(frozen=True, slots=True)
class CounterState:
    """The state of a counter at a time."""

    state: dict[str, Any]
    """JSON of `window.Window` or `slots.Slots`."""
    version: int
    """Number of changes so far."""
    now: float
    """Time of the database's clock, in Unix seconds."""


async def lock(tx: Transaction, kind: str, subject: str) -> CounterState:
    """Lock a counter until the transaction ends; return its state, with what the transaction stored before."""
    row = await tx.one(_LOCK, kind=kind, subject=subject, state=json_value({}))
    # The row has none of it: it is written at the end of the transaction.
    own = [given for given in tx.deferred(_STORE) if (given["of_kind"], given["of_subject"]) == (kind, subject)]
    if own:
        row |= {"state": deepcopy(own[-1]["new_state"].obj), "version": row["version"] + len(own)}
    return CounterState(**row)


def locked_for(kind: str, subject: sa.ColumnElement[Any], added: sa.CTE) -> sa.CTE:
    """Return a CTE with the locked counter of a row inserted by the same statement, saving a round trip.

    Unlike `lock`, it can't know what the transaction stored before; so its statement is the first to lock the counter.
    Its columns are the fields of `CounterState`. Without an inserted row, nothing is locked.

    Args:
        kind: kind of the counter.
        subject: expression for the id of the user or project.
        added: CTE with the inserted row.
    """
    new = sa.select(sa.literal_column(f"'{kind}'"), subject, sa.literal_column("'{}'::json")).select_from(added)
    return _locking(insert(counter).from_select(["kind", "subject", "state"], new)).cte("locked")


async def store(tx: Transaction, kind: str, subject: str, state: dict[str, Any]) -> None:
    """Write the new state of a locked counter at the end of the transaction; a later `lock` in it returns this state."""
    await tx.execute_at_commit(_STORE, of_kind=kind, of_subject=subject, new_state=json_value(state))


async def swap(
    tx: Transaction, kind: str, subject: str, expected: CounterState, state: dict[str, Any], since: float, until: float
) -> CounterState | None:
    """Write a new state if the counter is unchanged and the time is in [since, until).

    Returns:
        The new state; None if the counter has changed or the time is outside.
    """
    row = await tx.one_or_none(
        _SWAP,
        of_kind=kind,
        of_subject=subject,
        of_version=expected.version,
        new_state=json_value(state),
        since=since,
        until=until,
    )
    return None if row is None else CounterState(state, expected.version + 1, row["now"])


async def read(tx: Transaction, kind: str, subject: str) -> CounterState:
    """Return the state of a counter."""
    row = await tx.one_or_none(_READ, of_kind=kind, of_subject=subject)
    return CounterState({}, 0, (await tx.one(_NOW))["now"]) if row is None else CounterState(**row)
