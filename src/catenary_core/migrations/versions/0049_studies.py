"""Studies, the scores of their points, and the batches that hold these."""

from alembic import op

revision = "0049"
down_revision = "0047"


def upgrade() -> None:
    """Create the tables; mark the batches of studies."""
    op.execute("ALTER TABLE evaluations.batch ADD COLUMN is_study boolean NOT NULL DEFAULT false")
    op.execute("ALTER TABLE evaluations.batch ADD COLUMN removed integer NOT NULL DEFAULT 0")
    op.execute(
        """
        CREATE TABLE evaluations.study (
            study_id uuid PRIMARY KEY,
            project_id uuid NOT NULL,
            status text NOT NULL,
            request json NOT NULL,
            definition json NOT NULL,
            payload json NOT NULL,
            request_id text NOT NULL,
            generation integer NOT NULL DEFAULT 0,
            told integer NOT NULL DEFAULT 0,
            retried integer NOT NULL DEFAULT 0,
            hypervolume json NOT NULL DEFAULT '[]',
            reference json NOT NULL DEFAULT '[]',
            front json NOT NULL DEFAULT '[]',
            indices json NOT NULL DEFAULT '[]',
            error text,
            created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
            started_at timestamptz,
            completed_at timestamptz,
            CONSTRAINT study_study_id_fkey
                FOREIGN KEY (study_id) REFERENCES evaluations.batch (batch_id) ON DELETE CASCADE,
            CONSTRAINT study_status_check
                CHECK (status IN ('queued', 'running', 'completed', 'cancelled', 'failed')),
            CONSTRAINT study_final_check CHECK ((completed_at IS NULL) = (status IN ('queued', 'running'))),
            CONSTRAINT study_error_check CHECK (error IS NULL OR status IN ('failed', 'cancelled'))
        )
        """
    )
    op.execute(
        "CREATE INDEX study_project_id_created_at_study_id_idx ON evaluations.study (project_id, created_at, study_id)"
    )
    op.execute("CREATE INDEX study_unfinished_idx ON evaluations.study (created_at) WHERE completed_at IS NULL")
    op.execute(
        """
        CREATE TABLE evaluations.score (
            study_id uuid NOT NULL,
            index integer NOT NULL,
            generation integer NOT NULL,
            objectives json NOT NULL,
            feasible boolean NOT NULL,
            rank integer,
            CONSTRAINT score_pkey PRIMARY KEY (study_id, index),
            CONSTRAINT score_study_id_fkey
                FOREIGN KEY (study_id) REFERENCES evaluations.study (study_id) ON DELETE CASCADE
        )
        """
    )
