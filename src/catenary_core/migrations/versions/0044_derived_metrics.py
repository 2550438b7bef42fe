"""Derived metrics of projects."""

from alembic import op

revision = "0044"
down_revision = "0041"


def upgrade() -> None:
    """Create the table, and the view on the values of evaluations."""
    op.execute(
        """
        CREATE TABLE models.derived_metrics (
            project_id uuid PRIMARY KEY,
            entries json NOT NULL,
            updated_at timestamptz NOT NULL DEFAULT statement_timestamp()
        )
        """
    )
    op.execute(
        """
        CREATE VIEW evaluations.result AS
        SELECT evaluation_id, project_id, model_version_id, parameters, metrics FROM evaluations.evaluation
        """
    )
