"""How far the followers of the event log have come."""

from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Makes the table of positions."""
    op.execute(
        """
        CREATE TABLE events.follower (
            name text NOT NULL,
            sequence bigint NOT NULL,
            CONSTRAINT follower_pkey PRIMARY KEY (name)
        )
        """
    )
