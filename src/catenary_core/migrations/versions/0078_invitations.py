"""Invitations of people to projects, and addresses that nobody has verified."""

from alembic import op

revision = "0078"
down_revision = "0077"

_STATEMENTS = (
    'ALTER TABLE identity."user" ADD COLUMN email_verified boolean NOT NULL DEFAULT true',
    # An address that nobody has verified matches nobody, and stands for nobody in other services.
    """
    CREATE OR REPLACE VIEW identity.active_user AS
    SELECT id AS user_id, staff_name, CASE WHEN email_verified THEN email ELSE '' END AS email, admin
      FROM identity."user" WHERE deleted_at IS NULL
    """,
    """
    CREATE OR REPLACE VIEW identity.active_staff AS
    SELECT id AS user_id, staff_id, staff_name, CASE WHEN email_verified THEN email ELSE '' END AS email,
           company_centre_unit, location_name, grade_level, my_people_page_url
      FROM identity."user" WHERE deleted_at IS NULL
    """,
    """
    CREATE VIEW identity.enabled_user AS
    SELECT id AS user_id, admin FROM identity."user" WHERE deleted_at IS NULL AND NOT disabled
    """,
    """
    CREATE TABLE projects.invitation (
        invitation_id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        digest bytea NOT NULL,
        email text NOT NULL,
        staff_name text NOT NULL,
        role integer NOT NULL,
        expires_at timestamptz NOT NULL,
        taken_by uuid,
        revoked_at timestamptz,
        created_by uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        deleted_at timestamptz,
        CONSTRAINT invitation_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects.project (project_id),
        CONSTRAINT invitation_role_check CHECK (role BETWEEN 1 AND 4)
    )
    """,
    """
    CREATE INDEX invitation_project_idx ON projects.invitation (project_id, created_at, invitation_id)
    WHERE deleted_at IS NULL
    """,
    "CREATE UNIQUE INDEX invitation_digest_key ON projects.invitation (digest)",
    """
    CREATE INDEX invitation_open_idx ON projects.invitation (expires_at)
    WHERE deleted_at IS NULL AND taken_by IS NULL AND revoked_at IS NULL
    """,
)


def upgrade() -> None:
    """Create the table with its indexes, and tell verified addresses from others."""
    for statement in _STATEMENTS:
        op.execute(statement)
