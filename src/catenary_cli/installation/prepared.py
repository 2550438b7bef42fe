"""The database and the secret that a core needs, made ready before its start."""

from __future__ import annotations

import asyncio
import importlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from pydantic import SecretStr

from catenary_cli import logs, show
from catenary_cli.installation import file_modes
from catenary_cli.installation.postgres_keeper import PostgresKeeper
from catenary_cli.installation.presence import SERVE_LOCK
from catenary_core.database.transactions import Database
from catenary_core.embedded_postgres import server
from catenary_core.embedded_postgres.installation import EmbeddedPostgresError, server_account
from catenary_core.keyring.ring import secrets_of
from catenary_core.secrets import KEY_FILE, load_or_create_secret, load_or_create_text, read_secret, secret_text
from catenary_core.services.identity.workers.tokens import random_token
from catenary_core.settings import CoreSettings

if TYPE_CHECKING:
    from catenary_core.call.call import Identity
    from catenary_core.server.dispatch import Dispatch

_log = structlog.get_logger(__name__)
TOKEN_FILE = "worker.token"  # noqa: S105 (a file's name)
"""Name of the file with the token of the workers that `serve` starts."""
_OURS = re.compile(rf"(start|use)\.lock|{re.escape(SERVE_LOCK)}|({re.escape(KEY_FILE)}|{re.escape(TOKEN_FILE)}).*")
"""Names of files by one of which a data directory is recognised; a start leaves one of them before its database."""
_OF_FILE_SYSTEM = frozenset({"lost+found"})


class ForeignDataDirError(ValueError):
    """The folder holds files that are not Catenary's."""


@dataclass(frozen=True, slots=True)
class Home:
    """The data directory and the installation's secret."""

    data_dir: Path
    secret: bytes
    worker_token: str
    """The credential of the workers that `serve` starts."""


@dataclass(frozen=True, slots=True)
class Prepared(Home):
    """A home with a migrated database."""

    settings: CoreSettings
    """Settings that name the database, the data directory and the secret."""
    dsn: str
    """Conninfo of the database."""
    keeper: PostgresKeeper | None
    """Keeps the embedded server running; None if a database is given."""

    @property
    def state(self) -> str:
        """`ok`, or the embedded server's problem; nodes report the state of a given database."""
        return "ok" if self.keeper is None else self.keeper.state

    @property
    def environment(self) -> dict[str, str]:
        """Variables by which child processes use the same database, objects and secret, and the core's flags."""
        return {
            "CATENARY_DATA_DIR": str(self.data_dir),
            "CATENARY_DATABASE_URL": self.dsn,
            "CATENARY_SECRET_KEY": secret_text(self.secret),
            "CATENARY_WEBHOOK_ALLOW_PRIVATE": str(self.settings.webhook_allow_private).lower(),
        }


def home(settings: CoreSettings) -> Home:
    """Return the data directory and the secret; each is made if it does not exist.

    Raises:
        EmbeddedPostgresError: The data directory cannot be used.
        ForeignDataDirError: The folder holds files that are not Catenary's.
        ValueError: The secret is invalid.
    """
    given = settings.secret_key
    data_dir = server.open_data_dir(settings.data_dir or server.default_data_dir())
    _check_own(data_dir)
    secret = load_or_create_secret(data_dir) if given is None else read_secret(given.get_secret_value())
    return Home(data_dir, secret, load_or_create_text(data_dir / TOKEN_FILE, random_token))


def check_is_there(settings: CoreSettings) -> None:
    """Check that the database and the secret of an installation are there, for commands that must not make others.

    Raises:
        ValueError: The data directory, of which the settings give no part, holds no installation.
    """
    data_dir = settings.data_dir or server.default_data_dir()
    needed = [data_dir / "pg"] if settings.database_url is None else []
    needed += [data_dir / KEY_FILE] if settings.secret_key is None else []
    if not all(path.exists() for path in needed):
        raise ValueError(
            f"{data_dir} holds no installation; give the --data-dir of one, or make one first with `catenary serve` or"
            " `catenary db upgrade`"
        )


