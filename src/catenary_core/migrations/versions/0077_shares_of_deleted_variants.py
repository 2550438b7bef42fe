"""Shares of variants that are deleted have ended; lists of shares showed them."""

from alembic import op

revision = "0077"
down_revision = "0076"


def upgrade() -> None:
    """Mark the shares, and index those of variants."""
    op.execute(
        """
        UPDATE projects.share s SET deleted_at = statement_timestamp(), updated_at = statement_timestamp()
         WHERE s.deleted_at IS NULL AND s.variant_id IS NOT NULL
           AND NOT EXISTS (SELECT FROM variants.active_variant v WHERE v.variant_id = s.variant_id)
        """
    )
    op.execute(
        "CREATE INDEX share_variant_idx ON projects.share (variant_id) WHERE deleted_at IS NULL AND variant_id IS NOT NULL"
    )
