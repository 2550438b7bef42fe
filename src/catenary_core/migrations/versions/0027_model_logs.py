"""Logs of evaluations and of checks of model versions, and remarks on the declarations of versions."""

from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Add the columns; existing rows have empty logs and no remarks."""
    op.execute("ALTER TABLE evaluations.evaluation ADD COLUMN log text NOT NULL DEFAULT ''")
    op.execute("ALTER TABLE models.model_version ADD COLUMN log text NOT NULL DEFAULT ''")
    op.execute("ALTER TABLE models.model_version ADD COLUMN warnings json NOT NULL DEFAULT '[]'")
