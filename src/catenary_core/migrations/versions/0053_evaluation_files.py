"""Files and charts of evaluations."""

from alembic import op

revision = "0053"
down_revision = "0052"


def upgrade() -> None:
    """Add the columns, and the files to those that evaluations hold."""
    op.execute(
        """
        ALTER TABLE evaluations.evaluation
            ADD COLUMN charts json NOT NULL DEFAULT '[]',
            ADD COLUMN files json NOT NULL DEFAULT '[]'
        """
    )
    op.execute(
        """
        CREATE OR REPLACE VIEW evaluations.kept_file AS
        SELECT DISTINCT item ->> 'sha256' AS sha256, e.evaluation_id AS holder_id, e.project_id
          FROM evaluations.evaluation e
          JOIN projects.active_project p ON p.project_id = e.project_id
         CROSS JOIN LATERAL (
            SELECT value FROM json_array_elements(e.geometry) UNION ALL SELECT value FROM json_array_elements(e.files)
         ) named(item)
        """
    )
