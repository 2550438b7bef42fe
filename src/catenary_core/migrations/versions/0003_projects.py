"""Projects, their members, and the views for other services."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the schema `projects`."""
    op.execute("CREATE SCHEMA projects")
    op.execute(
        """
        CREATE TABLE projects.project (
            project_id uuid NOT NULL,
            name text NOT NULL,
            description text NOT NULL,
            environment_project_id uuid,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT project_pkey PRIMARY KEY (project_id)
        )
        """
    )
    op.execute("CREATE INDEX project_active_idx ON projects.project (created_at, project_id) WHERE deleted_at IS NULL")
    op.execute(
        """
        CREATE TABLE projects.member (
            project_id uuid NOT NULL,
            member_id uuid NOT NULL,
            is_team boolean NOT NULL,
            role integer NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            CONSTRAINT member_pkey PRIMARY KEY (project_id, member_id),
            CONSTRAINT member_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects.project (project_id),
            CONSTRAINT member_role_check CHECK (role BETWEEN 1 AND 4)
        )
        """
    )
    op.execute("CREATE INDEX member_member_id_project_id_idx ON projects.member (member_id, project_id)")
    op.execute(
        """
        CREATE TABLE projects.access (
            project_id uuid NOT NULL,
            user_id uuid NOT NULL,
            accessed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            CONSTRAINT access_pkey PRIMARY KEY (project_id, user_id),
            CONSTRAINT access_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects.project (project_id)
        )
        """
    )
    op.execute(
        "CREATE VIEW projects.active_project AS SELECT project_id FROM projects.project WHERE deleted_at IS NULL"
    )
    op.execute(
        """
        CREATE VIEW projects.project_role AS
        SELECT m.project_id, m.member_id AS user_id, m.role
          FROM projects.member m
          JOIN projects.active_project p ON p.project_id = m.project_id
          JOIN identity.active_user u ON u.user_id = m.member_id
         WHERE NOT m.is_team
        UNION ALL
        SELECT m.project_id, t.user_id, m.role
          FROM projects.member m
          JOIN projects.active_project p ON p.project_id = m.project_id
          JOIN identity.team_user t ON t.team_id = m.member_id
         WHERE m.is_team
        """
    )
