"""The SQL of a project's files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from catenary_core.database.columns import Id, user_reference
from catenary_core.database.statements import Statement
from catenary_core.resources.platform_pages import listed
from catenary_core.resources.platform_rows import inserted, project_of
from catenary_core.services.evaluations.files.tables import input_file
from catenary_core.services.evaluations.studies.tables import study
from catenary_core.services.evaluations.tables import batch, evaluation, point

_id = input_file.c.file_id == sa.bindparam("file_id", type_=Id)
_of_project = input_file.c.project_id == sa.bindparam("project_id", type_=Id)


def _shown(columns: Iterable[sa.ColumnElement[Any]]) -> sa.Select[Any]:
    """Select a file as in file.proto."""
    found = {column.name: column for column in columns}
    return sa.select(
        *(found[name] for name in ("file_id", "project_id", "name", "size", "sha256")),
        (found["sha256"] + found["suffix"]).label("value"),
        user_reference(found["created_by"], "created_by"),
        found["created_at"],
    )


_lock = sa.func.concat("evaluations.file ", sa.cast(sa.bindparam("project_id", type_=Id), sa.Text))
LOCK_PROJECT = Statement(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(_lock, 0))))
"""Wait for other uploads to the project and deletions of its files, so that both know its files."""
COUNT = Statement(sa.select(sa.func.count().label("files")).where(_of_project))
"""The number of the project's files."""
_added = (
    inserted(input_file, *(column.name for column in input_file.c if column.server_default is None))
    .returning(*input_file.c)
    .cte("added")
)
INSERT = Statement(_shown(_added.c))
ONE = Statement(_shown(input_file.c).where(_id))
LOCK = Statement(sa.select(input_file.c.file_id).where(_id).with_for_update())
HOLD = Statement(
    sa.select(input_file.c.sha256)
    .where(_of_project, input_file.c.sha256 == sa.any_(sa.bindparam("hashes", type_=ARRAY(sa.Text))))
    .order_by(input_file.c.file_id)
    .with_for_update(read=True, key_share=True)
)
"""The digests of some that files of a project have; those files wait for the transaction before they are deleted."""
DELETE = Statement(sa.delete(input_file).where(_id))
PROJECT_OF = project_of(input_file, _id)
KNOWN = Statement(
    sa.select(input_file.c.file_id, input_file.c.sha256, input_file.c.suffix, input_file.c.size).where(_of_project)
)
"""Select the files that parameters of a project may take."""

LIST = listed(
    _shown(input_file.c).where(_of_project),
    input_file.c.created_at,
    input_file.c.file_id,
    newest_first=True,
)

_content = sa.bindparam("sha256", type_=sa.Text)


def _names(values: sa.Column[Any]) -> sa.ColumnElement[bool]:
    """Return whether stored values have the content's digest."""
    return sa.func.strpos(sa.cast(values, sa.Text), _content) > 0


def _unfinished(status: sa.Column[Any]) -> sa.ColumnElement[bool]:
    return status.in_([sa.literal_column("'queued'"), sa.literal_column("'running'")])


IN_USE = Statement(
    sa.select(
        sa.and_(
            ~sa.exists().where(_of_project, ~_id, input_file.c.sha256 == _content),
            sa.or_(
                sa.exists().where(
                    evaluation.c.project_id == sa.bindparam("project_id", type_=Id),
                    _unfinished(evaluation.c.status),
                    _names(evaluation.c.parameters),
                ),
                sa.exists().where(
                    batch.c.project_id == sa.bindparam("project_id", type_=Id),
                    _unfinished(batch.c.status),
                    point.c.batch_id == batch.c.batch_id,
                    _unfinished(point.c.status),
                    _names(point.c.parameters),
                ),
                sa.exists().where(
                    study.c.project_id == sa.bindparam("project_id", type_=Id),
                    _unfinished(study.c.status),
                    _names(study.c.definition),
                ),
            ),
        ).label("in_use")
    )
)
"""True for the last file of its content in the project, while work under way needs the content."""
