"""Comments by the table that they refer to."""

from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Adds the index of the filter `reference_table`."""
    op.execute("CREATE INDEX comment_reference_table_idx ON comments.comment (reference_table)")
