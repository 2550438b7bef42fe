"""Sources and source types."""

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the schema `reference`."""
    op.execute("CREATE SCHEMA reference")
    op.execute(
        """
        CREATE TABLE reference.source_type (
            id uuid NOT NULL,
            name text COLLATE "C" NOT NULL,
            visible boolean NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT source_type_pkey PRIMARY KEY (id)
        )
        """
    )
    op.execute("CREATE INDEX source_type_created_at_id_idx ON reference.source_type (created_at, id)")
    op.execute("CREATE UNIQUE INDEX source_type_name_key ON reference.source_type (name) WHERE deleted_at IS NULL")
    op.execute(
        """
        CREATE TABLE reference.source (
            id uuid NOT NULL,
            source_type_id uuid NOT NULL,
            title text NOT NULL,
            reference text,
            url text,
            date_day text,
            date_month text,
            date_year text,
            time text,
            reference_id uuid,
            reference_table text,
            reference_url text,
            scope text,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT source_pkey PRIMARY KEY (id),
            CONSTRAINT source_source_type_id_fkey FOREIGN KEY(source_type_id) REFERENCES reference.source_type (id)
        )
        """
    )
    op.execute("CREATE INDEX source_created_at_id_idx ON reference.source (created_at, id)")
    op.execute("CREATE INDEX source_reference_id_idx ON reference.source (reference_id)")
    op.execute("CREATE INDEX source_reference_idx ON reference.source USING hash (reference)")
    op.execute(
        """
        CREATE INDEX source_source_type_id_created_at_id_idx ON reference.source (source_type_id, created_at, id)
        """
    )
    op.execute("CREATE INDEX source_title_idx ON reference.source USING hash (title)")
    op.execute("CREATE INDEX source_updated_at_id_idx ON reference.source (updated_at, id)")
    op.execute("CREATE VIEW reference.known_source_type AS SELECT * FROM reference.source_type")
    op.execute("CREATE VIEW reference.known_source AS SELECT * FROM reference.source")
