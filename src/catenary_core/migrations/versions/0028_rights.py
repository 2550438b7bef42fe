"""The columns that decide who may write: roles in linked projects, creators of environment projects and of sources."""

from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    """Extend the views of linked projects, and add the creator of a source, unknown for existing ones."""
    op.execute(
        """
        CREATE OR REPLACE VIEW projects.linked_user AS
        SELECT p.environment_project_id, r.user_id, r.role
          FROM projects.project p
          JOIN projects.project_role r ON r.project_id = p.project_id
         WHERE p.environment_project_id IS NOT NULL
        """
    )
    op.execute(
        """
        CREATE VIEW projects.linked_project AS
        SELECT environment_project_id, project_id
          FROM projects.project
         WHERE environment_project_id IS NOT NULL AND deleted_at IS NULL
        """
    )
    op.execute(
        """
        CREATE OR REPLACE VIEW environment.active_project AS
        SELECT project_id, created_by FROM environment.project WHERE deleted_at IS NULL
        """
    )
    op.execute("ALTER TABLE reference.source ADD COLUMN created_by uuid")
