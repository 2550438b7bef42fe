"""Designs with which studies begin, and the derived metrics that studies read."""

from alembic import op

revision = "0056"
down_revision = "0055"


def upgrade() -> None:
    """Add the columns, move the points before a resume out of the request, and give studies the derived metrics."""
    op.execute(
        """
        ALTER TABLE evaluations.study
            ADD COLUMN start json NOT NULL DEFAULT '[]',
            ADD COLUMN before integer NOT NULL DEFAULT 0
        """
    )
    # Key by key, since jsonb would write 1e15 as an integer.
    op.execute(
        """
        UPDATE evaluations.study
           SET before = CAST(request ->> 'before' AS integer),
               request = (SELECT json_object_agg(one.key, one.value) FROM json_each(request) one WHERE one.key <> 'before')
         WHERE request -> 'before' IS NOT NULL
        """
    )
    op.execute("CREATE VIEW models.derived AS SELECT project_id, entries FROM models.derived_metrics")
