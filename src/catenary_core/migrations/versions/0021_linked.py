"""A function that returns whether a user is a member of a platform project linked to an environment project."""

from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Create `projects.is_linked`.

    Statements on single rows call it instead of reading the view: a plan with the view opens its nine tables at each
    run, although hardly any row belongs to a confidential project. PostgreSQL does not inline a function with a
    subquery, so the tables are opened only when the function runs.
    """
    op.execute(
        """
        CREATE FUNCTION projects.is_linked(environment_project uuid, member uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
            SELECT EXISTS (SELECT FROM projects.linked_user l
                            WHERE l.environment_project_id = environment_project AND l.user_id = member)
        $$
        """
    )
