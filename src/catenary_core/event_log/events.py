"""The event log: one append-only table, written in the transaction of the change itself.

WebSockets, streams, webhooks and notifications read it (`event_log`); `data` is the resource under its singular name, without
fields of a person, comment text or secrets (guide/conventions.md, "Events").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
import uuid_utils
from sqlalchemy.dialects.postgresql import JSON, UUID

from catenary_core.call.call import Call
from catenary_core.database.statements import Row, Statement, json_value, metadata, notifying
from catenary_core.database.transactions import Transaction

CHANNEL = "catenary_events"
"""Wakes the sequencer."""
NOTIFY_SECONDS = 0.25
"""A process notifies of events so often at most: commits that notify wait for each other, and wake every process. The sequencer
is told of its own process's events, and for a second after it has found others alone it looks by itself. What another process
writes within that time and the sequencer misses so waits for the poll, a second at most."""

event = sa.Table(
    "event",
    metadata,
    sa.Column("id", UUID(as_uuid=False), primary_key=True),
    # The order of writing: what came to be because of an event has a greater number, whichever node wrote it.
    sa.Column("number", sa.BigInteger, sa.Identity(always=True), nullable=False),
    # The order of reading, given by the sequencer after the commit: numbers commit out of order.
    sa.Column("sequence", sa.BigInteger, nullable=True),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.text("clock_timestamp()")),
    sa.Column("project_id", UUID(as_uuid=False), nullable=True),
    # The project of the environment context service that the row belongs to: the event shows to who may see it.
    sa.Column("environment_project_id", UUID(as_uuid=False), nullable=True),
    sa.Column("actor_id", UUID(as_uuid=False), nullable=True),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("data", JSON, nullable=False),
    # Writers never touch it: an event without its place isn't in it.
    sa.Index("event_sequence_key", "sequence", unique=True, postgresql_where=sa.text("sequence IS NOT NULL")),
    sa.Index("event_unsequenced_idx", "number", postgresql_where=sa.text("sequence IS NULL")),
    schema="events",
)

_WRITTEN = ("id", "type", "project_id", "environment_project_id", "actor_id", "subject", "data")
_insert = sa.insert(event).values({name: sa.bindparam(name, type_=event.c[name].type) for name in _WRITTEN})
_INSERT = Statement(_insert)
_INSERT_AND_WAKE = Statement(_insert.returning(notifying(CHANNEL)))


@dataclass(frozen=True, slots=True)
class Change:
    """What an event tells of: the REST path of the resource, the resource under its singular name, and the project of the
    environment context service that it belongs to, None for a resource of none."""

    subject: str
    data: Mapping[str, Any]
    environment_project_id: str | None = None


async def write(
    tx: Transaction,
    call: Call | None,
    type_: str,
    *,
    subject: str,
    data: Mapping[str, Any],
    project_id: str | None = None,
    actor_id: str | None = None,
) -> None:
    """Appends one event to the log inside `tx`; its readers wake after the commit.

    `subject` is the resource's REST path. The actor is the call's caller unless `actor_id` names another; without both it
    is the platform itself.
    """
    await _append(tx, [_row(call, type_, Change(subject, data), project_id, actor_id)])


async def write_all(tx: Transaction, call: Call | None, type_: str, changes: Sequence[Change]) -> None:
    """As `write`, one event for each change to a row of a data service, in order; none for no change."""
    if changes:
        await _append(tx, [_row(call, type_, change, None, None) for change in changes])


async def _append(tx: Transaction, rows: Sequence[Row]) -> None:
    insert = _INSERT
    if not tx.notified_lately(CHANNEL, NOTIFY_SECONDS):
        insert = _INSERT_AND_WAKE
        tx.notifies(CHANNEL)
    for row in rows:
        await tx.execute_at_commit(insert, **row)
    tx.tells(CHANNEL)


def _row(call: Call | None, type_: str, change: Change, project_id: str | None, actor_id: str | None) -> Row:
    if actor_id is None and call is not None and call.identity is not None and call.identity.kind != "worker":
        actor_id = call.identity.user_id
    return {
        "id": str(uuid_utils.uuid7()),
        "type": type_,
        "project_id": project_id,
        "environment_project_id": change.environment_project_id,
        "actor_id": actor_id,
        "subject": change.subject,
        "data": json_value(change.data),
    }
