"""Worker tokens: random credentials, of which each can be revoked."""

from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Create the table; the earlier token, which followed from the installation's secret, is refused from now on."""
    op.execute(
        """
        CREATE TABLE identity.worker_token (
            id uuid PRIMARY KEY,
            name text NOT NULL,
            prefix text NOT NULL,
            digest bytea NOT NULL,
            last_used_at timestamptz,
            created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT worker_token_digest_key UNIQUE (digest)
        )
        """
    )
    op.execute("CREATE INDEX worker_token_created_at_id_idx ON identity.worker_token (created_at, id)")
