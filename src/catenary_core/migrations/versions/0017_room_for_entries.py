"""Free space on the pages of parameters for the row version that a new entry makes.

A new revision of an entry mostly changes no indexed column of its parameter (status, unit and source stay). With free
space on the page, PostgreSQL then writes to none of the table's ten indexes ("heap-only tuples"). Pages that are
already full stay full.
"""

from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Set the fill factor of parameters."""
    op.execute("ALTER TABLE parameter.parameter SET (fillfactor = 85)")
