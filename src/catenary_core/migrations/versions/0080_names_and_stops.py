"""Names and notes of batches, the reason of their cancellation, and the rules by which studies stop."""

from alembic import op

revision = "0080"
down_revision = "0079"

_STATEMENTS = (
    """
    ALTER TABLE evaluations.batch
        ADD COLUMN name text NOT NULL DEFAULT '',
        ADD COLUMN note text NOT NULL DEFAULT '',
        ADD COLUMN error json,
        ADD CONSTRAINT batch_error_check CHECK (error IS NULL OR status = 'cancelled')
    """,
    """
    ALTER TABLE evaluations.study
        ADD COLUMN error_code text,
        ADD COLUMN stalled integer NOT NULL DEFAULT 0,
        ADD COLUMN grown_to double precision,
        ADD COLUMN stopped_by text,
        ADD CONSTRAINT study_error_code_check CHECK (error_code IS NULL OR status = 'cancelled'),
        ADD CONSTRAINT study_stopped_by_check CHECK (stopped_by IS NULL OR status = 'completed')
    """,
)


def upgrade() -> None:
    """Add the columns."""
    for statement in _STATEMENTS:
        op.execute(statement)
