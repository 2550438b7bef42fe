"""What the platform knows of its workers.

Door to this schema, for other services to read: `worker.current_runtime(digest)`: the digest of the runtime with which a worker
last asked for work, at most one row. What another runtime computed is not served for a new request. While workers of two
runtimes run side by side, as during a roll-out, it follows whichever asked last: each result is kept under the runtime that
made it, so the price is a missed hit, never a result of a runtime that is gone.
"""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.statements import metadata

runtime = sa.Table(
    "runtime",
    metadata,
    sa.Column("singleton", sa.Boolean, primary_key=True, server_default=sa.text("true")),
    sa.Column("digest", sa.Text, nullable=False),
    sa.CheckConstraint("singleton", name="singleton"),
    schema="worker",
)
