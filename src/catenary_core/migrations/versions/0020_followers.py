"""Positions of the event log's consumers."""

from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Create the table of positions."""
    op.execute(
        """
        CREATE TABLE events.follower (
            name text NOT NULL,
            sequence bigint NOT NULL,
            CONSTRAINT follower_pkey PRIMARY KEY (name)
        )
        """
    )
