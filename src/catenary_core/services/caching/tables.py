"""The table of change counters."""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.statements import metadata

change_count = sa.Table(
    "change_count",
    metadata,
    # Text, the type of `information_schema` names and TG_TABLE_SCHEMA.
    sa.Column("schema_name", sa.Text, primary_key=True),
    # The process id of the connection that counted; 0 for the sum of ended connections.
    sa.Column("backend", sa.Integer, primary_key=True),
    sa.Column("changes", sa.BigInteger, nullable=False),
    # The transaction that counted last (xid8). `xmin` won't do: inside a savepoint it is the subtransaction's id.
    sa.Column("changed_in", sa.BigInteger, nullable=True),
    schema="caching",
)
"""Number of committed transactions that changed watched tables of a schema: the sum over its rows (`change_counts`)."""
