"""The SQL of the fields that only the older REST versions show."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from catenary_core.access import visibility
from catenary_core.database.columns import Id
from catenary_core.database.statements import Statement
from catenary_core.services.parameter.embedded_queries import json_object, source_from, source_object
from catenary_core.services.parameter.filters import ids
from catenary_core.services.parameter.tables import entry, item_type, known_source, parameter, revision

_STAFF = (
    "staff_id",
    "staff_name",
    "email",
    "company_centre_unit",
    "location_name",
    "grade_level",
    "my_people_page_url",
)
_active_staff = sa.table(
    "active_staff", sa.column("user_id", Id), *(sa.column(name) for name in _STAFF), schema="identity"
)  # A view of the identity service.


def _staff_object(row: sa.FromClause) -> ColumnElement[Any]:
    """Build a `Staff`; NULL for a deleted user."""
    return sa.case((row.c.user_id.is_not(None), json_object(**{name: row.c[name] for name in _STAFF})))


_creator, _updater = _active_staff.alias("creator"), _active_staff.alias("updater")

REVISIONS = Statement(
    sa.select(
        revision.c.revision_id,
        source_object.label("source"),
        revision.c.comment,
        revision.c.location_in_source,
        _staff_object(_creator).label("created_by"),
        revision.c.created_at,
        revision.c.updated_at,
    )
    .select_from(
        revision.join(entry, entry.c.entry_id == revision.c.entry_id)
        .join(source_from, known_source.c.id == revision.c.source_id)
        .outerjoin(_creator, _creator.c.user_id == revision.c.created_by)
    )
    .where(revision.c.revision_id == sa.any_(ids("ids")), visibility.visible(entry.c.project_id))
)
PARAMETERS = Statement(
    sa.select(
        parameter.c.id,
        parameter.c.created_by,
        *(sa.null().label(name) for name in ("updated_by", "creator", "updater")),
    ).where(parameter.c.id == sa.any_(ids("ids")), visibility.visible(parameter.c.project_id))
)
ITEM_TYPES = Statement(
    sa.select(
        item_type.c.id,
        item_type.c.created_by,
        item_type.c.updated_by,
        _staff_object(_creator).label("creator"),
        _staff_object(_updater).label("updater"),
    )
    .select_from(
        item_type.outerjoin(_creator, _creator.c.user_id == item_type.c.created_by).outerjoin(
            _updater, _updater.c.user_id == item_type.c.updated_by
        )
    )
    .where(item_type.c.id == sa.any_(ids("ids")))
)
