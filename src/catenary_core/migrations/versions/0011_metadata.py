"""Tag types, tags and tag links, and the view for other services."""

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create the schema `metadata`."""
    op.execute("CREATE SCHEMA metadata")
    op.execute(
        """
        CREATE TABLE metadata.tag_type (
            id uuid NOT NULL,
            name text COLLATE "C" NOT NULL,
            allow_custom boolean NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT tag_type_pkey PRIMARY KEY (id)
        )
        """
    )
    op.execute("CREATE UNIQUE INDEX tag_type_name_key ON metadata.tag_type (name) WHERE deleted_at IS NULL")
    op.execute("CREATE INDEX tag_type_created_at_id_idx ON metadata.tag_type (created_at, id)")
    op.execute(
        """
        CREATE TABLE metadata.tag (
            id uuid NOT NULL,
            name text COLLATE "C" NOT NULL,
            tag_type_id uuid NOT NULL,
            tag_scope uuid,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT tag_pkey PRIMARY KEY (id),
            CONSTRAINT tag_tag_type_id_fkey FOREIGN KEY (tag_type_id) REFERENCES metadata.tag_type (id)
        )
        """
    )
    op.execute(
        """
        CREATE UNIQUE INDEX tag_name_tag_type_id_tag_scope_key ON metadata.tag (name, tag_type_id, tag_scope)
        NULLS NOT DISTINCT WHERE deleted_at IS NULL
        """
    )
    op.execute("CREATE INDEX tag_created_at_id_idx ON metadata.tag (created_at, id)")
    op.execute("CREATE INDEX tag_updated_at_id_idx ON metadata.tag (updated_at, id)")
    op.execute("CREATE INDEX tag_name_id_idx ON metadata.tag (name, id)")
    op.execute("CREATE INDEX tag_tag_type_id_created_at_id_idx ON metadata.tag (tag_type_id, created_at, id)")
    op.execute("CREATE INDEX tag_tag_scope_created_at_id_idx ON metadata.tag (tag_scope, created_at, id)")
    op.execute(
        """
        CREATE TABLE metadata.tag_link (
            tag_id uuid NOT NULL,
            reference_id uuid NOT NULL,
            reference_table text NOT NULL,
            reference_url text NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT tag_link_pkey PRIMARY KEY (tag_id, reference_id),
            CONSTRAINT tag_link_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES metadata.tag (id)
        )
        """
    )
    op.execute(
        """
        CREATE INDEX tag_link_tag_id_created_at_reference_id_idx
        ON metadata.tag_link (tag_id, created_at, reference_id)
        """
    )
    op.execute(
        """
        CREATE INDEX tag_link_tag_id_updated_at_reference_id_idx
        ON metadata.tag_link (tag_id, updated_at, reference_id)
        """
    )
    op.execute("CREATE INDEX tag_link_reference_id_idx ON metadata.tag_link (reference_id)")
    # Deleting a tag deletes its links, so an active link has an active tag.
    op.execute(
        """
        CREATE VIEW metadata.tagged AS
        SELECT l.tag_id, l.reference_id, t.tag_scope
          FROM metadata.tag_link l
          JOIN metadata.tag t ON t.id = l.tag_id
         WHERE l.deleted_at IS NULL
        """
    )
