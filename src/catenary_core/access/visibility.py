"""Who may see which projects of the environment context service: the one place of that rule.

See guide/conventions.md, "Visibility".

A project that isn't confidential shows to every user; a confidential one to Admins, to its creator, and to the members of
platform projects that are linked to it. What refers to a project shows to those who may see the project.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from catenary_core.call.call import Call
from catenary_core.database.columns import Id
from catenary_core.database.statements import CONFIDENTIAL, VIEWER, Statement
from catenary_core.database.transactions import Transaction

# Views of the environment context service and of the projects service.
active_project = sa.table("active_project", sa.column("project_id", Id), schema="environment")
confidential_project = sa.table(
    "confidential_project", sa.column("project_id", Id), sa.column("created_by", Id), schema="environment"
)
linked_user = sa.table(
    "linked_user", sa.column("environment_project_id", Id), sa.column("user_id", Id), schema="projects"
)

_viewer_id = sa.bindparam("viewer_id", type_=Id)
_viewer_admin = sa.bindparam("viewer_admin", type_=sa.Boolean)


def viewer(call: Call) -> dict[str, Any]:
    """The parameters of `visible` for the caller; its answer takes over whether rows are confidential."""
    return {"viewer_id": call.caller.user_id, "viewer_admin": call.caller.admin, VIEWER: call}


def confidential(project_id: ColumnElement[Any]) -> sa.Label[bool]:
    """The column that marks rows of a confidential project."""
    return sa.exists().where(confidential_project.c.project_id == project_id).label(CONFIDENTIAL)


_others: sa.Select[Any] = sa.select(confidential_project.c.project_id).where(
    ~_viewer_admin, confidential_project.c.created_by != _viewer_id
)
# The function is asked for a confidential project only; the view's tables would be opened with every statement.
_linked = sa.func.projects.is_linked(confidential_project.c.project_id, _viewer_id, type_=sa.Boolean)
_linked_of_many = sa.exists().where(
    linked_user.c.environment_project_id == confidential_project.c.project_id, linked_user.c.user_id == _viewer_id
)


def visible(project_id: ColumnElement[Any]) -> ColumnElement[bool]:
    """The condition that the caller may see the project; a NULL project hides nothing. For single rows."""
    return ~_others.where(~_linked, confidential_project.c.project_id == project_id).exists()


def visible_of_many(project_id: ColumnElement[Any]) -> ColumnElement[bool]:
    """The same for the rows of a list: the hidden projects are gathered once, and not looked for at each row."""
    return sa.or_(project_id.is_(None), project_id.not_in(_others.where(~_linked_of_many)))


_ANY_CONFIDENTIAL = Statement(
    sa.select(sa.literal_column("true").label(CONFIDENTIAL))
    .select_from(confidential_project)
    .where(visible(confidential_project.c.project_id))
    .limit(1)
)


async def note_any(tx: Transaction, context: Mapping[str, Any]) -> None:
    """Marks the answer as confidential when the viewer sees any confidential project at all: for one whose rows come too late."""
    await tx.one_or_none(_ANY_CONFIDENTIAL, **{name: context[name] for name in ("viewer_id", "viewer_admin", VIEWER)})


_VISIBLE = Statement(
    sa.select(active_project.c.project_id).where(
        active_project.c.project_id == sa.any_(sa.bindparam("ids", type_=sa.ARRAY(Id))),
        visible(active_project.c.project_id),
    )
)


_of_ids = sa.any_(sa.bindparam("ids", type_=sa.ARRAY(Id)))
_CONFIDENTIAL_VIEWERS = Statement(
    sa.union(
        sa.select(confidential_project.c.project_id, confidential_project.c.created_by.label("user_id")).where(
            confidential_project.c.project_id == _of_ids
        ),
        sa.select(confidential_project.c.project_id, linked_user.c.user_id)
        .join(linked_user, linked_user.c.environment_project_id == confidential_project.c.project_id)
        .where(confidential_project.c.project_id == _of_ids),
    )
)


async def viewers(tx: Transaction, ids: Iterable[str]) -> dict[str, frozenset[str] | None]:
    """The users that see each of the projects beside Admins; None for every user. `visible` for many callers at once."""
    found: dict[str, set[str]] = {}
    wanted = list(ids)
    for row in await tx.all(_CONFIDENTIAL_VIEWERS, ids=wanted):
        found.setdefault(row["project_id"], set()).add(row["user_id"])
    return {id_: frozenset(found[id_]) if id_ in found else None for id_ in wanted}


async def visible_projects(tx: Transaction, call: Call, ids: list[str]) -> set[str]:
    """Those of the ids that name active projects which the caller may see: what a body may refer to."""
    return {row["project_id"] for row in await tx.all(_VISIBLE, ids=ids, **viewer(call))}
