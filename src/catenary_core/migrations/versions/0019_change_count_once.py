"""Change counts once per transaction, even if the transaction has savepoints."""

from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Store the last counting transaction.

    Inside a savepoint `xmin` is the subtransaction, so each savepoint counted.
    """
    op.execute("ALTER TABLE caching.change_count ADD COLUMN changed_in bigint")
    op.execute(
        """
        CREATE OR REPLACE FUNCTION caching.count_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO caching.change_count AS own (schema_name, backend, changes, changed_in)
            VALUES (TG_TABLE_SCHEMA, pg_backend_pid(), 1, pg_current_xact_id()::text::bigint)
            ON CONFLICT (schema_name, backend) DO UPDATE SET changes = own.changes + 1, changed_in = excluded.changed_in
            WHERE own.changed_in IS DISTINCT FROM excluded.changed_in;
            RETURN NULL;
        END
        $$
        """
    )
