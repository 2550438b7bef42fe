"""Evaluations, and the runtime of the workers."""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the schemas `evaluations` and `worker`."""
    op.execute("CREATE SCHEMA evaluations")
    op.execute(
        """
        CREATE TABLE evaluations.evaluation (
            evaluation_id uuid NOT NULL,
            project_id uuid NOT NULL,
            status text NOT NULL,
            model_version_id uuid NOT NULL,
            parameters json NOT NULL,
            metrics json NOT NULL DEFAULT '{}',
            constraints json NOT NULL DEFAULT '{}',
            geometry json NOT NULL DEFAULT '[]',
            tables json NOT NULL DEFAULT '{}',
            error json,
            duration_ms double precision,
            runtime_digest text,
            cache_key bytea,
            created_by uuid NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            started_at timestamptz,
            completed_at timestamptz,
            CONSTRAINT evaluation_pkey PRIMARY KEY (evaluation_id),
            CONSTRAINT evaluation_status_check
                CHECK (status IN ('queued', 'running', 'completed', 'failed', 'timed_out', 'cancelled')),
            CONSTRAINT evaluation_final_check
                CHECK ((completed_at IS NULL) = (status IN ('queued', 'running')))
        )
        """
    )
    op.execute(
        "CREATE UNIQUE INDEX evaluation_unfinished_key_idx ON evaluations.evaluation (cache_key)"
        " WHERE status IN ('queued', 'running')"
    )
    op.execute(
        "CREATE INDEX evaluation_stored_key_idx ON evaluations.evaluation (cache_key, created_at)"
        " WHERE status = 'completed'"
    )
    op.execute(
        "CREATE INDEX evaluation_project_id_created_at_evaluation_id_idx"
        " ON evaluations.evaluation (project_id, created_at, evaluation_id)"
    )
    op.execute(
        """
        CREATE TABLE evaluations.conversion (
            source_sha256 text NOT NULL,
            format text NOT NULL,
            sha256 text NOT NULL,
            size bigint NOT NULL,
            CONSTRAINT conversion_pkey PRIMARY KEY (source_sha256, format)
        )
        """
    )
    op.execute("CREATE SCHEMA worker")
    op.execute(
        """
        CREATE TABLE worker.runtime (
            singleton boolean NOT NULL DEFAULT true,
            digest text NOT NULL,
            CONSTRAINT runtime_pkey PRIMARY KEY (singleton),
            CONSTRAINT runtime_singleton_check CHECK (singleton)
        )
        """
    )
    op.execute("CREATE VIEW worker.current_runtime AS SELECT digest FROM worker.runtime")
