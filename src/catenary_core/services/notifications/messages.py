"""Messages of notification.proto built from rows."""

from __future__ import annotations

from catenary.platform.v1.notification_shapes import Notification
from catenary_core.database.statements import Row
from catenary_core.services.notifications.rules import title_of


def notification(row: Row) -> Notification:
    """Build a notification."""
    title, project = title_of(row["kind"], row["subject"]), row["project_name"]
    return {
        "notification_id": row["notification_id"],
        "kind": row["kind"],
        "title": title if project is None else f"{project}: {title}",
        "subject": row["subject"],
        "project_id": row["project_id"],
        "event_id": row["event_id"],
        "actor_id": row["actor_id"],
        "actor": row["actor"],
        "read": row["read"],
        "read_at": row["read_at"],
        "created_at": row["created_at"],
    }
