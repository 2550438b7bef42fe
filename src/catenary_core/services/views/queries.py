"""The SQL of views of projects."""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.columns import Id, user_reference
from catenary_core.database.statements import Statement
from catenary_core.resources.platform_pages import listed
from catenary_core.services.views.tables import view

_instant = sa.func.statement_timestamp()
"""The same time for two columns of one statement."""
_COLUMNS = [user_reference(column, column.name) if column.name == "created_by" else column for column in view.c]
_project_id = sa.bindparam("project_id", type_=Id)
_view_id = sa.bindparam("view_id", type_=Id)
_of_project = sa.and_(view.c.project_id == _project_id, view.c.deleted_at.is_(None))
_active = sa.and_(view.c.view_id == _view_id, view.c.deleted_at.is_(None))

# Views of other services.
_active_project = sa.table("active_project", sa.column("project_id", Id), schema="projects")
_deployed = sa.table(
    "deployed",
    sa.column("project_id", Id),
    sa.column("parameters", sa.JSON),
    sa.column("metrics", sa.JSON),
    schema="models",
)

PROJECT_OF = Statement(
    sa.select(view.c.project_id).join(_active_project, _active_project.c.project_id == view.c.project_id).where(_active)
)
"""The active project of an active view."""
DECLARED = Statement(
    sa.select(_deployed.c.parameters, _deployed.c.metrics).where(_deployed.c.project_id == _project_id)
)
"""The declarations of a project's deployed version."""

LIST = listed(
    sa.select(*_COLUMNS).where(_of_project),
    view.c.created_at,
    view.c.view_id,
    newest_first=True,
)
"""The views of a project, newest first."""

ONE = Statement(sa.select(*_COLUMNS).where(_active))
_lock = sa.func.concat("views of ", sa.cast(_project_id, sa.Text))
LOCK_PROJECT = Statement(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(_lock, 0))))
"""Makes the writers of a project's views wait for each other: of one default and of the most views."""
LOCK = Statement(sa.select(view.c.view_id).where(_active).with_for_update())
COUNT = Statement(sa.select(sa.func.count().label("count")).select_from(view).where(_of_project))
END_DEFAULT = Statement(
    sa.update(view)
    .where(_of_project, view.c.is_default)
    .values(is_default=sa.false(), updated_at=_instant)
    .returning(*_COLUMNS)
)
"""Takes the mark of the default from the project's view that has it."""

_GIVEN = ("view_id", "project_id", "name", "is_default", "content", "created_by")
INSERT = Statement(sa.insert(view).values({name: sa.bindparam(name, type_=view.c[name].type) for name in _GIVEN}))
REPLACE = Statement(
    sa.update(view)
    .where(_active)
    .values(
        name=sa.bindparam("new_name", type_=sa.Text),
        is_default=sa.bindparam("new_default", type_=sa.Boolean),
        content=sa.bindparam("new_content", type_=sa.JSON),
        updated_at=sa.func.clock_timestamp(),
    )
    .returning(*_COLUMNS)
)
DELETE = Statement(sa.update(view).where(_active).values(updated_at=_instant, deleted_at=_instant).returning(*_COLUMNS))
