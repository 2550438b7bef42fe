"""The model versions that unfinished batches and studies need."""

from alembic import op

revision = "0081"
down_revision = "0080"


def upgrade() -> None:
    """Create the view by which the service of the models keeps such a version."""
    op.execute(
        """
        CREATE VIEW evaluations.version_at_work AS
        SELECT model_version_id FROM evaluations.batch WHERE completed_at IS NULL
        UNION ALL
        SELECT batch.model_version_id FROM evaluations.study JOIN evaluations.batch ON batch_id = study_id
         WHERE study.completed_at IS NULL
        """
    )
