"""Counters of changes, by which edges know whether an answer that they keep still holds."""

from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Makes the schema `caching`; the triggers come after the migrations (`catenary_core.database.change_counts.watch`)."""
    op.execute("CREATE SCHEMA caching")
    # Every change updates a row: room for its new version on the same page, and an early look at dead ones.
    op.execute(
        """
        CREATE TABLE caching.change_count (
            schema_name text NOT NULL,
            backend integer NOT NULL,
            changes bigint NOT NULL,
            PRIMARY KEY (schema_name, backend)
        ) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0)
        """
    )
    # Once a transaction is enough: `xmin` is the transaction that wrote the row last.
    op.execute(
        """
        CREATE FUNCTION caching.count_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO caching.change_count AS own (schema_name, backend, changes)
            VALUES (TG_TABLE_SCHEMA, pg_backend_pid(), 1)
            ON CONFLICT (schema_name, backend) DO UPDATE SET changes = own.changes + 1
            WHERE own.xmin <> pg_current_xact_id()::xid;
            RETURN NULL;
        END
        $$
        """
    )
