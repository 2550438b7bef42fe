"""The keeper of the embedded PostgreSQL, which runs as long as the supervisor."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import psycopg
import structlog

from catenary_core.background.failures import end
from catenary_core.database.connecting import connect
from catenary_core.embedded_postgres import server
from catenary_core.embedded_postgres.server import EmbeddedPostgres, EmbeddedPostgresError

_log = structlog.get_logger(__name__)
_CHECK_SECONDS = 0.5


class PostgresKeeper:
    """The embedded server, started again after it was killed; its conninfo stays the same."""

    def __init__(self, data_dir: Path, binaries: Path | None) -> None:
        """Start the server.

        Raises:
            EmbeddedPostgresError: The server cannot be started.
        """
        self._data_dir = data_dir
        self._binaries = binaries
        self._server: EmbeddedPostgres = server.start(data_dir, binaries=binaries)
        self._task: asyncio.Task[None] | None = None
        self.dsn = self._server.dsn
        self.state = "ok"

    def start(self) -> None:
        """Start watching the server."""
        self._task = asyncio.create_task(self._watch(), name="watch postgres")

    async def stop(self) -> None:
        """Stop watching and release the server, which stops with its last user."""
        await end(self._task)
        await asyncio.to_thread(self._server.stop)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_CHECK_SECONDS)
            try:
                connection = await connect(self.dsn, connect_timeout=5)
                await connection.close()
                self.state = "ok"
            except psycopg.OperationalError:
                self.state = "PostgreSQL doesn't answer"
                _log.warning("PostgreSQL doesn't answer; restarting it")
                with contextlib.suppress(EmbeddedPostgresError):
                    again = await asyncio.to_thread(server.start, self._data_dir, binaries=self._binaries)
                    self._server, ended = again, self._server
                    await asyncio.to_thread(ended.stop)
