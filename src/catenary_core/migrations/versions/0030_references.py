"""The projects that references tie their rows to, and the rows that a reference may name."""

from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Create the views of the rows that a reference may name, and tie the existing rows."""
    op.execute(
        """
        CREATE VIEW environment.referable AS
        SELECT project_id AS id, project_id AS environment_project_id FROM environment.project
        """
    )
    op.execute(
        """
        CREATE VIEW parameter.referable AS
        SELECT id, project_id AS environment_project_id FROM parameter.asset
        UNION ALL SELECT id, project_id FROM parameter.parameter
        UNION ALL SELECT entry_id, project_id FROM parameter.entry
        UNION ALL
        SELECT r.revision_id, e.project_id FROM parameter.revision r JOIN parameter.entry e ON e.entry_id = r.entry_id
        """
    )
    op.execute(
        """
        CREATE VIEW metadata.referable AS
        SELECT id, tag_scope AS environment_project_id FROM metadata.tag WHERE tag_scope IS NOT NULL
        """
    )
    op.execute("CREATE VIEW projects.referable AS SELECT project_id AS id, project_id FROM projects.project")
    op.execute(
        """
        CREATE VIEW evaluations.referable AS SELECT evaluation_id AS id, project_id FROM evaluations.evaluation
        """
    )
    op.execute(
        """
        CREATE FUNCTION projects.is_member(project uuid, member uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
            SELECT EXISTS (SELECT FROM projects.project_role r WHERE r.project_id = project AND r.user_id = member)
        $$
        """
    )
    for table in ("comments.comment", "qa.record", "reference.source", "metadata.tag_link"):
        op.execute(f"ALTER TABLE {table} ADD COLUMN environment_project_id uuid, ADD COLUMN project_id uuid")
        for tie, views in (
            ("environment_project_id", ("environment", "parameter", "metadata")),
            ("project_id", ("projects", "evaluations")),
        ):
            for view in views:
                op.execute(
                    f"UPDATE {table} t SET {tie} = r.{tie} FROM {view}.referable r"  # noqa: S608 - the names stand above
                    " WHERE r.id = t.reference_id"
                )
    op.execute("CREATE OR REPLACE VIEW reference.known_source AS SELECT * FROM reference.source")
