"""Counters of limits."""

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create the schema `limits`."""
    op.execute("CREATE SCHEMA limits")
    op.execute(
        """
        CREATE TABLE limits.counter (
            kind text NOT NULL,
            subject text NOT NULL,
            state json NOT NULL,
            version bigint NOT NULL DEFAULT 0,
            CONSTRAINT counter_pkey PRIMARY KEY (kind, subject)
        )
        """
    )
