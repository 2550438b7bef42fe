"""Batches of evaluations, and their points."""

from alembic import op

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    """Create the tables."""
    op.execute(
        """
        CREATE TABLE evaluations.batch (
            batch_id uuid PRIMARY KEY,
            project_id uuid NOT NULL,
            model_version_id uuid NOT NULL,
            status text NOT NULL,
            total integer NOT NULL,
            queued integer NOT NULL,
            running integer NOT NULL DEFAULT 0,
            completed integer NOT NULL DEFAULT 0,
            failed integer NOT NULL DEFAULT 0,
            timed_out integer NOT NULL DEFAULT 0,
            cancelled integer NOT NULL DEFAULT 0,
            cached integer NOT NULL DEFAULT 0,
            seconds double precision NOT NULL DEFAULT 0,
            created_by uuid NOT NULL,
            created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
            started_at timestamptz,
            completed_at timestamptz,
            CONSTRAINT batch_status_check CHECK (status IN ('queued', 'running', 'completed', 'cancelled')),
            CONSTRAINT batch_final_check CHECK ((completed_at IS NULL) = (status IN ('queued', 'running'))),
            CONSTRAINT batch_counts_check
                CHECK (total = queued + running + completed + failed + timed_out + cancelled AND cached <= completed)
        )
        """
    )
    op.execute(
        "CREATE INDEX batch_project_id_created_at_batch_id_idx ON evaluations.batch (project_id, created_at, batch_id)"
    )
    op.execute(
        """
        CREATE TABLE evaluations.point (
            batch_id uuid NOT NULL,
            index integer NOT NULL,
            status text NOT NULL,
            parameters json NOT NULL,
            metrics json NOT NULL DEFAULT '{}',
            constraints json NOT NULL DEFAULT '{}',
            tables json NOT NULL DEFAULT '{}',
            error json,
            cached boolean NOT NULL DEFAULT false,
            duration_ms double precision,
            cache_key bytea,
            job_id uuid,
            position integer,
            size integer NOT NULL DEFAULT 0,
            created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
            started_at timestamptz,
            completed_at timestamptz,
            CONSTRAINT point_pkey PRIMARY KEY (batch_id, index),
            CONSTRAINT point_batch_id_fkey
                FOREIGN KEY (batch_id) REFERENCES evaluations.batch (batch_id) ON DELETE CASCADE,
            CONSTRAINT point_status_check
                CHECK (status IN ('queued', 'running', 'completed', 'failed', 'timed_out', 'cancelled')),
            CONSTRAINT point_final_check CHECK ((completed_at IS NULL) = (status IN ('queued', 'running'))),
            CONSTRAINT point_position_check CHECK ((position IS NULL) = (completed_at IS NULL)),
            CONSTRAINT point_job_check CHECK ((job_id IS NULL) = (status <> 'running'))
        )
        """
    )
    op.execute("CREATE INDEX point_queued_idx ON evaluations.point (batch_id, index) WHERE status = 'queued'")
    op.execute("CREATE INDEX point_job_id_idx ON evaluations.point (job_id) WHERE job_id IS NOT NULL")
    op.execute(
        "CREATE UNIQUE INDEX point_position_idx ON evaluations.point (batch_id, position) WHERE position IS NOT NULL"
    )
    op.execute(
        "CREATE INDEX point_stored_key_idx ON evaluations.point (cache_key, created_at) WHERE status = 'completed'"
    )
