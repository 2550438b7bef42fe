"""Schema upgrade: bring a database to this release's schema, or refuse a newer one."""

from __future__ import annotations

from importlib import resources

import psycopg
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

_LOCK = 0x63617465  # "cate": one migration at a time
VERSION_TABLE = "catenary_schema"
"""Table in which Alembic keeps the current revision."""


class SchemaTooNewError(ValueError):
    """The database has a schema of a newer release."""


def upgrade(dsn: str) -> None:
    """Apply the missing migrations under a lock, for which other nodes wait.

    The lock ends with the connection.

    Args:
        dsn: connection string of the database.

    Raises:
        psycopg.OperationalError: the database can't be reached.
        SchemaTooNewError: the database has a revision that this release doesn't know.
    """
    # Connect here: SQLAlchemy would wrap psycopg's error.
    opened = psycopg.connect(dsn)
    engine = sa.create_engine("postgresql+psycopg://", creator=lambda: opened, poolclass=sa.NullPool)
    with engine.connect() as connection:
        connection.execute(sa.text("SELECT pg_advisory_lock(:key)"), {"key": _LOCK})
        connection.commit()
        config = _config(connection)
        known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
        current = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_revision()
        connection.commit()
        if current is not None and current not in known:
            raise SchemaTooNewError(
                f"the database is at revision {current}, which this release doesn't know; use a newer release"
            )
        command.upgrade(config, "head")


def _config(connection: sa.Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(resources.files("catenary_core") / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
