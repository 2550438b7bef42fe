"""Checks of the needs of a part: each is reached for when the readiness of the part is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import grpc.aio

    from catenary_cli.installation.prepared import Prepared
    from catenary_core.database.transactions import Database

Reach = Callable[[], Awaitable[str]]
"""Returns `ok` if something that a part needs can be reached, else the problem."""
OK = "ok"
AWAY = "can't be reached"
SECONDS = 2.0
"""Longest wait for a response; callers of `/readyz` seldom wait longer."""


async def database(ready: Prepared, database: Database) -> str:
    """Return whether the core's database responds, or the problem of the embedded server."""
    import psycopg

    if ready.state != OK:
        return ready.state
    try:
        # Outside the pool, which may be busy although the database responds.
        async with asyncio.timeout(SECONDS), database.session():
            pass
    except (TimeoutError, psycopg.OperationalError):
        return AWAY
    return OK


async def core(channel: grpc.aio.Channel) -> str:
    """Return whether the edge's core reports that it serves (`grpc.health.v1`)."""
    import grpc
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    stub: Any = health_pb2_grpc.HealthStub(channel)
    try:
        answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=SECONDS)
    except grpc.RpcError:
        return AWAY
    return OK if answer.status == health_pb2.HealthCheckResponse.SERVING else "not serving"
