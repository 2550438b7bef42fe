"""Comments of projects: threads, places, cameras, mentions, and what they keep."""

from alembic import op

revision = "0074"
down_revision = "0070"

_STATEMENTS = (
    """
    CREATE TABLE comments.project_comment (
        comment_id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        variant_id uuid,
        evaluation_id uuid,
        parent_id uuid,
        anchor json,
        camera json,
        mentions uuid[] NOT NULL,
        resolved_by uuid,
        resolved_at timestamptz,
        created_at timestamptz NOT NULL
    )
    """,
    """
    CREATE INDEX project_comment_project_idx ON comments.project_comment (project_id, created_at, comment_id)
    """,
    """
    CREATE INDEX project_comment_variant_idx ON comments.project_comment (variant_id, created_at, comment_id)
    WHERE variant_id IS NOT NULL
    """,
    """
    CREATE INDEX project_comment_evaluation_idx ON comments.project_comment (evaluation_id)
    WHERE evaluation_id IS NOT NULL
    """,
    """
    CREATE OR REPLACE VIEW comments.named AS
    SELECT reference_id, project_id FROM comments.comment WHERE deleted_at IS NULL
    UNION ALL
    SELECT p.evaluation_id AS reference_id, p.project_id
      FROM comments.project_comment p
      JOIN comments.comment c ON c.id = p.comment_id
     WHERE p.evaluation_id IS NOT NULL AND c.deleted_at IS NULL
    """,
    """
    CREATE VIEW variants.active_variant AS
    SELECT variant_id, project_id, evaluation_id, created_by FROM variants.variant WHERE deleted_at IS NULL
    """,
)


def upgrade() -> None:
    """Create the table with its indexes, extend the view of what comments name, and add that of active variants."""
    for statement in _STATEMENTS:
        op.execute(statement)
