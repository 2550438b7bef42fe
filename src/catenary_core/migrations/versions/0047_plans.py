"""Plans of evaluations."""

from alembic import op

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    """Create the table, and the view on what versions declare."""
    op.execute(
        """
        CREATE TABLE evaluations.plan (
            plan_id uuid PRIMARY KEY,
            project_id uuid NOT NULL,
            model_version_id uuid NOT NULL,
            kind text NOT NULL,
            seed bigint,
            count integer NOT NULL,
            columns json NOT NULL,
            rows json NOT NULL,
            created_by uuid NOT NULL,
            created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
            CONSTRAINT plan_kind_check CHECK (kind IN ('grid', 'latin_hypercube', 'sobol', 'halton', 'csv'))
        )
        """
    )
    op.execute(
        "CREATE INDEX plan_project_id_created_at_plan_id_idx ON evaluations.plan (project_id, created_at, plan_id)"
    )
    op.execute("CREATE INDEX plan_created_at_idx ON evaluations.plan (created_at)")
    op.execute(
        """
        CREATE VIEW models.declared AS
        SELECT m.project_id, v.model_version_id, v.parameters, v.metrics
          FROM models.model_version v JOIN models.model m ON m.model_id = v.model_id
        """
    )
