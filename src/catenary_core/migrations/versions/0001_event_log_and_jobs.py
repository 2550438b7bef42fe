"""The event log and the jobs."""

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the schemas `events` and `jobs`."""
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
    op.execute("CREATE SCHEMA jobs")
    op.execute(
        """
        CREATE TABLE jobs.job (
            id uuid NOT NULL,
            kind text NOT NULL,
            payload json NOT NULL,
            request_id text NOT NULL,
            attempts integer NOT NULL DEFAULT 0,
            next_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            lease_until timestamptz,
            lease_token uuid,
            worker_id text,
            CONSTRAINT job_pkey PRIMARY KEY (id)
        )
        """
    )
    op.execute("CREATE INDEX job_next_at_id_idx ON jobs.job (next_at, id)")
