"""Geometry of points, made on request or with a batch."""

from alembic import op

revision = "0055"
down_revision = "0054"


def upgrade() -> None:
    """Add what tells the evaluations of points from others, the geometry that points name, and the batches that keep it.

    The lists of a project, which show single evaluations, keep an index without those of points.
    """
    op.execute("ALTER TABLE evaluations.evaluation ADD COLUMN is_point boolean NOT NULL DEFAULT false")
    op.execute("ALTER TABLE evaluations.point ADD COLUMN geometry json")
    op.execute("ALTER TABLE evaluations.batch ADD COLUMN geometry boolean NOT NULL DEFAULT false")
    op.execute("DROP INDEX evaluations.evaluation_project_id_created_at_evaluation_id_idx")
    op.execute(
        """
        CREATE INDEX evaluation_project_id_created_at_evaluation_id_idx
            ON evaluations.evaluation (project_id, created_at, evaluation_id) WHERE NOT is_point
        """
    )
