"""The log line, the metrics and the span of each request."""

from __future__ import annotations

import time
import traceback

import structlog

from catenary_edge import metrics
from catenary_edge.exchange import Exchange

CLIENT_CLOSED = 499
"""Status in the log for a request of a disconnected client; no response is sent."""

_log = structlog.get_logger("catenary.edge")


def record(exchange: Exchange, status: int) -> None:
    """Write the access log line, count the request and end its span."""
    seconds = time.perf_counter() - exchange.started
    metrics.answered(exchange, status, seconds)
    if exchange.span is not None:
        attributes: dict[str, str | int] = {
            "http.response.status_code": status,
            "catenary.request_id": exchange.request_id,
        }
        name = "HTTP" if exchange.route is None else f"{exchange.route.method} {exchange.name}"
        exchange.span.end(name, attributes, failed=status >= 500)
    _log.info(
        "request",
        request_id=exchange.request_id,
        method=exchange.request.method,
        route=exchange.name,
        status=status,
        duration_ms=round(seconds * 1000, 2),
    )


def traces(error: Exception) -> dict[str, str]:
    """Describe an exception for the log by type and traceback; its text and variables may hold secrets."""
    return {"error": type(error).__name__, "traceback": "".join(traceback.format_tb(error.__traceback__))}
