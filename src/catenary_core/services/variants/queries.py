"""The SQL of variants."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from catenary_core.database.columns import Id, user_reference
from catenary_core.database.statements import Statement, search_condition
from catenary_core.resources.platform_pages import listed
from catenary_core.services.variants.tables import variant

_instant = sa.func.statement_timestamp()
"""The same time for two columns of one statement."""
_COLUMNS = [user_reference(column, column.name) if column.name == "created_by" else column for column in variant.c]
_project_id = sa.bindparam("project_id", type_=Id)
_of_project = sa.and_(variant.c.project_id == _project_id, variant.c.deleted_at.is_(None))
_active = sa.and_(variant.c.variant_id == sa.bindparam("variant_id", type_=Id), variant.c.deleted_at.is_(None))

_active_project = sa.table("active_project", sa.column("project_id", Id), schema="projects")
_declared = sa.table(
    "declared",
    sa.column("model_version_id", Id),
    sa.column("parameters", sa.JSON),
    sa.column("metrics", sa.JSON),
    schema="models",
)

PROJECT_OF = Statement(
    sa.select(variant.c.project_id)
    .join(_active_project, _active_project.c.project_id == variant.c.project_id)
    .where(_active)
)
"""The active project of an active variant."""

LIST = listed(
    sa.select(*_COLUMNS).where(_of_project, search_condition(variant.c.name)),
    variant.c.created_at,
    variant.c.variant_id,
    newest_first=True,
)
"""The variants of a project, newest first."""

ONE = Statement(sa.select(*_COLUMNS).where(_active))
LOCK = Statement(sa.select(variant.c.variant_id).where(_active).with_for_update())
SEVERAL = Statement(
    sa.select(*_COLUMNS).where(_of_project, variant.c.variant_id == sa.any_(sa.bindparam("ids", type_=ARRAY(Id))))
)
"""The variants of a project among `ids`."""
DECLARED = Statement(
    sa.select(_declared.c.model_version_id, _declared.c.parameters, _declared.c.metrics).where(
        _declared.c.model_version_id == sa.any_(sa.bindparam("ids", type_=ARRAY(Id)))
    )
)
"""The declared parameters and metrics of model versions, deleted ones too."""

_GIVEN = ("variant_id", "project_id", "name", "note", "evaluation_id", "model_version_id", "created_by")
INSERT = Statement(sa.insert(variant).values({name: sa.bindparam(name, type_=variant.c[name].type) for name in _GIVEN}))
UPDATE = Statement(
    sa.update(variant)
    .where(_active)
    .values(
        name=sa.bindparam("new_name", type_=sa.Text),
        note=sa.bindparam("new_note", type_=sa.Text),
        updated_at=sa.func.clock_timestamp(),
    )
    .returning(*_COLUMNS)
)
DELETE = Statement(
    sa.update(variant).where(_active).values(updated_at=_instant, deleted_at=_instant).returning(*_COLUMNS)
)
