"""Connections whose making is cancelled."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import socket
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from psycopg import AsyncConnection

from catenary_core.database.connecting import connect

_GUARD = 60.0


@pytest.fixture(autouse=True)
def _no_collector() -> Iterator[None]:
    """Leave what is dropped where it is, as the collector does now and then."""
    gc.disable()
    yield
    gc.enable()


def _sockets() -> dict[str, int]:
    """Return the descriptor of each open socket of this process."""
    found = {}
    for path in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # the listing's own
            found[str(path.readlink())] = int(path.name)
    return {target: descriptor for target, descriptor in found.items() if target.startswith("socket:")}


async def _left(connecting: Callable[[str], Awaitable[AsyncConnection[Any]]], dsn: str) -> int:
    """Cancel a connection's making as soon as it has a socket; return how many sockets are left."""
    before = _sockets()
    attempt = asyncio.ensure_future(connecting(dsn))
    async with asyncio.timeout(_GUARD):
        while not _sockets().keys() - before:  # noqa: ASYNC110 (psycopg tells nobody)
            await asyncio.sleep(0)
    attempt.cancel()
    with pytest.raises(asyncio.CancelledError) as _kept:  # keeps the frames of the attempt, as a log or a debugger may
        await attempt
    left = {target: descriptor for target, descriptor in _sockets().items() if target not in before}
    for descriptor in left.values():  # else the end of this test's database would wait a minute for the server
        with socket.socket(fileno=os.dup(descriptor)) as one:
            one.shutdown(socket.SHUT_RDWR)
    return len(left)


async def test_a_cancelled_connection_leaves_no_socket_to_the_server(dsn: str) -> None:
    assert await _left(connect, dsn) == 0


async def test_psycopg_alone_leaves_one(dsn: str) -> None:
    assert await _left(AsyncConnection.connect, dsn) == 1


async def test_a_connection_that_is_not_cancelled_works(dsn: str) -> None:
    async with await connect(dsn, autocommit=True) as connection:
        cursor = await connection.execute("SELECT 1")
        assert await cursor.fetchone() == (1,)
