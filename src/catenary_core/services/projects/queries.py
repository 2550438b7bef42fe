"""The SQL of projects."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from catenary.platform.v1 import role_pb2, share_pb2
from catenary_core.database.columns import CLOCK, Id
from catenary_core.database.statements import Statement, search_condition
from catenary_core.resources.platform_pages import PlatformList, listed
from catenary_core.resources.platform_rows import PlatformRow, inserted
from catenary_core.services.projects.tables import (
    access,
    active_project,
    active_share,
    active_team,
    active_user,
    deployed,
    member,
    project,
    project_role,
    team_user,
)

_hour_ago = CLOCK - sa.text("interval '1 hour'")
_project_id = sa.bindparam("project_id", type_=Id)
_user_id = sa.bindparam("user_id", type_=Id)
_member_id = sa.bindparam("member_id", type_=Id)
_admin = sa.bindparam("admin", type_=sa.Boolean)
_role = sa.bindparam("role", type_=sa.Integer)


def _project(deployed_id: sa.ColumnElement[Any]) -> tuple[sa.ColumnElement[Any], ...]:
    return (
        project.c.project_id,
        project.c.name,
        project.c.description,
        project.c.environment_project_id,
        deployed_id.label("deployed_model_version_id"),
        project.c.created_at,
        project.c.updated_at,
        project.c.deleted_at,
        project.c.owner_user_id,
    )


_columns = _project(
    sa.select(deployed.c.model_version_id)
    .where(deployed.c.project_id == project.c.project_id)
    .correlate(project)
    .scalar_subquery()
)
_row = PlatformRow(project, _columns)

ROLE = Statement(
    sa.select(
        sa.case(
            (_admin, role_pb2.ROLE_OWNER),
            else_=sa.select(sa.func.max(project_role.c.role))
            .where(project_role.c.project_id == _project_id, project_role.c.user_id == _user_id)
            .scalar_subquery(),
        ).label("role")
    ).where(active_project.c.project_id == _project_id)
)
"""The caller's role in an active project: no row without the project, null without a role."""


def _listed(*, admin: bool) -> PlatformList:
    if admin:
        rows = sa.select(*_columns, sa.literal_column(str(role_pb2.ROLE_OWNER)).label("role"))
    else:
        roles = (
            sa.select(project_role.c.project_id, sa.func.max(project_role.c.role).label("role"))
            .where(project_role.c.user_id == _user_id)
            .group_by(project_role.c.project_id)
            .subquery()
        )
        rows = sa.select(*_columns, roles.c.role).join(roles, roles.c.project_id == project.c.project_id)
    rows = rows.where(_row.active, search_condition(project.c.name))
    return listed(rows, project.c.created_at, project.c.project_id)


LIST = {admin: _listed(admin=admin) for admin in (True, False)}
"""The projects that a user may see, oldest first, by whether the caller is an Admin."""

GET = _row.one(
    sa.exists()
    .where(access.c.project_id == _project_id, access.c.user_id == _user_id, access.c.accessed_at > _hour_ago)
    .label("seen")
)
"""One project, and whether the user has accessed it within the last hour."""

_insert_access = insert(access).values(project_id=_project_id, user_id=_user_id)
NOTE_ACCESS = Statement(
    _insert_access.on_conflict_do_update(
        index_elements=[access.c.project_id, access.c.user_id],
        set_={"accessed_at": CLOCK},
        where=access.c.accessed_at <= _hour_ago,
    )
)
"""Record an access to a project; change no row if the last access was within the hour."""

INSERT = Statement(
    inserted(project, "project_id", "name", "description", "environment_project_id", "owner_user_id").returning(
        *_project(sa.cast(None, Id))
    )
)
update = _row.update
DELETE = _row.delete()
LOCK = Statement(
    sa.select(project.c.project_id, project.c.environment_project_id).where(_row.this).with_for_update(key_share=True)
)
"""An active project, locked: changes of its link, its members, and users and teams that own it follow each other."""

