"""Index of comments by the table to which they refer."""

from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Add the index for the filter `reference_table`."""
    op.execute("CREATE INDEX comment_reference_table_idx ON comments.comment (reference_table)")
