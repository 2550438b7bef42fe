"""The SQL of plans. A plan whose day is over is gone, also before its row is removed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSON

from catenary_core.database.columns import INSTANT, Id, shown
from catenary_core.database.retention import removal
from catenary_core.database.statements import Statement
from catenary_core.resources.platform_pages import listed
from catenary_core.resources.platform_rows import inserted, project_of
from catenary_core.services.evaluations.tables import plan

KEPT = sa.text("interval '1 day'")
"""Retention of a plan."""
REMOVE_OLD = removal(plan.c.plan_id, plan.c.created_at, KEPT)

_id = plan.c.plan_id == sa.bindparam("plan_id", type_=Id)
_of_project = plan.c.project_id == sa.bindparam("project_id", type_=Id)
_kept = plan.c.created_at >= INSTANT - KEPT
_TABLE = ("columns", "rows")


_PLAIN = [column for column in plan.c if column.name not in _TABLE]


def _shown(columns: Iterable[sa.ColumnElement[Any]], table: Iterable[sa.ColumnElement[Any]]) -> sa.Select[Any]:
    """Select a plan's columns with its maker and its end."""
    found = {column.name: column for column in columns}
    return sa.select(
        *shown(found.values()),
        (found["created_at"] + KEPT).label("expires_at"),
        *table,
    )


# Lists leave the values out: those of one page could amount to gigabytes.
_NO_TABLE = [sa.literal_column("'[]'::json", JSON).label(name) for name in _TABLE]
_added = (
    inserted(plan, *(column.name for column in plan.c if column.name != "created_at")).returning(*_PLAIN).cte("added")
)
INSERT = Statement(_shown(_added.c, _NO_TABLE))
ONE = Statement(_shown(_PLAIN, [plan.c[name] for name in _TABLE]).where(_id, _kept))
LOCK = Statement(sa.select(plan.c.plan_id).where(_id, _kept).with_for_update())
DELETE = Statement(sa.delete(plan).where(_id))
COUNT = Statement(sa.select(sa.func.count().label("plans")).where(_of_project, _kept))
"""The number of the project's plans."""
PROJECT_OF = project_of(plan, _id, _kept)

LIST = listed(
    _shown(_PLAIN, _NO_TABLE).where(_of_project, _kept),
    plan.c.created_at,
    plan.c.plan_id,
    newest_first=True,
)
