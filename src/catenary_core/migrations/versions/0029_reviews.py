"""The reviews of revisions: who gave the status, when and why."""

from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Add the latest review to each revision.

    Of reviews until now the time and the status are known, and the comment of a rejection, which had one always. The
    comment stays in its old column too, since a review without one left the creator's there.
    """
    op.execute(
        """
        ALTER TABLE parameter.revision
            ADD COLUMN review_comment text, ADD COLUMN reviewed_by uuid, ADD COLUMN reviewed_at timestamptz
        """
    )
    op.execute(
        """
        UPDATE parameter.revision
           SET reviewed_at = updated_at, review_comment = CASE WHEN status = 'rejected' THEN comment END
         WHERE status <> 'answered'
        """
    )