_held = sa.union_all(
    sa.select(
        member.c.project_id,
        member.c.member_id,
        member.c.is_team,
        member.c.role,
        member.c.created_at,
        member.c.updated_at,
        sa.cast(sa.null(), sa.DateTime(timezone=True)).label("expires_at"),
        sa.cast(sa.null(), Id).label("share_id"),
        member.c.member_id.label("held_id"),
    ),
    sa.select(
        active_share.c.project_id,
        active_share.c.member_id,
        (active_share.c.kind == share_pb2.SHARE_KIND_TEAM).label("is_team"),
        active_share.c.role,
        active_share.c.created_at,
        active_share.c.created_at.label("updated_at"),
        active_share.c.expires_at,
        active_share.c.share_id,
        active_share.c.share_id.label("held_id"),
    ).where(active_share.c.kind != share_pb2.SHARE_KIND_LINK, active_share.c.variant_id.is_(None)),
).subquery("held")
_members = (
    sa.select(
        *(column for column in _held.c if column.name != "project_id"),
        sa.func.coalesce(active_user.c.staff_name, active_team.c.name, "").label("name"),
    )
    .select_from(
        _held.outerjoin(
            active_user, sa.and_(sa.not_(_held.c.is_team), active_user.c.user_id == _held.c.member_id)
        ).outerjoin(active_team, sa.and_(_held.c.is_team, active_team.c.team_id == _held.c.member_id))
    )
    .where(_held.c.project_id == _project_id)
)
LIST_MEMBERS = listed(_members, _held.c.created_at, _held.c.held_id)
"""The members of a project and those with whom it is shared, oldest first."""

_of_member = _members.where(_held.c.member_id == _member_id)
GET_MEMBER = Statement(_of_member.where(_held.c.share_id.is_(None)))
"""A member that no share alone has made one."""
ROLES_OF_MEMBER = Statement(_of_member.order_by(_held.c.share_id.asc().nulls_first()))
"""The roles of a user or a team in a project, first that of the member without a share."""

HOLD_USER = Statement(
    sa.select(active_user.c.user_id)
    .where(active_user.c.user_id == _member_id)
    .with_for_update(read=True, key_share=True)
)
"""An active user, locked against deletion; no row without one."""

HOLD_USERS_OF_EMAIL = Statement(
    sa.select(active_user.c.user_id)
    .where(sa.func.lower(active_user.c.email) == sa.func.lower(sa.bindparam("email", type_=sa.Text)))
    .order_by(active_user.c.user_id)
    .limit(2)
    .with_for_update(read=True, key_share=True)
)
"""The active users with an e-mail address, at most two, locked against deletion."""

HOLD_TEAM = Statement(
    sa.select(active_team.c.team_id)
    .where(active_team.c.team_id == _member_id)
    .where(
        sa.or_(
            _admin,
            active_team.c.created_by == _user_id,
            sa.exists().where(team_user.c.team_id == _member_id, team_user.c.user_id == _user_id),
        )
    )
    .with_for_update(read=True, key_share=True)
)
"""A team that the caller may see, locked against deletion and removal of members; no row without one."""

PUT_MEMBER = Statement(
    insert(member)
    .values(project_id=_project_id, member_id=_member_id, is_team=sa.bindparam("is_team", type_=sa.Boolean), role=_role)
    .on_conflict_do_update(
        index_elements=[member.c.project_id, member.c.member_id], set_={"role": _role, "updated_at": CLOCK}
    )
)
DELETE_MEMBER = Statement(sa.delete(member).where(member.c.project_id == _project_id, member.c.member_id == _member_id))

_owners = sa.exists().where(project_role.c.project_id == _project_id, project_role.c.role == role_pb2.ROLE_OWNER)
OWNED = Statement(sa.select(_owners.label("owned")))
"""True for a project that an active user owns, directly or through a team."""
OWNS = Statement(sa.select(_owners.where(project_role.c.user_id == _user_id).label("owns")))
"""True for a project that this active user owns, directly or through a team."""
PAYER_LOST = Statement(
    sa.select(
        sa.exists()
        .where(
            project.c.project_id == _project_id,
            project.c.owner_user_id == active_user.c.user_id,
            sa.or_(
                project.c.owner_user_id == _member_id,
                sa.exists()
                .where(team_user.c.team_id == _member_id, team_user.c.user_id == project.c.owner_user_id)
                .correlate(project),
            ),
            ~_owners.where(project_role.c.user_id == project.c.owner_user_id).correlate(project),
        )
        .label("lost")
    )
)
"""True if who pays for a project is this member or in this team, and isn't an owner any more."""
