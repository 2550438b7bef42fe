"""Visibility of the environment context service's projects: the only implementation of this rule.

See guide/conventions.md, "Visibility".

A project that isn't confidential is visible to every user. A confidential project is visible to Admins, to its creator,
and to the members of platform projects linked to it. A row that refers to a project is visible to those who may see the
project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from catenary_core.call.call import Call
from catenary_core.database.columns import Id
from catenary_core.database.statements import CONFIDENTIAL, VIEWER, Statement
from catenary_core.database.transactions import Transaction

# Views of the environment context service and the projects service.
active_project = sa.table(
    "active_project", sa.column("project_id", Id), sa.column("created_by", Id), schema="environment"
)
confidential_project = sa.table(
    "confidential_project", sa.column("project_id", Id), sa.column("created_by", Id), schema="environment"
)
linked_user = sa.table(
    "linked_user",
    sa.column("environment_project_id", Id),
    sa.column("user_id", Id),
    sa.column("role", sa.Integer),
    schema="projects",
)

_viewer_id = sa.bindparam("viewer_id", type_=Id)
_viewer_admin = sa.bindparam("viewer_admin", type_=sa.Boolean)


def viewer(call: Call) -> dict[str, Any]:
    """Return the parameters of `visible` for the caller, and the caller's call for confidential rows."""
    return {"viewer_id": call.caller.user_id, "viewer_admin": call.caller.admin, VIEWER: call}


def is_confidential(*project_ids: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that one of the projects is confidential."""
    return sa.exists().where(sa.or_(*(confidential_project.c.project_id == id_ for id_ in project_ids)))


def confidential(*project_ids: ColumnElement[Any]) -> sa.Label[bool]:
    """Return the column with the mark of the rows of confidential projects; a row may belong to more than one project."""
    return is_confidential(*project_ids).label(CONFIDENTIAL)


_others: sa.Select[Any] = sa.select(confidential_project.c.project_id).where(
    ~_viewer_admin, confidential_project.c.created_by != _viewer_id
)
# The function runs only for a confidential project; with the view, every statement would open the view's tables.
_linked = sa.func.projects.is_linked(confidential_project.c.project_id, _viewer_id, type_=sa.Boolean)
_linked_of_many = sa.exists().where(
    linked_user.c.environment_project_id == confidential_project.c.project_id, linked_user.c.user_id == _viewer_id
)


def visible(project_id: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that the caller may see the project, for single rows; a NULL project is visible."""
    own = _others.where(~_linked, confidential_project.c.project_id == project_id)
    # PostgreSQL turns a plain NOT EXISTS into a join, whose plan may ask every confidential project whether it is linked;
    # a subquery with OFFSET runs for each row, by the project's index.
    return ~own.offset(sa.literal_column("0")).exists()


def visible_of_many(project_id: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition of `visible` for a list: hidden projects are gathered once instead of per row."""
    return sa.or_(project_id.is_(None), project_id.not_in(_others.where(~_linked_of_many)))


def some_hidden(condition: Callable[[ColumnElement[Any]], ColumnElement[bool]]) -> ColumnElement[bool]:
    """Return the condition that the caller may not see some project for which `condition` holds.

    Each confidential project is asked, so `condition` should be one look into an index.
    """
    # CASE keeps the order: hardly any project meets the condition, and the function costs more than the look.
    hidden = sa.case((condition(confidential_project.c.project_id), ~_linked), else_=sa.false())
    return _others.where(hidden).correlate_except(confidential_project).exists()


_ANY_CONFIDENTIAL = Statement(
    sa.select(sa.literal_column("true").label(CONFIDENTIAL))
    .select_from(confidential_project)
    .where(visible(confidential_project.c.project_id))
    .limit(1)
)


async def note_any(tx: Transaction, context: Mapping[str, Any]) -> None:
    """Mark the response as confidential if the viewer sees any confidential project at all.

    For a response whose head is sent before its rows are read.
    """
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
    """Return the users who see each project besides Admins, None for every user: `visible` for many callers at once."""
    found: dict[str, set[str]] = {}
    wanted = list(ids)
    for row in await tx.all(_CONFIDENTIAL_VIEWERS, ids=wanted):
        found.setdefault(row["project_id"], set()).add(row["user_id"])
    return {id_: frozenset(found[id_]) if id_ in found else None for id_ in wanted}


async def visible_projects(tx: Transaction, call: Call, ids: list[str]) -> set[str]:
    """Return the ids of active projects visible to the caller, to which a request body may refer."""
    return {row["project_id"] for row in await tx.all(_VISIBLE, ids=ids, **viewer(call))}
