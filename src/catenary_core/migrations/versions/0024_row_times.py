"""Row times from the statement's time, so that `created_at` and `updated_at` are equal until a row changes.

Two defaults of `clock_timestamp()` were two readings of the clock, sometimes a microsecond apart.
"""

from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Change the defaults of the services' tables; existing rows stay as they are."""
    op.execute(
        """
        DO $$
        DECLARE known record;
        BEGIN
            FOR known IN
                SELECT table_schema, table_name, column_name
                  FROM information_schema.columns
                 WHERE column_default = 'clock_timestamp()'
                   AND table_schema IN (
                       'identity', 'projects', 'models', 'evaluations', 'webhooks',
                       'comments', 'reference', 'qa', 'environment', 'parameter', 'metadata')
                 ORDER BY 1, 2, 3
            LOOP
                EXECUTE format(
                    'ALTER TABLE %I.%I ALTER COLUMN %I SET DEFAULT statement_timestamp()',
                    known.table_schema, known.table_name, known.column_name);
            END LOOP;
        END
        $$
        """
    )
