"""The caller's address in the entry itself until the entry is chained."""

from alembic import op

revision = "0052"
down_revision = "0051"


def upgrade() -> None:
    """Add the column: a writer then inserts one row instead of two."""
    op.execute("ALTER TABLE audit.entry ADD COLUMN address inet")
