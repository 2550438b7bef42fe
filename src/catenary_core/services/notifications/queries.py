"""The SQL of notifications."""

from __future__ import annotations

import itertools
from typing import Any

import sqlalchemy as sa

from catenary_core.access.addressees import has_role
from catenary_core.database.columns import CLOCK, Id, user_reference
from catenary_core.database.retention import removal
from catenary_core.database.statements import Statement
from catenary_core.event_log.notifications import notification
from catenary_core.resources.platform_pages import PlatformList, listed
from catenary_core.services.notifications.rules import Recipient

# Views of other services: active projects, users of teams, authors of comments and of variants, and outlasting evaluations.
_project = sa.table("active_project", sa.column("project_id", Id), sa.column("name", sa.Text), schema="projects")
_team = sa.table("team_user", sa.column("team_id", Id), sa.column("user_id", Id), schema="identity")
_author = sa.table("author", sa.column("comment_id", Id), sa.column("user_id", Id), schema="comments")
_variant = sa.table("active_variant", sa.column("variant_id", Id), sa.column("created_by", Id), schema="variants")
_outlasting = sa.table("outlasting", sa.column("evaluation_id", Id), sa.column("user_id", Id), schema="evaluations")


def _users(view: sa.TableClause, key: str, user: str = "user_id") -> Statement:
    of_ids = view.c[key] == sa.any_(sa.bindparam("ids", type_=sa.ARRAY(Id)))
    return Statement(sa.select(view.c[key].label("id"), view.c[user].label("user_id")).where(of_ids))


USERS = {
    Recipient.TEAM: _users(_team, "team_id"),
    Recipient.AUTHOR: _users(_author, "comment_id"),
    Recipient.VARIANT_AUTHOR: _users(_variant, "variant_id", "created_by"),
    Recipient.ASKER: _users(_outlasting, "evaluation_id"),
}
"""The users that the ids of each kind of recipient stand for, with the ids."""

KEPT = sa.text("interval '90 days'")
"""Retention; longer than that of the event log, so that a user who was away for a month misses nothing."""
REMOVE_OLD = removal(notification.c.notification_id, notification.c.created_at, KEPT)

_user_id = sa.bindparam("user_id", type_=Id)
_mine = notification.c.user_id == _user_id
_this = notification.c.notification_id == sa.bindparam("notification_id", type_=Id)
_read = notification.c.read_at.is_not(None)


def _visible_rows(*, admin: bool) -> sa.Select[Any]:
    """Select the user's notifications that are visible now.

    Visible are those of no project, and those of an active project in which the user has a role, or of which it sees a variant.
    """
    seen: sa.ColumnElement[bool] = _project.c.project_id.is_not(None)
    if not admin:
        seen &= has_role(_user_id)
    return (
        sa.select(
            notification.c.notification_id,
            notification.c.kind,
            _project.c.name.label("project_name"),
            notification.c.subject,
            notification.c.project_id,
            notification.c.event_id,
            notification.c.actor_id,
            user_reference(notification.c.actor_id, "actor"),
            _read.label("read"),
            notification.c.read_at,
            notification.c.created_at,
        )
        .outerjoin_from(notification, _project, _project.c.project_id == notification.c.project_id)
        .where(_mine, sa.or_(notification.c.project_id.is_(None), seen))
    )


def _listed(*, admin: bool, unread: bool | None) -> PlatformList:
    rows = _visible_rows(admin=admin)
    if unread is not None:
        rows = rows.where(~_read if unread else _read)
    return listed(rows, notification.c.created_at, notification.c.notification_id, newest_first=True)


LIST = {
    (admin, unread): _listed(admin=admin, unread=unread)
    for admin, unread in itertools.product((True, False), (None, True, False))
}
"""A user's notifications, newest first, by (the caller is an Admin, the filter `unread`)."""

ONE = {admin: Statement(_visible_rows(admin=admin).where(_this)) for admin in (True, False)}
"""One notification of a user, by whether the caller is an Admin."""
HOLD = Statement(sa.select(notification.c.notification_id).where(_this, _mine).with_for_update())
MARK = Statement(
    sa.update(notification)
    .where(_this)
    .values(read_at=sa.case((sa.bindparam("read", type_=sa.Boolean), CLOCK)))
    .returning(_read.label("read"), notification.c.read_at)
)
