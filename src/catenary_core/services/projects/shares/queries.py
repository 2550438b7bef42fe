"""The SQL of shares."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from catenary.platform.v1.share_pb2 import SHARE_KIND_LINK
from catenary_core.database.columns import DELETED, INSTANT, Id, user_reference
from catenary_core.database.statements import Statement
from catenary_core.resources.platform_rows import PlatformRow, inserted
from catenary_core.services.projects.tables import (
    active_project,
    active_team,
    active_user,
    active_variant,
    share,
    variant_role,
)

_project_id = sa.bindparam("project_id", type_=Id)
_user_id = sa.bindparam("user_id", type_=Id)
_holds = sa.and_(share.c.deleted_at.is_(None), sa.or_(share.c.expires_at.is_(None), share.c.expires_at > INSTANT))


def _name(view: sa.TableClause, key: str, name: str) -> sa.ScalarSelect[Any]:
    found = sa.select(view.c[name]).where(view.c[key] == share.c.member_id)
    return found.correlate_except(view).scalar_subquery()


_named = sa.func.coalesce(
    _name(active_user, "user_id", "staff_name"), _name(active_team, "team_id", "name"), sa.literal_column("''")
)
_COLUMNS = (
    share.c.share_id,
    share.c.project_id,
    share.c.kind,
    share.c.member_id,
    sa.case((share.c.member_id.is_not(None), _named)).label("name"),
    share.c.role,
    share.c.variant_id,
    share.c.expires_at,
    user_reference(share.c.created_by, "created_by"),
    share.c.created_at,
    share.c.updated_at,
    share.c.deleted_at,
)
_of_project = sa.and_(share.c.project_id == _project_id, _holds)
_row = PlatformRow(share, _COLUMNS, holds=_of_project)

LIST = _row.listed(_of_project)
"""The shares of a project that hold, oldest first."""

ONE, LOCK, DELETE = _row.one(), _row.lock(), _row.delete()
COUNT = Statement(sa.select(sa.func.count().label("count")).select_from(share).where(_of_project))

INSERT = Statement(
    inserted(share, "share_id", "project_id", "kind", "member_id", "digest", "role", "variant_id", "created_by").values(
        expires_at=sa.func.to_timestamp(sa.bindparam("expires_at", type_=sa.Float))
    )
)
_end = sa.update(share).values(DELETED).returning(*_COLUMNS)
END_OF_MEMBER = Statement(_end.where(_of_project, share.c.member_id == sa.bindparam("member_id", type_=Id)))
"""End all shares of a project with a user or a team."""
END_OF_VARIANTS = Statement(_end.where(_holds, share.c.variant_id == sa.any_(sa.bindparam("ids", type_=ARRAY(Id)))))
"""End all shares of variants."""
END_OF_PERSON = Statement(
    _end.where(
        _holds,
        sa.or_(
            sa.and_(share.c.created_by == _user_id, share.c.kind == sa.literal(SHARE_KIND_LINK, type_=sa.Integer)),
            share.c.member_id == _user_id,
        ),
    )
)
"""End the links that a user has made, and the shares with the user."""
EXPIRED = Statement(
    sa.select(share.c.share_id)
    .join(active_project, active_project.c.project_id == share.c.project_id)
    .where(share.c.deleted_at.is_(None), share.c.expires_at <= INSTANT)
    .limit(sa.literal(100, type_=sa.Integer))
)
END = Statement(
    _end.where(
        share.c.share_id == sa.any_(sa.bindparam("ids", type_=ARRAY(Id))),
        share.c.deleted_at.is_(None),
        share.c.expires_at <= INSTANT,
    )
)

VARIANT = Statement(
    sa.select(active_variant.c.variant_id).where(
        active_variant.c.variant_id == sa.bindparam("variant_id", type_=Id), active_variant.c.project_id == _project_id
    )
)
"""The active variant of a project."""

_role = sa.select(sa.func.max(variant_role.c.role).label("role")).where(
    variant_role.c.project_id == _project_id, variant_role.c.user_id == _user_id
)
VARIANT_ROLE: dict[tuple[str, ...], Statement] = {
    names: Statement(_role.where(*(variant_role.c[name] == sa.bindparam(name, type_=Id) for name in names)))
    for names in ((), ("variant_id",), ("evaluation_id",), ("variant_id", "evaluation_id"))
}
"""A user's role in the shared variants of a project, by the ids that name one of them."""
