"""The SQL of deleting parameters and entries, one by one or with the assets that they describe."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from catenary_core.access import rights, visibility
from catenary_core.database.columns import DELETED, Id
from catenary_core.database.statements import Statement
from catenary_core.services.parameter.filters import ids
from catenary_core.services.parameter.tables import entry, parameter, parameter_parent


def _parameters(*conditions: sa.ColumnElement[bool]) -> Statement:
    """Build a deletion of parameters, which locks them in the order of their ids as other writers do."""
    held: sa.Select[Any] = (
        sa.select(parameter.c.id)
        .where(parameter.c.deleted_at.is_(None), *conditions)
        .order_by(parameter.c.id)
        .with_for_update(of=parameter, key_share=True)
    )
    deleted = sa.update(parameter).where(parameter.c.id.in_(sa.select(held.cte("held").c.id)))
    columns = (parameter.c.id, parameter.c.entry_id, parameter.c.project_id, rights.kept(parameter.c.project_id))
    return Statement(deleted.values(DELETED).returning(*columns))


_of_assets = sa.select(parameter_parent.c.parameter_id).where(parameter_parent.c.asset_id == sa.any_(ids("asset_ids")))
OF_ASSETS = _parameters(parameter.c.id.in_(_of_assets))
"""Delete the parameters of assets; return their ids and entry ids, which remain stored in the deleted rows."""
PARAMETER = _parameters(parameter.c.id == sa.bindparam("id", type_=Id), visibility.visible(parameter.c.project_id))
ENTRIES = Statement(
    sa.update(entry)
    .where(entry.c.entry_id == sa.any_(ids("ids")), entry.c.deleted_at.is_(None))
    .values(DELETED)
    .returning(entry.c.entry_id, entry.c.project_id)
)

HOLD_ENTRY = Statement(
    sa.select(parameter.c.id, parameter.c.project_id, rights.kept(parameter.c.project_id))
    .select_from(entry.join(parameter, parameter.c.id == entry.c.parameter_id))
    .where(
        entry.c.entry_id == sa.bindparam("entry_id", type_=Id),
        entry.c.deleted_at.is_(None),
        parameter.c.deleted_at.is_(None),
        parameter.c.entry_id == entry.c.entry_id,
        visibility.visible(parameter.c.project_id),
    )
    .with_for_update(of=parameter, key_share=True)
)
"""The parameter of an active entry, locked against other writers."""
TAKE_ENTRY = Statement(
    sa.update(parameter)
    .where(parameter.c.id == sa.bindparam("id", type_=Id))
    .values({name: sa.null() for name in ("entry_id", "revision_id", "status", "unit_id", "source_id")})
)
"""Remove the entry from a parameter's row."""
