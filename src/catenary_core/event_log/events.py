"""Writing of the event log: one append-only table, written in the transaction of the change itself.

WebSockets, streams, webhooks and notifications read it (`reader`). `data` is the resource under its singular name,
without personal data, comment text or secrets (guide/conventions.md, "Events").
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
"""Channel that wakes the sequencer."""
NOTIFY_SECONDS = 0.25
"""Shortest time in seconds between two notifications of a process.

Commits that notify wait for each other, and wake every process. The sequencer learns of its own process's events
directly, and for one second after it found only other processes' events it looks without being woken. So an event that
another process writes within this time and the sequencer misses waits for the poll, at most one second.
"""

event = sa.Table(
    "event",
    metadata,
    sa.Column("id", UUID(as_uuid=False), primary_key=True),
    # The order of writing: an event caused by another one has the greater number, whichever nodes wrote them.
    sa.Column("number", sa.BigInteger, sa.Identity(always=True), nullable=False),
    # The order of reading, assigned by the sequencer after the commit: numbers commit out of order.
    sa.Column("sequence", sa.BigInteger, nullable=True),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.text("clock_timestamp()")),
    sa.Column("project_id", UUID(as_uuid=False), nullable=True),
    # The project of the environment context service that the row belongs to: who may see the project sees the event.
    sa.Column("environment_project_id", UUID(as_uuid=False), nullable=True),
    sa.Column("actor_id", UUID(as_uuid=False), nullable=True),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("data", JSON, nullable=False),
    # Writers never touch this index: an event without a sequence number isn't in it.
    sa.Index("event_sequence_key", "sequence", unique=True, postgresql_where=sa.text("sequence IS NOT NULL")),
    sa.Index("event_unsequenced_idx", "number", postgresql_where=sa.text("sequence IS NULL")),
    schema="events",
)
"""The log."""

_WRITTEN = ("id", "type", "project_id", "environment_project_id", "actor_id", "subject", "data")
_insert = sa.insert(event).values({name: sa.bindparam(name, type_=event.c[name].type) for name in _WRITTEN})
_INSERT = Statement(_insert)
_INSERT_AND_WAKE = Statement(_insert.returning(notifying(CHANNEL)))


@dataclass(frozen=True, slots=True)
class Change:
    """The changed resource of an event."""

    subject: str
    """REST path of the resource."""
    data: Mapping[str, Any]
    """The resource under its singular name."""
    environment_project_id: str | None = None
    """Project of the environment context service that the resource belongs to; None for no project."""
    project_id: str | None = None
    """Project of the platform that the resource belongs to; None for no project."""


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
    """Append one event to the log inside `tx`; readers wake after the commit.

    Args:
        tx: transaction of the change.
        call: call that makes the change; None for the platform itself.
        type_: type of the event.
        subject: REST path of the resource.
        data: the resource under its singular name.
        project_id: platform project that the event belongs to.
        actor_id: user who acts, if not the caller. Without both, the platform itself acts.
    """
    await _append(tx, [_row(call, type_, Change(subject, data), project_id, actor_id)])


async def write_all(
    tx: Transaction, call: Call | None, type_: str, changes: Sequence[Change], *, actor_id: str | None = None
) -> None:
    """Append one event per change of several rows, in order; otherwise as `write`."""
    if changes:
        await _append(tx, [_row(call, type_, change, change.project_id, actor_id) for change in changes])


def without_names(resource: Mapping[str, Any]) -> dict[str, Any]:
    """Return a resource of the platform for an event: its `created_by` has the id of the user alone."""
    return {**resource, "created_by": {"user_id": resource["created_by"]["user_id"]}}


async def _append(tx: Transaction, rows: Sequence[Row]) -> None:
    insert = _INSERT
    if not tx.notified_within(CHANNEL, NOTIFY_SECONDS):
        insert = _INSERT_AND_WAKE
        tx.record_notification(CHANNEL)
    for row in rows:
        await tx.execute_at_commit(insert, **row)
    tx.wake_locally(CHANNEL)


def _row(call: Call | None, type_: str, change: Change, project_id: str | None, actor_id: str | None) -> Row:
    if actor_id is None and call is not None and call.identity is not None and call.identity.is_user:
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
