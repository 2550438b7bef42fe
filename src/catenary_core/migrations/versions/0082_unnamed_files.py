"""The next look at each file of a project, and whether anything named it at the last one."""

from alembic import op

revision = "0082"
down_revision = "0081"

_COLUMNS = (
    """
    ALTER TABLE evaluations.input_file
        ADD COLUMN due_at timestamptz NOT NULL DEFAULT statement_timestamp() + interval '1 day',
        ADD COLUMN unnamed boolean NOT NULL DEFAULT true
    """,
    "CREATE INDEX input_file_due_at_idx ON evaluations.input_file (due_at)",
)


def upgrade() -> None:
    """Give each file, also those that are there, a day before the first look."""
    for statement in _COLUMNS:
        op.execute(statement)
