"""The SQL of invitations."""

from __future__ import annotations

import sqlalchemy as sa

from catenary.platform.v1 import invitation_pb2, role_pb2
from catenary_core.database.columns import DELETED, INSTANT, Id, user_reference
from catenary_core.database.statements import Statement
from catenary_core.resources.platform_rows import PlatformRow, inserted
from catenary_core.services.projects.tables import active_project, enabled_user, invitation, project_role

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
_is_open = sa.and_(_waits, invitation.c.expires_at > INSTANT, _may_invite)
_status = sa.case(
    (invitation.c.taken_by.is_not(None), invitation_pb2.INVITATION_STATUS_TAKEN),
    (sa.or_(invitation.c.revoked_at.is_not(None), ~_may_invite), invitation_pb2.INVITATION_STATUS_REVOKED),
    (invitation.c.deleted_at.is_not(None), invitation_pb2.INVITATION_STATUS_REVOKED),
    (invitation.c.expires_at <= INSTANT, invitation_pb2.INVITATION_STATUS_EXPIRED),
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
_row = PlatformRow(invitation, _COLUMNS, holds=_of_project)

LIST = _row.listed(_of_project)
"""The invitations to a project, oldest first."""

ONE, LOCK = _row.one(), _row.lock()
COUNT_OPEN = Statement(
    sa.select(sa.func.count().label("count")).select_from(invitation).where(_of_project, _waits, _is_open)
)
INSERT = Statement(
    inserted(invitation, "invitation_id", "project_id", "digest", "email", "staff_name", "role", "created_by").values(
        expires_at=INSTANT + sa.func.make_interval(0, 0, 0, 0, 0, 0, sa.bindparam("lifetime_seconds", type_=sa.Float))
    )
)
DELETE = Statement(
    sa.update(invitation)
    .where(_row.this)
    .values(DELETED | {"email": sa.literal_column("''"), "staff_name": sa.literal_column("''")})
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
    .values(taken_by=sa.bindparam("user_id", type_=Id), updated_at=INSTANT)
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
    .where(_waits, invitation.c.expires_at > INSTANT, ~_may_invite)
    .values(revoked_at=INSTANT, updated_at=INSTANT)
)
"""End the invitations of those who may not invite any more, so that none comes back with its inviter's rights."""
TO_REVOKE = Statement(
    sa.select(invitation.c.invitation_id)
    .where(_waits, invitation.c.expires_at > INSTANT, ~_may_invite)
    .limit(sa.literal(1, type_=sa.Integer))
)
ERASE = Statement(
    sa.update(invitation)
    .where(invitation.c.taken_by == sa.bindparam("user_id", type_=Id))
    .values(email="", staff_name="", updated_at=INSTANT)
)
