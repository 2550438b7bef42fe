"""The table of releases that have run on this database. The log's table is in `catenary_core.event_log.events`."""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.statements import metadata

release = sa.Table(
    "release",
    metadata,
    sa.Column("release", sa.Text, primary_key=True),
    sa.Column("started_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.text("clock_timestamp()")),
    schema="events",
)
