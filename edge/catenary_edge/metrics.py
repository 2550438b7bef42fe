"""What the edge counts for `/metrics`: requests by route and status, and how long they take.

No id and no person stands in a label.
"""

from __future__ import annotations

from prometheus_client import Counter, Histogram

from catenary_edge.exchange import Exchange

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_ROUTE = ["method", "route"]
_REQUESTS = Counter("catenary_http_requests", "Requests that the edge answered.", [*_ROUTE, "status"])
_DURATION = Histogram("catenary_http_request_seconds", "Seconds to the end of an answer.", _ROUTE, buckets=SECONDS)


def answered(exchange: Exchange, status: int, seconds: float) -> None:
    """Counts a request. What has no route is one series: its path and method are the caller's words."""
    route = exchange.route
    method, template = ("", "") if route is None else (route.method, route.template.text)
    _REQUESTS.labels(method, template, str(status)).inc()
    if route is None or not route.subscription:  # a stream lasts as long as its reader likes
        _DURATION.labels(method, template).observe(seconds)
