"""The finding of a version's check about the reuse of a process."""

from alembic import op

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    """Add the finding and its reason to versions, and the finding to the views for other services."""
    op.execute("ALTER TABLE models.model_version ADD COLUMN repeatable boolean, ADD COLUMN repeatable_reason text")
    op.execute(
        """
        CREATE OR REPLACE VIEW models.deployed AS
        SELECT d.project_id, v.model_id, d.model_version_id, v.kind, v.sha256, d.parameters, v.metrics, v.constraints,
               coalesce(v.repeatable, false) AS repeatable
          FROM models.deployment d
          JOIN models.model_version v ON v.model_version_id = d.model_version_id
         WHERE d.status = 'active'
        """
    )
    op.execute(
        """
        CREATE OR REPLACE VIEW models.source AS
        SELECT model_version_id, kind, sha256, size, coalesce(repeatable, false) AS repeatable
          FROM models.model_version
        """
    )
