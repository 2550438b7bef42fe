"""Variants of projects, and what they keep."""

from alembic import op

revision = "0070"
down_revision = "0062"

_STATEMENTS = (
    "CREATE SCHEMA variants",
    """
    CREATE TABLE variants.variant (
        variant_id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        name text NOT NULL,
        note text NOT NULL,
        evaluation_id uuid NOT NULL,
        model_version_id uuid NOT NULL,
        created_by uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        deleted_at timestamptz
    )
    """,
    """
    CREATE INDEX variant_active_idx ON variants.variant (project_id, created_at, variant_id) WHERE deleted_at IS NULL
    """,
    "CREATE INDEX variant_evaluation_idx ON variants.variant (evaluation_id) WHERE deleted_at IS NULL",
    "CREATE INDEX variant_version_idx ON variants.variant (model_version_id) WHERE deleted_at IS NULL",
    """
    CREATE VIEW variants.named AS
    SELECT evaluation_id, model_version_id FROM variants.variant WHERE deleted_at IS NULL
    """,
    "CREATE VIEW variants.referable AS SELECT variant_id AS id, project_id FROM variants.variant",
)


def upgrade() -> None:
    """Create the table with its indexes, and the views for other services."""
    for statement in _STATEMENTS:
        op.execute(statement)
