"""Holdings of the files in the object store, by which those that nobody holds are collected."""

from alembic import op

revision = "0037"
down_revision = "0036"

_SCHEMA = (
    "CREATE SCHEMA objects",
    """
    CREATE TABLE objects.object (
        sha256 text PRIMARY KEY,
        made_of text,
        due_at timestamptz
    )
    """,
    "CREATE INDEX object_due_at_idx ON objects.object (due_at) WHERE due_at IS NOT NULL",
    "CREATE INDEX object_made_of_idx ON objects.object (made_of) WHERE made_of IS NOT NULL",
    """
    CREATE TABLE objects.holding (
        sha256 text NOT NULL,
        holder_id uuid NOT NULL,
        project_id uuid NOT NULL,
        PRIMARY KEY (sha256, holder_id)
    )
    """,
    "CREATE INDEX holding_holder_id_idx ON objects.holding (holder_id)",
    "CREATE INDEX holding_project_id_idx ON objects.holding (project_id)",
    "CREATE TABLE objects.leaving (project_id uuid PRIMARY KEY)",
    """
    CREATE VIEW models.kept_file AS
    SELECT v.sha256, v.model_version_id AS holder_id, m.project_id
      FROM models.model_version v
      JOIN models.model m ON m.model_id = v.model_id AND m.deleted_at IS NULL
      JOIN projects.active_project p ON p.project_id = m.project_id
     WHERE v.deleted_at IS NULL
    """,
    """
    CREATE VIEW evaluations.kept_file AS
    SELECT DISTINCT item ->> 'sha256' AS sha256, e.evaluation_id AS holder_id, e.project_id
      FROM evaluations.evaluation e
      JOIN projects.active_project p ON p.project_id = e.project_id
     CROSS JOIN json_array_elements(e.geometry) item
    """,
)
# Whatever nobody holds has its day from now: processes of the release before know nothing of holdings.
_FILLED = (
    """
    INSERT INTO objects.holding (sha256, holder_id, project_id)
    SELECT sha256, holder_id, project_id FROM models.kept_file
    UNION SELECT sha256, holder_id, project_id FROM evaluations.kept_file
    """,
    """
    INSERT INTO objects.object (sha256, due_at)
    SELECT sha256, clock_timestamp() + interval '1 day' FROM (
        SELECT sha256 FROM models.model_version
        UNION SELECT item ->> 'sha256' FROM evaluations.evaluation e CROSS JOIN json_array_elements(e.geometry) item
    ) known
    """,
    """
    INSERT INTO objects.object (sha256, made_of, due_at)
    SELECT DISTINCT ON (sha256) sha256, source_sha256, clock_timestamp() + interval '1 day' FROM evaluations.conversion
     ORDER BY sha256, source_sha256
    ON CONFLICT DO NOTHING
    """,
)


def upgrade() -> None:
    """Create the schema `objects` with what is there already."""
    for statement in (*_SCHEMA, *_FILLED):
        op.execute(statement)
