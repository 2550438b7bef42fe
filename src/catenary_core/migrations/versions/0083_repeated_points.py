"""Points that repeat another one of their batch, and get its result instead of being computed."""

from alembic import op

revision = "0083"
down_revision = "0082"

_STATEMENTS = (
    "ALTER TABLE evaluations.point ADD COLUMN repeats integer",
    "ALTER TABLE evaluations.batch ADD COLUMN repeated integer NOT NULL DEFAULT 0",
    """
    ALTER TABLE evaluations.batch
        ADD CONSTRAINT batch_repeated_check CHECK (repeated >= 0 AND repeated <= queued)
    """,
    "CREATE INDEX point_repeats_idx ON evaluations.point (batch_id, repeats) WHERE repeats IS NOT NULL",
    "DROP INDEX evaluations.point_queued_idx",
    """
    CREATE INDEX point_queued_idx ON evaluations.point (batch_id, index)
     WHERE status = 'queued' AND repeats IS NULL
    """,
)


def upgrade() -> None:
    """Add the columns and their index, and let queued points that repeat none have the other one for themselves."""
    for statement in _STATEMENTS:
        op.execute(statement)
