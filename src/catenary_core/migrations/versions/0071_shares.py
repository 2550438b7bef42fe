"""Shares of projects: with users and teams, and as links."""

from alembic import op

revision = "0071"
down_revision = "0070"

_STATEMENTS = (
    """
    CREATE TABLE projects.share (
        share_id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        kind integer NOT NULL,
        member_id uuid,
        digest bytea,
        role integer NOT NULL,
        variant_id uuid,
        expires_at timestamptz,
        created_by uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        deleted_at timestamptz,
        CONSTRAINT share_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects.project (project_id),
        CONSTRAINT share_role_check CHECK (role BETWEEN 1 AND 3),
        CONSTRAINT share_kind_check CHECK (kind IN (1, 2, 3)),
        CONSTRAINT share_named_check CHECK (
            CASE kind WHEN 3 THEN member_id IS NULL AND digest IS NOT NULL AND role = 1
            ELSE member_id IS NOT NULL AND digest IS NULL END
        )
    )
    """,
    """
    CREATE INDEX share_project_idx ON projects.share (project_id, created_at, share_id) WHERE deleted_at IS NULL
    """,
    "CREATE INDEX share_member_idx ON projects.share (member_id, project_id) WHERE deleted_at IS NULL",
    "CREATE UNIQUE INDEX share_digest_key ON projects.share (digest)",
    "CREATE INDEX share_end_idx ON projects.share (expires_at) WHERE deleted_at IS NULL AND expires_at IS NOT NULL",
    """
    CREATE VIEW projects.active_share AS
    SELECT share_id, project_id, kind, member_id, digest, role, variant_id, expires_at, created_at
      FROM projects.share
     WHERE deleted_at IS NULL AND (expires_at IS NULL OR expires_at > statement_timestamp())
    """,
    # Who has a role in a whole project: the members, and those with whom it is shared until an end.
    """
    CREATE VIEW projects.role_holder AS
    SELECT project_id, member_id, is_team, role FROM projects.member
    UNION ALL
    SELECT project_id, member_id, kind = 2, role
      FROM projects.active_share
     WHERE kind <> 3 AND variant_id IS NULL
    """,
    """
    CREATE OR REPLACE VIEW projects.project_role AS
    SELECT m.project_id, m.member_id AS user_id, m.role
      FROM projects.role_holder m
      JOIN projects.active_project p ON p.project_id = m.project_id
      JOIN identity.active_user u ON u.user_id = m.member_id
     WHERE NOT m.is_team
    UNION ALL
    SELECT m.project_id, t.user_id, m.role
      FROM projects.role_holder m
      JOIN projects.active_project p ON p.project_id = m.project_id
      JOIN identity.team_user t ON t.team_id = m.member_id
     WHERE m.is_team
    """,
    """
    CREATE OR REPLACE VIEW projects.member_user AS
    SELECT m.project_id, m.member_id AS user_id
      FROM projects.role_holder m
      JOIN identity.active_user u ON u.user_id = m.member_id
     WHERE NOT m.is_team
    UNION
    SELECT m.project_id, t.user_id
      FROM projects.role_holder m
      JOIN identity.team_user t ON t.team_id = m.member_id
     WHERE m.is_team
    """,
)


def upgrade() -> None:
    """Create the table, and let shares of whole projects count as roles."""
    for statement in _STATEMENTS:
        op.execute(statement)
