"""Deletion of model versions, which stay as rows: evaluations and deployments name them."""

from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Add the time of deletion; existing versions are active."""
    op.execute("ALTER TABLE models.model_version ADD COLUMN deleted_at timestamptz")