@asynccontextmanager
async def prepare(settings: CoreSettings) -> AsyncIterator[Prepared]:
    """Start the embedded server unless a database is given, migrate, and read or make the secret.

    Raises:
        EmbeddedPostgresError: The embedded server cannot be started.
        psycopg.OperationalError: The database cannot be reached.
        SchemaTooNewError: A newer release has migrated the database.
        ValueError: The secret is invalid, or not the database's.
    """
    found = home(settings)
    await asyncio.to_thread(_close_to_others, found.data_dir, is_embedded=settings.database_url is None)
    # Imported while initdb runs, which takes as long; and in a thread, so that the admin port answers meanwhile.
    (dsn, keeper), migrate = await asyncio.gather(
        _database(settings, found.data_dir),
        asyncio.to_thread(importlib.import_module, "catenary_core.database.migrate"),
    )
    try:
        await asyncio.to_thread(migrate.upgrade, dsn)
        # Checked here, so that a wrong secret is told once, not by each node that can't start.
        async with open_database(dsn) as database:
            await secrets_of(database, found.secret)
        if keeper is not None:
            keeper.start()
        filled = settings.model_copy(
            update={
                "data_dir": found.data_dir,
                "database_url": SecretStr(dsn),
                "secret_key": SecretStr(secret_text(found.secret)),
            }
        )
        yield Prepared(found.data_dir, found.secret, found.worker_token, filled, dsn, keeper)
    finally:
        if keeper is not None:
            await keeper.stop()


@asynccontextmanager
async def open_database(dsn: str) -> AsyncIterator[Database]:
    """Open a small connection pool on a prepared database, for one command."""
    database = Database(dsn, max_connections=2)
    await database.open()
    try:
        yield database
    finally:
        await database.close()


async def dispatch_of(ready: Prepared, database: Database, caller: Identity) -> Dispatch:
    """Return the data services of a prepared database in this process, called as one caller."""
    # Imported only to call services without a server: it takes a second.
    from catenary_core import bootstrap_data
    from catenary_core.database.wakeups import Wakeups
    from catenary_core.frame import Frame
    from catenary_core.objects import Objects

    frame = Frame(
        settings=ready.settings,
        db=database,
        secrets=await secrets_of(database, ready.secret),
        objects=Objects(ready.settings.object_store, ready.data_dir),
        wakeups=Wakeups(ready.dsn, ()),
    )
    return bootstrap_data.dispatch_of(frame, caller)


def _check_own(data_dir: Path) -> None:
    """Check that a folder is empty or a data directory already.

    So no start mixes its files with those of others.
    """
    names = {entry.name for entry in data_dir.iterdir()} - _OF_FILE_SYSTEM
    if names and not any(map(_OURS.fullmatch, names)) and not _holds_objects(data_dir / "objects"):
        raise ForeignDataDirError(
            f"{data_dir} can't be the data directory: it holds files that are not Catenary's, such as {min(names)};"
            " choose an empty or a new folder"
        )


def _holds_objects(folder: Path) -> bool:
    """Return True for the folder of the object store: all that a core with a given database and secret leaves.

    The name is no proof: a repository of Git has a folder `objects` too.
    """
    return folder.is_dir() and {entry.name for entry in folder.iterdir()} <= {"sha256"}


def _close_to_others(data_dir: Path, *, is_embedded: bool) -> None:
    """Mend the modes of an older data directory, and tell the operator what was found."""
    cluster = data_dir / "pg"
    account = None
    if is_embedded or cluster.exists():
        with nullcontext() if is_embedded else suppress(EmbeddedPostgresError):
            account = server_account(cluster)
    for text in file_modes.mend(data_dir, account).warnings(data_dir):
        if logs.configured():
            _log.warning(text)
        else:
            show.warning(text)


async def _database(settings: CoreSettings, data_dir: Path) -> tuple[str, PostgresKeeper | None]:
    if settings.database_url is not None:
        return settings.database_url.get_secret_value(), None
    keeper = await asyncio.to_thread(PostgresKeeper, data_dir, settings.postgres_binaries)
    return keeper.dsn, keeper
