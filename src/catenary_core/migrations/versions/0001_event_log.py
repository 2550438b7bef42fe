"""The event log."""

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes the schema `events`."""
    op.execute("CREATE SCHEMA events")
    op.execute(
        """
        CREATE TABLE events.event (
            id uuid NOT NULL,
            sequence bigint,
            type text NOT NULL,
            occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            project_id uuid,
            actor_id uuid,
            subject text NOT NULL,
            data json NOT NULL,
            CONSTRAINT event_pkey PRIMARY KEY (id),
            CONSTRAINT event_sequence_key UNIQUE (sequence)
        )
        """
    )
    op.execute("CREATE INDEX event_unsequenced_idx ON events.event (id) WHERE sequence IS NULL")
