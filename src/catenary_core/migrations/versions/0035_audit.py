"""The audit trail."""

from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    """Create the schema `audit`."""
    op.execute("CREATE SCHEMA audit")
    op.execute(
        """
        CREATE TABLE audit.entry (
            sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            actor_id uuid,
            credential_id text,
            action text NOT NULL,
            subject text,
            outcome text NOT NULL,
            request_id text NOT NULL,
            count integer NOT NULL DEFAULT 1,
            details json,
            chain_sequence bigint,
            chain_hash bytea,
            fold_key bytea,
            open_until timestamptz
        )
        """
    )
    op.execute(
        "CREATE UNIQUE INDEX entry_chain_sequence_key ON audit.entry (chain_sequence) WHERE chain_sequence IS NOT NULL"
    )
    op.execute("CREATE INDEX entry_unchained_idx ON audit.entry (sequence) WHERE chain_sequence IS NULL")
    op.execute(
        "CREATE UNIQUE INDEX entry_open_key ON audit.entry (fold_key, open_until)"
        " WHERE fold_key IS NOT NULL AND chain_sequence IS NULL"
    )
    op.execute("CREATE INDEX entry_occurred_at_idx ON audit.entry (occurred_at)")
    op.execute("CREATE INDEX entry_actor_id_sequence_idx ON audit.entry (actor_id, sequence)")
    op.execute("CREATE INDEX entry_action_sequence_idx ON audit.entry (action, sequence)")
    op.execute("CREATE INDEX entry_subject_sequence_idx ON audit.entry (subject, sequence)")
    op.execute("CREATE TABLE audit.address (sequence bigint PRIMARY KEY, address inet NOT NULL)")
    op.execute(
        """
        CREATE TABLE audit.anchor (
            chain_sequence bigint PRIMARY KEY,
            chain_hash bytea NOT NULL,
            signature bytea NOT NULL,
            trimmed boolean NOT NULL,
            made_at timestamptz NOT NULL DEFAULT clock_timestamp()
        )
        """
    )
