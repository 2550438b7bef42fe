"""Comments of projects: threads, places, cameras, mentions, and what they keep."""

from alembic import op

revision = "0074"
down_revision = "0072"

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
)


def upgrade() -> None:
    """Create the table with its indexes, and extend the view of what comments name."""
    for statement in _STATEMENTS:
        op.execute(statement)
