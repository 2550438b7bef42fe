"""The SQL of comments of projects."""

from __future__ import annotations

import itertools

import sqlalchemy as sa

from catenary_core.database.columns import CLOCK, DELETED, Id, active_project, user_reference
from catenary_core.database.statements import Statement
from catenary_core.resources.platform_pages import PlatformList, listed
from catenary_core.resources.platform_rows import inserted
from catenary_core.services.comments.tables import comment, project_comment

_head = project_comment.alias("head")
"""The first comment of the thread."""
_comment_id = sa.bindparam("comment_id", type_=Id)
_this = project_comment.c.comment_id == _comment_id
_is_active = comment.c.deleted_at.is_(None)

# Views of other services.
_variant = sa.table(
    "active_variant",
    sa.column("variant_id", Id),
    sa.column("project_id", Id),
    sa.column("evaluation_id", Id),
    schema="variants",
)
_role = sa.table("project_role", sa.column("project_id", Id), sa.column("user_id", Id), schema="projects")

_with_head = project_comment.join(comment, comment.c.id == project_comment.c.comment_id).join(
    _head, _head.c.comment_id == sa.func.coalesce(project_comment.c.parent_id, project_comment.c.comment_id)
)
_rows = sa.select(
    project_comment.c.comment_id,
    project_comment.c.project_id,
    project_comment.c.variant_id,
    project_comment.c.parent_id,
    comment.c.content,
    project_comment.c.anchor,
    project_comment.c.camera,
    project_comment.c.mentions,
    _head.c.resolved_at.is_not(None).label("resolved"),
    user_reference(_head.c.resolved_by, "resolved_by"),
    _head.c.resolved_at,
    user_reference(comment.c.created_by, "created_by"),
    comment.c.created_at,
    comment.c.updated_at,
    comment.c.deleted_at,
).select_from(_with_head)
"""Comments, in the shape of their message."""

PROJECT_OF = Statement(
    sa.select(project_comment.c.project_id)
    .select_from(project_comment.join(comment, comment.c.id == project_comment.c.comment_id))
    .join(active_project, active_project.c.project_id == project_comment.c.project_id)
    .where(_this, _is_active)
)
"""The active project of an active comment."""
VARIANT_OF = Statement(
    sa.select(project_comment.c.variant_id)
    .select_from(project_comment.join(comment, comment.c.id == project_comment.c.comment_id))
    .where(_this, _is_active)
)
"""The variant that an active comment is on."""
ONE = Statement(_rows.where(_this))
"""A comment, also a deleted one."""


def _listed(*, of_variant: bool, resolved: bool | None) -> PlatformList:
    rows = _rows.where(project_comment.c.project_id == sa.bindparam("project_id", type_=Id), _is_active)
    if of_variant:
        rows = rows.where(project_comment.c.variant_id == sa.bindparam("variant_id", type_=Id))
    if resolved is not None:
        rows = rows.where(_head.c.resolved_at.is_not(None) if resolved else _head.c.resolved_at.is_(None))
    return listed(rows, project_comment.c.created_at, project_comment.c.comment_id, newest_first=True)


LIST = {
    (of_variant, resolved): _listed(of_variant=of_variant, resolved=resolved)
    for of_variant, resolved in itertools.product((True, False), (None, True, False))
}
"""The active comments of a project, newest first, by (one variant's, the filter `resolved`)."""

LOCK_THREAD = Statement(sa.select(_head.c.comment_id).select_from(_with_head).where(_this).with_for_update(of=_head))
"""Locks the thread of a comment and returns the id of its first comment."""
LOCK = Statement(sa.select(comment.c.id).where(comment.c.id == _comment_id, _is_active).with_for_update())
"""Locks the row of an active comment."""
HOLD_PARENT = Statement(
    sa.select(
        project_comment.c.project_id,
        project_comment.c.variant_id,
        project_comment.c.evaluation_id,
        project_comment.c.parent_id,
    )
    .select_from(project_comment.join(comment, comment.c.id == project_comment.c.comment_id))
    .where(_this, _is_active)
    .with_for_update(of=comment, read=True)
)
"""Holds an active comment against deletion."""
EVALUATION_OF = Statement(
    sa.select(_variant.c.evaluation_id).where(
        _variant.c.variant_id == sa.bindparam("variant_id", type_=Id),
        _variant.c.project_id == sa.bindparam("project_id", type_=Id),
    )
)
"""The evaluation of an active variant of a project."""
MEMBERS = Statement(
    sa.select(_role.c.user_id)
    .where(
        _role.c.project_id == sa.bindparam("project_id", type_=Id),
        _role.c.user_id == sa.any_(sa.bindparam("ids", type_=sa.ARRAY(Id))),
    )
    .distinct()
)
"""Those among `ids` who have a role in the project."""

INSERT_ROW = Statement(
    inserted(
        comment, "id", "reference_id", "reference_table", "reference_url", "project_id", "content", "created_by"
    ).returning(comment.c.created_at)
)
"""Adds the row of the comments service."""
_GIVEN = ("comment_id", "project_id", "variant_id", "evaluation_id", "parent_id", "anchor", "camera", "mentions")
INSERT = Statement(inserted(project_comment, *_GIVEN, "created_at"))
UPDATE = Statement(
    sa.update(comment)
    .where(comment.c.id == _comment_id)
    .values(content=sa.bindparam("new_content", type_=sa.Text), updated_at=CLOCK)
)
DELETE = Statement(sa.update(comment).where(comment.c.id == _comment_id).values(DELETED))
RESOLVE = Statement(
    sa.update(project_comment)
    .where(_this, project_comment.c.resolved_at.is_(None))
    .values(resolved_by=sa.bindparam("user_id", type_=Id), resolved_at=CLOCK)
)
"""Resolves the thread of a first comment, unless it is resolved."""
REOPEN = Statement(
    sa.update(project_comment)
    .where(_this, project_comment.c.resolved_at.is_not(None))
    .values(resolved_by=sa.null(), resolved_at=sa.null())
)
"""Opens the thread of a first comment, unless it is open."""
