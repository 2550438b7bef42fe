"""The projects that use a source, for the right to change and delete the source."""

from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    """Give each revision the project of its entry, with an index by source and project and a view of both."""
    op.execute("ALTER TABLE parameter.revision ADD COLUMN project_id uuid")
    op.execute(
        """
        UPDATE parameter.revision r SET project_id = e.project_id
          FROM parameter.entry e WHERE e.entry_id = r.entry_id
        """
    )
    op.execute("ALTER TABLE parameter.revision ALTER COLUMN project_id SET NOT NULL")
    op.execute("CREATE INDEX revision_source_id_project_id_idx ON parameter.revision (source_id, project_id)")
    op.execute("CREATE VIEW parameter.source_use AS SELECT source_id, project_id FROM parameter.revision")
