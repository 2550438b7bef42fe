"""New connections to PostgreSQL, of which a cancellation leaves none half-made."""

from __future__ import annotations

import asyncio
from typing import Any

from psycopg import AsyncConnection

_SECONDS = 1.0
"""Longest wait of a cancellation for the attempt's end; an attempt takes some milliseconds."""


async def connect(dsn: str, **options: Any) -> AsyncConnection[Any]:
    """Open a connection; a cancellation waits for the attempt's end and closes what it opened.

    psycopg closes the socket of a dropped attempt only when the garbage collector finds it. Until then, or until its
    `authentication_timeout` of a minute, the server waits for the password, and a DROP DATABASE for that process.

    Args:
        dsn: conninfo or URL.
        options: as of `AsyncConnection.connect`.

    Raises:
        psycopg.OperationalError: the server can't be reached or refuses the connection.
    """
    attempt = asyncio.create_task(AsyncConnection[Any].connect(dsn, **options), name="connecting to PostgreSQL")
    try:
        return await asyncio.shield(attempt)
    except asyncio.CancelledError:
        attempt.add_done_callback(_close)
        await asyncio.wait([attempt], timeout=_SECONDS)
        attempt.cancel()
        raise


def _close(attempt: asyncio.Task[AsyncConnection[Any]]) -> None:
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().pgconn.finish()
