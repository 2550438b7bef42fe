"""The table of the workers' runtime, and the view on it for other services.

`worker.current_runtime(digest)`: the digest of the runtime with which a worker last asked for work, at most one row.
Results of another runtime aren't returned for new requests. While workers of two runtimes run side by side, as during a
roll-out, the view follows the worker that asked last. Each result is stored under the runtime that computed it, so the
cost is a cache miss, never a result of a runtime that is gone.
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
