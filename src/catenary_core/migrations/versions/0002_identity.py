"""Users, clients, API keys, teams, signing keys, revoked tokens, and the views for other services."""

from alembic import op

revision = "0002"
down_revision = "0001"

_TABLES = (
    """
    CREATE TABLE identity."user" (
        id uuid NOT NULL,
        staff_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
        issuer text,
        subject text,
        staff_name text NOT NULL,
        email text NOT NULL,
        company_centre_unit text NOT NULL DEFAULT '',
        location_name text NOT NULL DEFAULT '',
        grade_level integer,
        my_people_page_url text NOT NULL DEFAULT '',
        admin boolean NOT NULL DEFAULT false,
        disabled boolean NOT NULL DEFAULT false,
        claims_at timestamptz,
        last_login_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        deleted_at timestamptz,
        CONSTRAINT user_pkey PRIMARY KEY (id),
        CONSTRAINT user_staff_id_key UNIQUE (staff_id),
        CONSTRAINT user_issuer_subject_key UNIQUE (issuer, subject)
    )
    """,
    'CREATE INDEX user_created_at_id_idx ON identity."user" (created_at, id)',
    """
    CREATE INDEX user_enabled_admin_idx ON identity."user" (id)
     WHERE admin AND NOT disabled AND deleted_at IS NULL
    """,
    """
    CREATE TABLE identity.client (
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        secret_digest bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT client_pkey PRIMARY KEY (id),
        CONSTRAINT client_user_id_key UNIQUE (user_id),
        CONSTRAINT client_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user" (id)
    )
    """,
    "CREATE INDEX client_created_at_id_idx ON identity.client (created_at, id)",
    """
    CREATE TABLE identity.api_key (
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        name text NOT NULL,
        prefix text NOT NULL,
        digest bytea NOT NULL,
        scopes text[] NOT NULL,
        expires_at timestamptz,
        last_used_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        deleted_at timestamptz,
        CONSTRAINT api_key_pkey PRIMARY KEY (id),
        CONSTRAINT api_key_digest_key UNIQUE (digest),
        CONSTRAINT api_key_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user" (id)
    )
    """,
    "CREATE INDEX api_key_created_at_id_idx ON identity.api_key (created_at, id)",
    "CREATE INDEX api_key_user_id_created_at_id_idx ON identity.api_key (user_id, created_at, id)",
    """
    CREATE TABLE identity.team (
        id uuid NOT NULL,
        name text NOT NULL,
        created_by uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        deleted_at timestamptz,
        CONSTRAINT team_pkey PRIMARY KEY (id),
        CONSTRAINT team_created_by_fkey FOREIGN KEY (created_by) REFERENCES identity."user" (id)
    )
    """,
    "CREATE UNIQUE INDEX team_name_key ON identity.team (name) WHERE deleted_at IS NULL",
    "CREATE INDEX team_created_at_id_idx ON identity.team (created_at, id)",
    """
    CREATE TABLE identity.team_member (
        team_id uuid NOT NULL,
        user_id uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT team_member_pkey PRIMARY KEY (team_id, user_id),
        CONSTRAINT team_member_team_id_fkey FOREIGN KEY (team_id) REFERENCES identity.team (id),
        CONSTRAINT team_member_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user" (id)
    )
    """,
    "CREATE INDEX team_member_user_id_idx ON identity.team_member (user_id)",
    """
    CREATE TABLE identity.signing_key (
        id uuid NOT NULL,
        private_key bytea NOT NULL,
        signs_from timestamptz NOT NULL,
        signs_until timestamptz NOT NULL,
        verifies_until timestamptz NOT NULL,
        CONSTRAINT signing_key_pkey PRIMARY KEY (id)
    )
    """,
    """
    CREATE TABLE identity.revoked_token (
        id uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT revoked_token_pkey PRIMARY KEY (id)
    )
    """,
    "CREATE INDEX revoked_token_expires_at_idx ON identity.revoked_token (expires_at)",
    """
    CREATE TABLE identity.failed_grant (
        id uuid NOT NULL,
        key bytea NOT NULL,
        failed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT failed_grant_pkey PRIMARY KEY (id)
    )
    """,
    "CREATE INDEX failed_grant_key_failed_at_idx ON identity.failed_grant (key, failed_at)",
    "CREATE INDEX failed_grant_failed_at_idx ON identity.failed_grant (failed_at)",
)
# Views for other services, documented in the service's tables.
_VIEWS = (
    """
    CREATE VIEW identity.active_user AS
    SELECT id AS user_id, staff_name, email, admin FROM identity."user" WHERE deleted_at IS NULL
    """,
    """
    CREATE VIEW identity.active_team AS
    SELECT id AS team_id, name, created_by FROM identity.team WHERE deleted_at IS NULL
    """,
    """
    CREATE VIEW identity.team_user AS
    SELECT m.team_id, m.user_id
      FROM identity.team_member m
      JOIN identity.active_team t ON t.team_id = m.team_id
      JOIN identity.active_user u ON u.user_id = m.user_id
    """,
)


def upgrade() -> None:
    """Create the schema `identity`."""
    op.execute("CREATE SCHEMA identity")
    for statement in (*_TABLES, *_VIEWS):
        op.execute(statement)
