"""The SQL of views of projects."""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.columns import INSTANT, Id, given, shown
from catenary_core.database.statements import Statement
from catenary_core.resources.platform_rows import PlatformRow, inserted, project_of
from catenary_core.services.views.tables import view

_row = PlatformRow(view, shown(view.c))
_project_id = given(view.c.project_id)
_of_project = sa.and_(view.c.project_id == _project_id, _row.active)

_deployed = sa.table(
    "deployed",
    sa.column("project_id", Id),
    sa.column("parameters", sa.JSON),
    sa.column("metrics", sa.JSON),
    schema="models",
)

PROJECT_OF = project_of(view, _row.this)
"""The active project of an active view."""
DECLARED = Statement(
    sa.select(_deployed.c.parameters, _deployed.c.metrics).where(_deployed.c.project_id == _project_id)
)
"""The declarations of a project's deployed version."""

LIST = _row.listed(_of_project, newest_first=True)
"""The views of a project, newest first."""

ONE, LOCK, DELETE = _row.one(), _row.lock(), _row.delete()
_lock = sa.func.concat("views of ", sa.cast(_project_id, sa.Text))
LOCK_PROJECT = Statement(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(_lock, 0))))
"""Makes the writers of a project's views wait for each other: of one default and of the most views."""
COUNT = Statement(sa.select(sa.func.count().label("count")).select_from(view).where(_of_project))
END_DEFAULT = Statement(
    sa.update(view)
    .where(_of_project, view.c.is_default)
    .values(is_default=sa.false(), updated_at=INSTANT)
    .returning(*_row.shown)
)
"""Takes the mark of the default from the project's view that has it."""

INSERT = Statement(inserted(view, "view_id", "project_id", "name", "is_default", "content", "created_by"))
REPLACE = _row.update(["name", "is_default", "content"])
