"""Turns of users and projects at the workers."""

from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Create the table and the columns; the jobs that wait now share one turn."""
    op.execute(
        """
        CREATE TABLE jobs.turn (
            kind text NOT NULL,
            holder uuid NOT NULL,
            seconds double precision NOT NULL,
            PRIMARY KEY (kind, holder)
        )
        """
    )
    op.execute(
        """
        ALTER TABLE jobs.job
            ADD COLUMN user_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
            ADD COLUMN project_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
            ADD COLUMN leased_at timestamptz
        """
    )
    op.execute("ALTER TABLE jobs.job ALTER COLUMN user_id DROP DEFAULT, ALTER COLUMN project_id DROP DEFAULT")
