"""The projects of rows that refer to a batch, a study or a point."""

from alembic import op

revision = "0061"
down_revision = "0059"


def upgrade() -> None:
    """Create the function that finds batches by the ids of their points, and tie the existing rows.

    All of them, whoever wrote them, as `0030` did: until now everybody could read them.
    """
    # A study has a batch with its id. The ids of points are the batch's with other last 20 bits (`points.ids`), so a batch
    # is found by its primary key; a view could not tell the planner so.
    op.execute(
        """
        CREATE FUNCTION evaluations.referable_points(ids uuid[]) RETURNS TABLE (id uuid, project_id uuid)
        LANGUAGE sql STABLE AS $$
            SELECT one.id, b.project_id
              FROM unnest(ids) one(id)
              JOIN evaluations.batch b
                ON b.batch_id BETWEEN CAST(left(CAST(one.id AS text), 31) || '00000' AS uuid)
                                  AND CAST(left(CAST(one.id AS text), 31) || 'fffff' AS uuid)
        $$
        """
    )
    for table in ("comments.comment", "qa.record", "reference.source", "metadata.tag_link"):
        op.execute(
            f"UPDATE {table} t SET project_id = r.project_id"  # noqa: S608 - the names stand above
            f" FROM evaluations.referable_points(ARRAY(SELECT reference_id FROM {table} WHERE project_id IS NULL)) r"
            " WHERE r.id = t.reference_id"
        )
    op.execute(
        """
        CREATE OR REPLACE VIEW comments.named AS
        SELECT reference_id, project_id FROM comments.comment WHERE deleted_at IS NULL
        """
    )
