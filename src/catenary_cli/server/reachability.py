"""Whether what a part needs can be reached, asked when somebody wants to know whether it is ready."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import grpc.aio

    from catenary_cli.installation.prepared import Prepared
    from catenary_core.database.transactions import Database

OK = "ok"
AWAY = "can't be reached"
SECONDS = 2.0
"""How long to wait for an answer; those who ask for readiness seldom wait longer."""


async def database(ready: Prepared, database: Database) -> str:
    """Whether the core's database answers; of a server of our own also how it is kept running."""
    import psycopg

    if ready.state != OK:
        return ready.state
    try:
        # Beside the pool, which may be busy where the database is well.
        async with asyncio.timeout(SECONDS), database.session():
            pass
    except (TimeoutError, psycopg.OperationalError):
        return AWAY
    return OK


async def core(channel: grpc.aio.Channel) -> str:
    """Whether the edge's core says that it serves (`grpc.health.v1`)."""
    import grpc
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    stub: Any = health_pb2_grpc.HealthStub(channel)
    try:
        answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=SECONDS)
    except grpc.RpcError:
        return AWAY
    return OK if answer.status == health_pb2.HealthCheckResponse.SERVING else "not serving"
