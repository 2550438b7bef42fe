"""Sessions of people without an identity provider, and their links for other devices."""

from alembic import op

revision = "0079"
down_revision = "0078"

_STATEMENTS = (
    """
    CREATE TABLE identity.session (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL,
        generation integer NOT NULL DEFAULT 1,
        rotated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        used_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        ends_at timestamptz NOT NULL,
        ended_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        CONSTRAINT session_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user" (id)
    )
    """,
    "CREATE INDEX session_user_id_idx ON identity.session (user_id)",
    "CREATE INDEX session_ends_at_idx ON identity.session (ends_at)",
    """
    CREATE TABLE identity.session_token (
        digest bytea PRIMARY KEY,
        session_id uuid NOT NULL,
        generation integer NOT NULL,
        CONSTRAINT session_token_session_id_fkey
            FOREIGN KEY (session_id) REFERENCES identity.session (id) ON DELETE CASCADE
    )
    """,
    "CREATE INDEX session_token_session_id_generation_idx ON identity.session_token (session_id, generation)",
    """
    CREATE TABLE identity.sign_in_link (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL,
        digest bytea NOT NULL,
        session_id uuid,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        CONSTRAINT sign_in_link_digest_key UNIQUE (digest),
        CONSTRAINT sign_in_link_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user" (id),
        CONSTRAINT sign_in_link_session_id_fkey
            FOREIGN KEY (session_id) REFERENCES identity.session (id) ON DELETE CASCADE
    )
    """,
    "CREATE INDEX sign_in_link_expires_at_idx ON identity.sign_in_link (expires_at)",
    "CREATE INDEX sign_in_link_session_id_idx ON identity.sign_in_link (session_id)",
)


def upgrade() -> None:
    """Create the tables with their indexes."""
    for statement in _STATEMENTS:
        op.execute(statement)
