"""The users who requested an evaluation after its first request."""

from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Create the table; who asked before is not known, and asks again."""
    op.execute(
        """
        CREATE TABLE evaluations.later_request (
            evaluation_id uuid NOT NULL REFERENCES evaluations.evaluation ON DELETE CASCADE,
            user_id uuid NOT NULL,
            PRIMARY KEY (evaluation_id, user_id)
        )
        """
    )
