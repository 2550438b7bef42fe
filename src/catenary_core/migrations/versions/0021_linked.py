"""Whether a user is a member of a platform project that is linked to an environment project, asked only when it matters."""

from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Makes `projects.is_linked`.

    Statements on single rows ask it instead of the view: a plan with the view opens its nine tables at each run, though
    hardly any row is of a confidential project. PostgreSQL inlines no function with a subquery.
    """
    op.execute(
        """
        CREATE FUNCTION projects.is_linked(environment_project uuid, member uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
            SELECT EXISTS (SELECT FROM projects.linked_user l
                            WHERE l.environment_project_id = environment_project AND l.user_id = member)
        $$
        """
    )
