"""Comments."""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the schema `comments`."""
    op.execute("CREATE SCHEMA comments")
    op.execute(
        """
        CREATE TABLE comments.comment (
            id uuid NOT NULL,
            reference_id uuid NOT NULL,
            reference_table text NOT NULL,
            reference_url text NOT NULL,
            content text NOT NULL,
            created_by uuid NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT comment_pkey PRIMARY KEY (id)
        )
        """
    )
    op.execute("CREATE INDEX comment_created_at_id_idx ON comments.comment (created_at, id)")
    op.execute(
        """
        CREATE INDEX comment_reference_id_created_at_id_idx ON comments.comment (reference_id, created_at, id)
        """
    )
    op.execute("CREATE INDEX comment_updated_at_id_idx ON comments.comment (updated_at, id)")
