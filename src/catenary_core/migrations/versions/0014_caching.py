"""Change counters, by which edges find out whether a cached response is still current."""

from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Create the schema `caching`; `database.change_counts.watch` adds the triggers after the migrations."""
    op.execute("CREATE SCHEMA caching")
    # Every change updates a row: free space for new versions on the same page, and early vacuuming of dead ones.
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
    # Counting once per transaction is enough: `xmin` is the transaction that last wrote the row.
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
