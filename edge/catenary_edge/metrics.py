"""Prometheus metrics of the edge: requests by route and status, and their durations.

Labels hold no id and no personal data.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

from catenary_edge.exchange import Exchange

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of the histogram's buckets in seconds."""
_ROUTE = ["method", "route"]
_REQUESTS = Counter("catenary_http_requests", "Requests that the edge answered.", [*_ROUTE, "status"])
_DURATION = Histogram("catenary_http_request_seconds", "Seconds to the end of an answer.", _ROUTE, buckets=SECONDS)
_CONNECTIONS = Gauge("catenary_http_connections", "Open connections to the HTTP port.", multiprocess_mode="livesum")
_REFUSED = Counter("catenary_http_connections_refused", "Connections that were closed unanswered.", ["reason"])


def connections(number: int) -> None:
    """Set the number of open connections."""
    _CONNECTIONS.set(number)


def connection_refused(reason: str) -> None:
    """Count a connection that was closed unanswered, by the reason of `places`."""
    _REFUSED.labels(reason).inc()


def answered(exchange: Exchange, status: int, seconds: float) -> None:
    """Count a request and its duration.

    Requests without a route share one series: their path and method are the caller's words.
    """
    route = exchange.route
    method, template = ("", "") if route is None else (route.method, route.template.text)
    _REQUESTS.labels(method, template, str(status)).inc()
    if route is None or not route.subscription:  # the reader decides how long a stream lasts
        _DURATION.labels(method, template).observe(seconds)
