"""QA records and record types."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the schema `qa`."""
    op.execute("CREATE SCHEMA qa")
    op.execute(
        """
        CREATE TABLE qa.record_type (
            id uuid NOT NULL,
            name text COLLATE "C" NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT record_type_pkey PRIMARY KEY (id)
        )
        """
    )
    op.execute("CREATE INDEX record_type_created_at_id_idx ON qa.record_type (created_at, id)")
    op.execute("CREATE UNIQUE INDEX record_type_name_key ON qa.record_type (name) WHERE deleted_at IS NULL")
    op.execute(
        """
        CREATE TABLE qa.record (
            id uuid NOT NULL,
            type_id uuid NOT NULL,
            reference_id uuid NOT NULL,
            reference_table text NOT NULL,
            reference_url text NOT NULL,
            created_by uuid NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT record_pkey PRIMARY KEY (id),
            CONSTRAINT record_type_id_fkey FOREIGN KEY(type_id) REFERENCES qa.record_type (id)
        )
        """
    )
    op.execute("CREATE INDEX record_created_at_id_idx ON qa.record (created_at, id)")
    op.execute("CREATE INDEX record_reference_id_created_at_id_idx ON qa.record (reference_id, created_at, id)")
    op.execute("CREATE INDEX record_type_id_created_at_id_idx ON qa.record (type_id, created_at, id)")
    op.execute("CREATE INDEX record_updated_at_id_idx ON qa.record (updated_at, id)")
