"""The SQL of the service for workers, beside that of `catenary_core.jobs.queue`."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import UUID, insert

from catenary_core.database.statements import Statement
from catenary_core.jobs import queue
from catenary_core.services.worker.tables import runtime

_source = sa.table("source", *map(sa.column, ("model_version_id", "sha256", "size", "repeatable")), schema="models")
_version = sa.bindparam("model_version_id", type_=UUID(as_uuid=False))
_insert_runtime = insert(runtime).values(digest=sa.bindparam("digest", type_=sa.Text))

SET_RUNTIME = Statement(
    _insert_runtime.on_conflict_do_update(
        index_elements=[runtime.c.singleton],
        set_={"digest": _insert_runtime.excluded.digest},
        where=runtime.c.digest != _insert_runtime.excluded.digest,
    )
)
"""Make `digest` the current runtime; write only if another one was current."""

LEASED_SOURCE = Statement(
    sa.select(_source.c.sha256, _source.c.size).where(
        _source.c.model_version_id == _version,
        sa.exists().where(
            queue.job.c.lease_token.is_not(None),
            queue.job.c.payload["model_version_id"].as_string() == sa.cast(_version, sa.Text),
        ),
    )
)
"""The file of a version that a leased job needs; no row for any other version."""

_declared = sa.table("declared", *map(sa.column, ("project_id", "model_version_id")), schema="models")
_file = sa.table("readable_file", *map(sa.column, ("project_id", "sha256", "size")), schema="evaluations")
READABLE_FILE = Statement(
    sa.select(_file.c.sha256, _file.c.size)
    .join(_declared, _declared.c.project_id == _file.c.project_id)
    .where(_declared.c.model_version_id == _version, _file.c.sha256 == sa.bindparam("sha256", type_=sa.Text))
    .limit(1)
)
"""A file of a version's project by its digest; no row for one of another project."""

IS_REPEATABLE = Statement(sa.select(_source.c.repeatable).where(_source.c.model_version_id == _version))
"""The finding of a version: true while one process may run several of its points."""
