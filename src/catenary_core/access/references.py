"""The project that a `reference_id` ties its row to, and who sees the row: the only implementation of this rule.

See guide/conventions.md, "References".

A `reference_id` may be any UUID. One that is the id of a project, of what belongs to an environment project, or of an
evaluation, a batch, a study, a point or a variant ties the row to that project when it is written, if the writer may see the
project; else the row is tied to nothing, as for an unknown id, so that nobody learns whose an id is. A row that is tied
is visible to those who see the project.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from catenary_core.access.visibility import viewer, visible, visible_of_many
from catenary_core.call.call import Call
from catenary_core.database.columns import TIES, Id
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Transaction

_UNTIED: Row = dict.fromkeys(TIES)

_viewer_id = sa.bindparam("viewer_id", type_=Id)
_viewer_admin = sa.bindparam("viewer_admin", type_=sa.Boolean)
_of_ids = sa.any_(sa.bindparam("ids", type_=sa.ARRAY(Id)))
# Views of the services whose rows a reference may name, deleted ones too.
_IN_ENVIRONMENT, _ON_PLATFORM = ("environment", "parameter", "metadata"), ("projects", "evaluations", "variants")
_project_role = sa.table("project_role", sa.column("project_id", Id), sa.column("user_id", Id), schema="projects")


def _is_member(project_id: ColumnElement[Any]) -> ColumnElement[bool]:
    # The function runs only for a tied row; with the view, every statement would open the view's tables.
    is_member = sa.func.projects.is_member(project_id, _viewer_id, type_=sa.Boolean)
    return sa.case((project_id.is_(None), sa.true()), (_viewer_admin, sa.true()), else_=is_member)


def visible_reference(row: sa.FromClause) -> ColumnElement[bool]:
    """Return the condition that the caller may see a row with TIES, for single rows."""
    return sa.and_(visible(row.c.environment_project_id), _is_member(row.c.project_id))


def visible_references(row: sa.FromClause) -> ColumnElement[bool]:
    """Return the condition of `visible_reference` for a list: the caller's projects are gathered once."""
    own = sa.select(_project_role.c.project_id).where(_project_role.c.user_id == _viewer_id)
    member = sa.or_(row.c.project_id.is_(None), _viewer_admin, row.c.project_id.in_(own))
    return sa.and_(visible_of_many(row.c.environment_project_id), member)


def _named(schema: str, tie: str) -> sa.Select[Any]:
    view = sa.table("referable", sa.column("id", Id), sa.column(tie, Id), schema=schema)
    ties = (view.c[name] if name == tie else sa.cast(sa.null(), Id).label(name) for name in TIES)
    return sa.select(view.c.id, *ties).where(view.c.id == _of_ids)


def _named_points() -> sa.Select[Any]:
    # Ids of batches, studies and points, also of points that a study has not made yet.
    found = sa.func.evaluations.referable_points(sa.bindparam("ids", type_=sa.ARRAY(Id))).table_valued(
        sa.column("id", Id), sa.column(TIES[1], Id), name="points"
    )
    return sa.select(found.c.id, sa.cast(sa.null(), Id).label(TIES[0]), found.c[TIES[1]])


_found = sa.union_all(
    *(_named(schema, TIES[0]) for schema in _IN_ENVIRONMENT),
    *(_named(schema, TIES[1]) for schema in _ON_PLATFORM),
    _named_points(),
).subquery("found")
_TIED = Statement(sa.select(_found.c.id, *(_found.c[name] for name in TIES)).where(visible_reference(_found)))


async def ties_of(tx: Transaction, call: Call, reference_ids: Sequence[str | None]) -> list[Row]:
    """Return the TIES of each id, in order; one statement for all, none without an id."""
    ids = sorted({id_ for id_ in reference_ids if id_ is not None})
    rows = await tx.all(_TIED, ids=ids, **viewer(call)) if ids else []
    found = {row.pop("id"): row for row in rows}
    return [_UNTIED if id_ is None else found.get(id_, _UNTIED) for id_ in reference_ids]
