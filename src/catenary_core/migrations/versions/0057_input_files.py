"""Files of projects, and what parameters of the type `file` declare."""

from alembic import op

revision = "0057"
down_revision = "0056"

_TABLE = (
    """
    CREATE TABLE evaluations.input_file (
        file_id uuid PRIMARY KEY,
        project_id uuid NOT NULL,
        name text NOT NULL,
        suffix text NOT NULL,
        size bigint NOT NULL,
        sha256 text NOT NULL,
        created_by uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        CONSTRAINT input_file_size_check CHECK (size > 0)
    )
    """,
    """
    CREATE INDEX input_file_project_id_created_at_file_id_idx
        ON evaluations.input_file (project_id, created_at, file_id)
    """,
    """
    CREATE VIEW evaluations.readable_file AS
    SELECT f.project_id, f.sha256, f.size
      FROM evaluations.input_file f
      JOIN projects.active_project p ON p.project_id = f.project_id
    """,
    """
    CREATE OR REPLACE VIEW evaluations.kept_file AS
    SELECT DISTINCT item ->> 'sha256' AS sha256, e.evaluation_id AS holder_id, e.project_id
      FROM evaluations.evaluation e
      JOIN projects.active_project p ON p.project_id = e.project_id
     CROSS JOIN LATERAL (
        SELECT value FROM json_array_elements(e.geometry) UNION ALL SELECT value FROM json_array_elements(e.files)
     ) named(item)
    UNION ALL
    SELECT f.sha256, f.file_id, f.project_id
      FROM evaluations.input_file f
      JOIN projects.active_project p ON p.project_id = f.project_id
    """,
)
# As text, since jsonb would write 1e15 as an integer. Of a parameter that an older core stores all newer keys may be
# missing, or those of this migration alone.
_COMPLETED = """
    CREATE OR REPLACE FUNCTION models.completed_parameters(parameters json) RETURNS json LANGUAGE sql IMMUTABLE AS $$
        SELECT coalesce(json_agg(
            CASE WHEN item.value -> 'accept' IS NOT NULL THEN item.value
                 ELSE (left(item.value::text, -1)
                       || CASE WHEN item.value -> 'show_if' IS NULL
                               THEN ', "order": 0, "show_if": null, "columns": []' ELSE '' END
                       || ', "accept": [], "max_bytes": null}')::json END
            ORDER BY item.number
        ), '[]'::json)
        FROM json_array_elements(parameters) WITH ORDINALITY item(value, number)
    $$
"""
_LACKS_KEYS = """
    json_typeof({0}) = 'array'
    AND EXISTS (SELECT FROM json_array_elements({0}) item(value) WHERE item.value -> 'accept' IS NULL)
"""
_COMPLETE = f"""
    CREATE OR REPLACE FUNCTION models.complete_parameters() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF {_LACKS_KEYS.format("NEW.parameters")} THEN
            NEW.parameters = models.completed_parameters(NEW.parameters);
        END IF;
        RETURN NEW;
    END $$
"""


def upgrade() -> None:
    """Create the table and its views, and give the keys of the new fields to stored parameters."""
    for statement in _TABLE:
        op.execute(statement)
    op.execute(_COMPLETED)
    op.execute(_COMPLETE)
    for table in ("model_version", "deployment"):
        op.execute(
            f"UPDATE models.{table} SET parameters = models.completed_parameters(parameters)"  # noqa: S608 - only literals
            f" WHERE {_LACKS_KEYS.format('parameters')}"
        )
