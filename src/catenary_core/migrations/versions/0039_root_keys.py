"""Root keys of the installation, encrypted under its secret, so that the secret can change."""

from alembic import op

revision = "0039"
down_revision = "0037"


def upgrade() -> None:
    """Create the tables; keep what proves the secret of an installation whose keys follow from the secret itself.

    A migration doesn't know the secret: the next start locks the keys up (`keyring.ring`).
    """
    op.execute("CREATE SCHEMA keyring")
    op.execute(
        """
        CREATE TABLE keyring.secret (
            name text PRIMARY KEY,
            state text NOT NULL,
            roots bytea,
            version bigint NOT NULL,
            unfinished boolean NOT NULL DEFAULT false,
            created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
            CONSTRAINT secret_state_check CHECK (state IN ('current', 'new', 'ended')),
            CONSTRAINT secret_roots_check CHECK ((state = 'ended') = (roots IS NULL))
        )
        """
    )
    op.execute("CREATE UNIQUE INDEX secret_state_idx ON keyring.secret (state) WHERE state <> 'ended'")
    op.execute(
        """
        CREATE TABLE keyring.node (
            id uuid PRIMARY KEY,
            name text NOT NULL,
            secret text NOT NULL,
            version bigint NOT NULL,
            seen_at timestamptz NOT NULL DEFAULT statement_timestamp()
        )
        """
    )
    op.execute("CREATE TABLE keyring.inherited (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sealed bytea)")
    op.execute(
        """
        INSERT INTO keyring.inherited (sealed)
        SELECT private_key FROM identity.signing_key UNION ALL SELECT sealed FROM webhooks.secret
        """
    )
    op.execute(
        """
        INSERT INTO keyring.inherited (sealed)
        SELECT NULL WHERE NOT EXISTS (SELECT FROM keyring.inherited)
            AND (EXISTS (SELECT FROM identity.client) OR EXISTS (SELECT FROM identity.api_key))
        """
    )
