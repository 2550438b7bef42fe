"""The SQL of invitations."""

from __future__ import annotations

import sqlalchemy as sa

from catenary.platform.v1 import invitation_pb2, role_pb2
from catenary_core.database.columns import Id, user_reference
from catenary_core.database.statements import Statement
from catenary_core.resources.platform_pages import listed
from catenary_core.services.projects.tables import active_project, enabled_user, invitation, project_role

_instant = sa.func.statement_timestamp()
_project_id = sa.bindparam("project_id", type_=Id)
_may_invite = sa.exists().where(
    enabled_user.c.user_id == invitation.c.created_by,
    sa.or_(
        enabled_user.c.admin,
        sa.exists()
        .where(
            project_role.c.project_id == invitation.c.project_id,
            project_role.c.user_id == enabled_user.c.user_id,
            project_role.c.role == role_pb2.ROLE_OWNER,
        )
        .correlate(invitation, enabled_user),
    ),
    sa.exists().where(active_project.c.project_id == invitation.c.project_id).correlate(invitation),
)
"""True if the inviter is an enabled owner of the project, or an Admin, and the project is not deleted."""
_waits = sa.and_(invitation.c.taken_by.is_(None), invitation.c.revoked_at.is_(None), invitation.c.deleted_at.is_(None))
_is_open = sa.and_(_waits, invitation.c.expires_at > _instant, _may_invite)
_status = sa.case(
    (invitation.c.taken_by.is_not(None), invitation_pb2.INVITATION_STATUS_TAKEN),
    (sa.or_(invitation.c.revoked_at.is_not(None), ~_may_invite), invitation_pb2.INVITATION_STATUS_REVOKED),
    (invitation.c.deleted_at.is_not(None), invitation_pb2.INVITATION_STATUS_REVOKED),
    (invitation.c.expires_at <= _instant, invitation_pb2.INVITATION_STATUS_EXPIRED),
    else_=invitation_pb2.INVITATION_STATUS_OPEN,
)
_COLUMNS = (
    invitation.c.invitation_id,
    invitation.c.project_id,
    invitation.c.email,
    invitation.c.staff_name,
    invitation.c.role,
    _status.label("status"),
    invitation.c.expires_at,
    user_reference(invitation.c.taken_by, "taken_by"),
    user_reference(invitation.c.created_by, "created_by"),
    invitation.c.created_at,
    invitation.c.updated_at,
    invitation.c.deleted_at,
)
_of_project = sa.and_(invitation.c.project_id == _project_id, invitation.c.deleted_at.is_(None))
_this = sa.and_(invitation.c.invitation_id == sa.bindparam("invitation_id", type_=Id), _of_project)

LIST = listed(
    sa.select(*_COLUMNS).where(_of_project),
    invitation.c.created_at,
    invitation.c.invitation_id,
)
"""The invitations to a project, oldest first."""

ONE = Statement(sa.select(*_COLUMNS).where(_this))
LOCK = Statement(sa.select(invitation.c.invitation_id).where(_this).with_for_update())
COUNT_OPEN = Statement(
    sa.select(sa.func.count().label("count")).select_from(invitation).where(_of_project, _waits, _is_open)
)
_GIVEN = ("invitation_id", "project_id", "digest", "email", "staff_name", "role", "created_by")
INSERT = Statement(
    sa.insert(invitation)
    .values({name: sa.bindparam(name, type_=invitation.c[name].type) for name in _GIVEN})
    .values(
        expires_at=_instant + sa.func.make_interval(0, 0, 0, 0, 0, 0, sa.bindparam("lifetime_seconds", type_=sa.Float))
    )
)
DELETE = Statement(
    sa.update(invitation)
    .where(_this)
    .values(email=sa.literal_column("''"), staff_name=sa.literal_column("''"), updated_at=_instant, deleted_at=_instant)
    .returning(*_COLUMNS)
)
"""Delete an invitation, and forget the person."""

PROJECT_OF_TOKEN = Statement(
    sa.select(invitation.c.project_id).where(
        invitation.c.digest == sa.bindparam("digest", type_=sa.LargeBinary), _is_open
    )
)
"""The project of an open invitation, to be locked before the invitation is taken."""
TAKE = Statement(
    sa.update(invitation)
    .where(invitation.c.digest == sa.bindparam("digest", type_=sa.LargeBinary), _is_open)
    .values(taken_by=sa.bindparam("user_id", type_=Id), updated_at=_instant)
    .returning(
        invitation.c.project_id,
        invitation.c.email,
        invitation.c.staff_name,
        invitation.c.role,
        invitation.c.created_by,
    )
)
"""Take an open invitation; no row for one that is not open any more."""
REVOKE = Statement(
    sa.update(invitation)
    .where(_waits, invitation.c.expires_at > _instant, ~_may_invite)
    .values(revoked_at=_instant, updated_at=_instant)
)
"""End the invitations of those who may not invite any more, so that none comes back with its inviter's rights."""
TO_REVOKE = Statement(
    sa.select(invitation.c.invitation_id)
    .where(_waits, invitation.c.expires_at > _instant, ~_may_invite)
    .limit(sa.literal(1, type_=sa.Integer))
)
ERASE = Statement(
    sa.update(invitation)
    .where(invitation.c.taken_by == sa.bindparam("user_id", type_=Id))
    .values(email="", staff_name="", updated_at=_instant)
)
