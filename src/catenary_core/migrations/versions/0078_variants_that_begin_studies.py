"""The saved designs of projects, with which studies may begin."""

from alembic import op

revision = "0078"
down_revision = "0070"

_SAVED = """
    CREATE VIEW variants.saved AS
    SELECT variant_id, project_id, evaluation_id FROM variants.variant WHERE deleted_at IS NULL
"""


def upgrade() -> None:
    """Create the view for the service of evaluations."""
    op.execute(_SAVED)
