"""The database and the secret that a core needs, made ready before it starts."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from catenary_cli.postgres_keeper import PostgresKeeper
from catenary_core import migrate
from catenary_core.embedded_postgres import default_data_dir
from catenary_core.secrets import Secrets, kept_secret, read_secret
from catenary_core.settings import CoreSettings


@dataclass(frozen=True, slots=True)
class Prepared:
    """A migrated database and the installation's secret; `keeper` runs the server when it is our own."""

    settings: CoreSettings
    data_dir: Path
    dsn: str
    secret: bytes
    keeper: PostgresKeeper | None

    @property
    def environment(self) -> dict[str, str]:
        """What child processes need to use the same database, objects and secret."""
        return {
            "CATENARY_DATA_DIR": str(self.data_dir),
            "CATENARY_DATABASE_URL": self.dsn,
            "CATENARY_SECRET_KEY": base64.b64encode(self.secret).decode(),
        }

    @property
    def worker_token(self) -> str:
        """The credential of workers."""
        return Secrets(self.secret).worker_token


@asynccontextmanager
async def prepare(settings: CoreSettings) -> AsyncIterator[Prepared]:
    """Starts the embedded server unless a database is given, migrates, and reads or makes the secret.

    The settings that come out name the database, the data directory and the secret. EmbeddedPostgresError,
    psycopg.OperationalError, SchemaTooNewError or ValueError when something stands in the way.
    """
    data_dir = settings.data_dir or default_data_dir()
    keeper = None if settings.database_url is not None else PostgresKeeper(data_dir, settings.postgres_binaries)
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        dsn = keeper.dsn if keeper is not None else _given(settings)
        migrate.upgrade(dsn)
        given = settings.secret_key
        secret = kept_secret(data_dir) if given is None else read_secret(given.get_secret_value())
        if keeper is not None:
            keeper.start()
        filled = settings.model_copy(
            update={
                "data_dir": data_dir,
                "database_url": SecretStr(dsn),
                "secret_key": SecretStr(base64.b64encode(secret).decode()),
            }
        )
        yield Prepared(filled, data_dir, dsn, secret, keeper)
    finally:
        if keeper is not None:
            await keeper.stop()


def _given(settings: CoreSettings) -> str:
    if settings.database_url is None:
        raise ValueError("no database is given")
    return settings.database_url.get_secret_value()
