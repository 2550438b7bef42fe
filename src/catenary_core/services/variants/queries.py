"""The SQL of variants."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from catenary_core.database.columns import Id, given, shown
from catenary_core.database.statements import Statement, search_condition
from catenary_core.resources.platform_rows import PlatformRow, inserted, project_of
from catenary_core.services.variants.tables import variant

_row = PlatformRow(variant, shown(variant.c))
_of_project = sa.and_(variant.c.project_id == given(variant.c.project_id), _row.active)
_declared = sa.table(
    "declared",
    sa.column("model_version_id", Id),
    sa.column("parameters", sa.JSON),
    sa.column("metrics", sa.JSON),
    schema="models",
)

PROJECT_OF = project_of(variant, _row.this)
"""The active project of an active variant."""

LIST = _row.listed(_of_project, search_condition(variant.c.name), newest_first=True)
"""The variants of a project, newest first."""

ONE, LOCK, DELETE = _row.one(), _row.lock(), _row.delete()
UPDATE = _row.update(["name", "note"])
SEVERAL = Statement(
    sa.select(*_row.shown).where(_of_project, variant.c.variant_id == sa.any_(sa.bindparam("ids", type_=ARRAY(Id))))
)
"""The variants of a project among `ids`."""
DECLARED = Statement(
    sa.select(_declared.c.model_version_id, _declared.c.parameters, _declared.c.metrics).where(
        _declared.c.model_version_id == sa.any_(sa.bindparam("ids", type_=ARRAY(Id)))
    )
)
"""The declared parameters and metrics of model versions, deleted ones too."""

INSERT = Statement(
    inserted(variant, "variant_id", "project_id", "name", "note", "evaluation_id", "model_version_id", "created_by")
)
