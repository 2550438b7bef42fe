"""Notifications to users, made with their events in the transaction of the change or of the handling of its event.

The notifications service makes those that follow from events (`services.notifications.rules`) and shows them all. A
service whose change is no event calls `notify`.
"""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa
import uuid_utils

from catenary.platform.v1 import notification_service_pb2
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.columns import Id
from catenary_core.database.statements import Row, Statement, metadata
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events

CREATED = "notification.created"
"""Type of the event that each notification writes; it has no rule, so that no notification causes another."""
_PATH = resource_path(notification_service_pb2, "GetNotification")

notification = sa.Table(
    "notification",
    metadata,
    sa.Column("notification_id", Id, primary_key=True),
    # The recipient.
    sa.Column("user_id", Id, nullable=False),
    # A name of NotificationKind of notification.proto.
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    # The notification is visible while the recipient has a role in this project.
    sa.Column("project_id", Id, nullable=True),
    sa.Column("event_id", Id, nullable=True),
    sa.Column("actor_id", Id, nullable=True),
    sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.text("clock_timestamp()")),
    sa.Index(None, "user_id", "created_at", "notification_id"),
    sa.Index(
        "notification_unread_idx",
        "user_id",
        "created_at",
        "notification_id",
        postgresql_where=sa.text("read_at IS NULL"),
    ),
    sa.Index("notification_created_at_idx", "created_at"),
    schema="notifications",
)
"""Notifications of all users."""

_ids = sa.ARRAY(Id)
_EACH = ("kind", "subject", "project_id", "event_id", "actor_id")
_INSERT = Statement(
    sa.insert(notification)
    .from_select(
        ["notification_id", "user_id", *_EACH],
        sa.select(
            sa.func.unnest(sa.bindparam("notification_ids", type_=_ids)),
            sa.func.unnest(sa.bindparam("user_ids", type_=_ids)),
            *(sa.bindparam(name, type_=notification.c[name].type) for name in _EACH),
        ),
    )
    .returning(notification.c.notification_id, *(notification.c[name] for name in _EACH), notification.c.created_at)
)


async def notify(
    tx: Transaction,
    kind: str,
    user_ids: Collection[str],
    *,
    subject: str,
    project_id: str | None = None,
    event_id: str | None = None,
    actor_id: str | None = None,
) -> None:
    """Add a notification for each of the users, and its event, inside `tx`.

    Args:
        tx: transaction of the change.
        kind: name of a NotificationKind, in lower case without prefix.
        user_ids: the users; repeated ids count once.
        subject: REST path of the resource.
        project_id: makes the notification visible only to users with a role in that project.
        event_id: event from which the notification follows.
        actor_id: user who acted.
    """
    users = sorted(set(user_ids))
    if not users:
        return
    rows = await tx.all(
        _INSERT,
        notification_ids=[str(uuid_utils.uuid7()) for _ in users],
        user_ids=users,
        kind=kind,
        subject=subject,
        project_id=project_id,
        event_id=event_id,
        actor_id=actor_id,
    )
    await events.write_all(tx, None, CREATED, [_change(row) for row in rows], actor_id=actor_id)


def _change(row: Row) -> events.Change:
    """Build the change of a new notification, whose title and actor's name are read with it."""
    data = {"notification": {**row, "read": False, "read_at": None}}
    return events.Change(_PATH.format(row["notification_id"]), data, project_id=row["project_id"])
