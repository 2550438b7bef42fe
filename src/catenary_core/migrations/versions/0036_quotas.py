"""Tiers of users, owners of projects who pay, and the accounts of quotas."""

from alembic import op

revision = "0036"
down_revision = "0035"

_TABLES = (
    "CREATE SCHEMA quotas",
    """
    CREATE TABLE quotas.project (
        project_id uuid PRIMARY KEY,
        user_id uuid NOT NULL,
        storage bigint NOT NULL,
        is_open boolean NOT NULL DEFAULT true
    )
    """,
    """
    CREATE TABLE quotas."user" (
        user_id uuid PRIMARY KEY,
        storage bigint NOT NULL
    )
    """,
    """
    CREATE TABLE quotas.month (
        project_id uuid NOT NULL,
        user_id uuid NOT NULL,
        month text NOT NULL,
        evaluations bigint NOT NULL,
        seconds double precision NOT NULL,
        PRIMARY KEY (project_id, user_id, month)
    )
    """,
    "CREATE INDEX month_user_id_month_idx ON quotas.month (user_id, month)",
)
# What is there already: the sources of versions and the artefacts of evaluations, each as often as something names it.
_FILLED = (
    """
    INSERT INTO quotas.project (project_id, user_id, storage, is_open)
    SELECT p.project_id, p.owner_user_id, coalesce(sources.size, 0) + coalesce(artefacts.size, 0), true
      FROM projects.project p
      LEFT JOIN (
          SELECT m.project_id, sum(v.size)::bigint AS size
            FROM models.model m JOIN models.model_version v ON v.model_id = m.model_id AND v.deleted_at IS NULL
           WHERE m.deleted_at IS NULL GROUP BY m.project_id
      ) sources ON sources.project_id = p.project_id
      LEFT JOIN (
          SELECT e.project_id, sum((item ->> 'size')::bigint)::bigint AS size
            FROM evaluations.evaluation e CROSS JOIN json_array_elements(e.geometry) item GROUP BY e.project_id
      ) artefacts ON artefacts.project_id = p.project_id
     WHERE p.deleted_at IS NULL
    """,
    """
    INSERT INTO quotas.project (project_id, user_id, storage, is_open)
    SELECT project_id, owner_user_id, 0, false FROM projects.project WHERE deleted_at IS NOT NULL
    """,
    'INSERT INTO quotas."user" (user_id, storage) SELECT user_id, sum(storage) FROM quotas.project GROUP BY user_id',
)


def upgrade() -> None:
    """Give each user the tier `standard` and each project its creator as the one who pays; count what is stored.

    The creator is the owner who has been a member longest; where only teams own a project, the first of their users.
    """
    op.execute("ALTER TABLE identity.\"user\" ADD COLUMN tier text NOT NULL DEFAULT 'standard'")
    op.execute('CREATE VIEW identity.user_tier AS SELECT id AS user_id, tier FROM identity."user"')
    op.execute("ALTER TABLE projects.project ADD COLUMN owner_user_id uuid")
    op.execute(
        """
        UPDATE projects.project p SET owner_user_id = coalesce(
            (SELECT m.member_id FROM projects.member m JOIN identity.active_user u ON u.user_id = m.member_id
              WHERE m.project_id = p.project_id AND m.role = 4 AND NOT m.is_team
              ORDER BY m.created_at, m.member_id LIMIT 1),
            (SELECT t.user_id FROM projects.member m JOIN identity.team_user t ON t.team_id = m.member_id
              WHERE m.project_id = p.project_id AND m.role = 4 AND m.is_team
              ORDER BY m.created_at, t.user_id LIMIT 1),
            (SELECT m.member_id FROM projects.member m
              WHERE m.project_id = p.project_id AND m.role = 4 ORDER BY m.created_at, m.member_id LIMIT 1),
            '00000000-0000-0000-0000-000000000000'
        )
        """
    )
    op.execute("ALTER TABLE projects.project ALTER COLUMN owner_user_id SET NOT NULL")
    op.execute("CREATE VIEW projects.payer AS SELECT project_id, owner_user_id AS user_id FROM projects.project")
    for statement in (*_TABLES, *_FILLED):
        op.execute(statement)
