"""The month's use of each user who pays, as a row of its own that can be locked; views for evaluations."""

from alembic import op

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    """Create the table, filled from the rows by project, and the views of versions and of comments."""
    op.execute(
        """
        CREATE TABLE quotas.user_month (
            user_id uuid NOT NULL,
            month text NOT NULL,
            evaluations bigint NOT NULL,
            seconds double precision NOT NULL,
            PRIMARY KEY (user_id, month)
        )
        """
    )
    op.execute(
        """
        INSERT INTO quotas.user_month (user_id, month, evaluations, seconds)
        SELECT user_id, month, sum(evaluations)::bigint, sum(seconds) FROM quotas.month GROUP BY user_id, month
        """
    )
    op.execute(
        """
        CREATE VIEW models.checked_version AS
        SELECT m.project_id, v.model_version_id, v.status, v.kind, v.sha256, v.parameters,
               coalesce(v.repeatable, false) AS repeatable
          FROM models.model_version v JOIN models.model m ON m.model_id = v.model_id
         WHERE v.deleted_at IS NULL
        """
    )
    op.execute(
        """
        CREATE VIEW comments.named AS SELECT reference_id FROM comments.comment WHERE deleted_at IS NULL
        """
    )
