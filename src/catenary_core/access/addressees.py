"""Users to whom notifications are, as viewers of the events about them (guide/conventions.md, "Events").

A notification is its user's alone: other members of its project don't see it, nor do Admins. It shows while its project is
active and its user has a role in it, in one of its variants, or as an Admin.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from catenary_core.call.call import Identity
from catenary_core.database.columns import Id, active_project
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Transaction
from catenary_core.event_log.notifications import notification

# Views of the projects service, of active projects alone.
_roles = [
    sa.table(name, sa.column("project_id", Id), sa.column("user_id", Id), schema="projects")
    for name in ("project_role", "variant_role")
]


def has_role(user_id: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Return the condition that a user has a role in a notification's project, or in one of its variants."""
    return sa.or_(
        *(
            notification.c.project_id.in_(sa.select(view.c.project_id).where(view.c.user_id == user_id))
            for view in _roles
        )
    )


_OF_IDS = Statement(
    sa.select(
        notification.c.notification_id,
        notification.c.user_id,
        sa.or_(notification.c.project_id.is_(None), has_role(notification.c.user_id)).label("has_role"),
    )
    .outerjoin_from(notification, active_project, active_project.c.project_id == notification.c.project_id)
    .where(
        notification.c.notification_id == sa.any_(sa.bindparam("ids", type_=sa.ARRAY(Id))),
        sa.or_(notification.c.project_id.is_(None), active_project.c.project_id.is_not(None)),
    )
)


@dataclass(frozen=True, slots=True)
class Addressee:
    """The one viewer of the event about a notification."""

    user_id: str | None
    """The user; None for nobody, since the notification or its project is gone."""
    has_role: bool
    """True if the user has a role in the notification's project, or there is no project; Admins need no role."""

    def is_seen_by(self, identity: Identity) -> bool:
        """Return whether an identity is the user, and sees the notification now."""
        return identity.user_id == self.user_id and (self.has_role or identity.admin)


NO_ADDRESSEE = Addressee(None, has_role=False)
"""Stands for the user of a notification that nobody sees any more."""


async def addressees(tx: Transaction, notification_ids: Collection[str]) -> Mapping[str, Addressee]:
    """Return the addressee of each notification, by its id; those that nobody sees any more are omitted."""
    rows = await tx.all(_OF_IDS, ids=list(notification_ids))
    return {row["notification_id"]: Addressee(row["user_id"], has_role=row["has_role"]) for row in rows}
