"""The core's metrics for `/metrics`; no label contains an id or personal data.

The processes of one machine write their counts to files in a shared folder (PROMETHEUS_MULTIPROC_DIR, set by the
supervisor), where the supervisor adds them up.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

import sqlalchemy as sa
from prometheus_client import Counter, Gauge, Histogram

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database
from catenary_core.jobs import queue

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Bounds of the buckets for durations, in seconds."""
SAMPLE_SECONDS = 2.0
"""Interval in seconds at which values are sampled that aren't counted as they change."""

_CALLS = Counter("catenary_calls", "Calls handled by the core, by gRPC method and status code.", ["method", "code"])
_DURATION = Histogram("catenary_call_seconds", "Seconds until the response of a call.", ["method"], buckets=SECONDS)
_EVALUATIONS = Counter("catenary_evaluations", "Evaluations that ended.", ["status"])
_DELIVERIES = Counter("catenary_webhook_attempts", "Attempts to deliver an event to a webhook.", ["outcome"])
_JOBS = Gauge("catenary_jobs", "Jobs of workers, waiting or leased.", ["state"], multiprocess_mode="mostrecent")
_CONNECTIONS = Gauge(
    "catenary_database_connections", "Database connections of all nodes.", ["state"], multiprocess_mode="livesum"
)
_WAITING = Gauge("catenary_database_waiting", "Callers waiting for a database connection.", multiprocess_mode="livesum")
_GRPC = Gauge("catenary_grpc_connections", "Open connections to the gRPC port.", multiprocess_mode="livesum")
_GRPC_ENDED = Counter(
    "catenary_grpc_connections_ended", "Connections to the gRPC port that the core ended.", ["reason"]
)
_SESSIONS = Gauge("catenary_live_sessions", "Open live sessions.", multiprocess_mode="livesum")
_DESIGNS = Histogram(
    "catenary_live_design_seconds", "Seconds from a live session's design to its numbers.", buckets=SECONDS
)

_leased = sa.func.coalesce(queue.job.c.lease_until > sa.func.clock_timestamp(), sa.false())
_COUNT_JOBS = Statement(
    sa.select(
        sa.func.count().filter(sa.not_(_leased)).label("waiting"), sa.func.count().filter(_leased).label("leased")
    ).select_from(queue.job)
)


def count_call(method: str, code: str, seconds: float) -> None:
    """Count a call of a known method."""
    _CALLS.labels(method, code).inc()
    _DURATION.labels(method).observe(seconds)


def evaluation_ended(status: str) -> None:
    """Count an evaluation that reached its final state."""
    _EVALUATIONS.labels(status).inc()


def delivery_tried(*, delivered: bool) -> None:
    """Count an attempt to deliver an event to a webhook."""
    _DELIVERIES.labels("delivered" if delivered else "failed").inc()


def grpc_connections(number: int) -> None:
    """Set the number of open connections to the gRPC port."""
    _GRPC.set(number)


def grpc_connection_ended(reason: str) -> None:
    """Count a connection that the core ended, by the reason of `grpc_connections`."""
    _GRPC_ENDED.labels(reason).inc()


def open_session() -> AbstractContextManager[object]:
    """Count a live session as open while the block runs."""
    return _SESSIONS.track_inprogress()


def design_answered(seconds: float) -> None:
    """Count a design of a live session whose numbers are answered so long after its arrival."""
    _DESIGNS.observe(seconds)


async def sample(db: Database) -> None:
    """Sample the connection pool and the jobs, which aren't counted as they change."""
    size, idle, waiting = db.pool_state()
    _CONNECTIONS.labels("idle").set(idle)
    _CONNECTIONS.labels("in_use").set(size - idle)
    _WAITING.set(waiting)
    async with db.read() as tx:
        found = await tx.one(_COUNT_JOBS)
    for state in ("waiting", "leased"):
        _JOBS.labels(state).set(found[state])
