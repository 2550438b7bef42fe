"""The generation of a client's tokens, by which all of them can be ended at once."""

from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """Add the generation; tokens issued before name none and count as generation 0."""
    op.execute("ALTER TABLE identity.client ADD COLUMN token_generation integer NOT NULL DEFAULT 0")
