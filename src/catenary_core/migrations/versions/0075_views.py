"""Views of projects."""

from alembic import op

revision = "0075"
down_revision = "0074"

_STATEMENTS = (
    "CREATE SCHEMA views",
    """
    CREATE TABLE views.view (
        view_id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        name text NOT NULL,
        is_default boolean NOT NULL,
        content json NOT NULL,
        created_by uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        deleted_at timestamptz
    )
    """,
    "CREATE INDEX view_active_idx ON views.view (project_id, created_at, view_id) WHERE deleted_at IS NULL",
    "CREATE UNIQUE INDEX view_default_key ON views.view (project_id) WHERE is_default AND deleted_at IS NULL",
)


def upgrade() -> None:
    """Create the table with its indexes."""
    for statement in _STATEMENTS:
        op.execute(statement)
