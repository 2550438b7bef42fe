"""Roles in shared variants, and links."""

from alembic import op

revision = "0072"
down_revision = "0071"

_STATEMENTS = (
    """
    CREATE VIEW variants.active_variant AS
    SELECT variant_id, project_id, evaluation_id, created_by FROM variants.variant WHERE deleted_at IS NULL
    """,
    """
    CREATE VIEW projects.variant_role AS
    SELECT s.project_id, s.variant_id, v.evaluation_id, s.member_id AS user_id, s.role
      FROM projects.active_share s
      JOIN projects.active_project p ON p.project_id = s.project_id
      JOIN variants.active_variant v ON v.variant_id = s.variant_id
      JOIN identity.active_user u ON u.user_id = s.member_id
     WHERE s.kind = 1
    UNION ALL
    SELECT s.project_id, s.variant_id, v.evaluation_id, t.user_id, s.role
      FROM projects.active_share s
      JOIN projects.active_project p ON p.project_id = s.project_id
      JOIN variants.active_variant v ON v.variant_id = s.variant_id
      JOIN identity.team_user t ON t.team_id = s.member_id
     WHERE s.kind = 2
    """,
    """
    CREATE VIEW projects.link AS
    SELECT s.share_id, s.digest, s.project_id, s.variant_id, v.evaluation_id, s.expires_at
      FROM projects.active_share s
      JOIN projects.active_project p ON p.project_id = s.project_id
      LEFT JOIN variants.active_variant v ON v.variant_id = s.variant_id
     WHERE s.kind = 3 AND (s.variant_id IS NULL OR v.variant_id IS NOT NULL)
    """,
)


def upgrade() -> None:
    """Create the views."""
    for statement in _STATEMENTS:
        op.execute(statement)
