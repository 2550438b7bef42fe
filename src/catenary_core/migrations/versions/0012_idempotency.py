"""Stored responses of calls with an Idempotency-Key."""

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Create the schema `idempotency`."""
    op.execute("CREATE SCHEMA idempotency")
    op.execute(
        """
        CREATE TABLE idempotency.record (
            id bytea NOT NULL,
            fingerprint bytea NOT NULL,
            answer bytea NOT NULL,
            running_until timestamptz,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            CONSTRAINT record_pkey PRIMARY KEY (id)
        )
        """
    )
    op.execute("CREATE INDEX record_created_at_idx ON idempotency.record (created_at)")
