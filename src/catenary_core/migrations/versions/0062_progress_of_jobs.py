"""The progress that the model of a running job tells."""

from alembic import op

revision = "0062"
down_revision = "0061"


def upgrade() -> None:
    """Add the column of a job's progress."""
    op.execute("ALTER TABLE jobs.job ADD COLUMN progress json")
