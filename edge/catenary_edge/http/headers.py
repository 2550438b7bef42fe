"""Headers of requests and responses: their names by route, and the values that a route decides.

See guide/conventions.md, "Headers and limits" and "Caching and conditions".
"""

from __future__ import annotations

from collections.abc import Mapping

from catenary.options.v1 import options_pb2
from catenary_edge.errors.problem import REPLAYED
from catenary_edge.http import conditions, idempotency, session_cookie
from catenary_edge.http.accepted_types import CSV_TYPE
from catenary_edge.http.credentials import HEADERS as CREDENTIALS
from catenary_edge.transcoding.routes import Route

SERVER = "catenary"

# None of these responses is a page: its scripts must not run, no page may frame it, no browser guesses its type.
SAFETY: Mapping[str, str] = {
    "Server": SERVER,
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}
STRICT_TRANSPORT = "max-age=31536000"

STATUS = "catenary-status"
"""Response metadata with another success status than the method's own."""
PASSED_ON = (
    "location",
    "retry-after",
    "etag",
    "preference-applied",
    "www-authenticate",
    "cache-control",
    REPLAYED,
)
"""Response metadata copied to headers of any response."""
PASSED_ON_DOWNLOAD = (
    *PASSED_ON,
    "content-type",
    "content-length",
    "content-range",
    "content-disposition",
    "accept-ranges",
    "x-geometry-unit",
)
"""Response metadata copied to headers of a download."""

_CACHE: Mapping[int, str] = {
    options_pb2.CACHE_NO_CACHE: "no-cache",
    options_pb2.CACHE_NO_STORE: "no-store",
    options_pb2.CACHE_IMMUTABLE: "private, max-age=31536000, immutable",
}

_UNVARIED = frozenset({"Content-Type", "Range", "If-Range"})
"""Headers taken by routes on which the content of a response doesn't depend: of the request's body, and of ranges."""
_OF_REFUSALS: Mapping[int, tuple[str, ...]] = {
    401: ("WWW-Authenticate",),
    416: ("Content-Range",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}


def taken(route: Route) -> list[str]:
    """Return the names of the headers that a request to the route may have, beside those of HTTP itself."""
    found = [*([] if route.public else CREDENTIALS), *route.decoder.headers.values(), "X-Request-Id"]
    found += conditions.taken(route)
    if route.decoder.takes_json:
        found.append("Content-Type")
    if idempotency.takes_key(route):
        found.append(idempotency.HEADER)
    if route.cacheable:
        found.append("Cache-Control")
    return found


def given(route: Route) -> set[str]:
    """Return the names of the headers that responses of the route have, beside those of limits and of its version."""
    found = {name for status in successes(route) for name in of_success(route, status)}
    found.update(name for status in _OF_REFUSALS for name in of_refusal(status))
    return found


def successes(route: Route) -> list[int]:
    """Return the statuses of success: the method's own, 202 for work that may go on, 206 for a range."""
    found = [route.success]
    if route.rpc.options.other_success:
        found.append(route.rpc.options.other_success)
    if route.may_wait and route.method != "GET":
        found.append(202)
    if route.rpc.options.download and "Range" in route.decoder.headers.values():
        found.append(206)
    return found


def of_success(route: Route, status: int) -> list[str]:
    """Return the names of the headers of a success of the route, as `given`."""
    names = ["X-Request-Id", "Cache-Control", "Vary"]
    if route.rpc.options.stage in (options_pb2.STAGE_ALPHA, options_pb2.STAGE_BETA):
        names.append("X-API-Stage")
    if idempotency.takes_key(route):
        names.append(REPLAYED.title())
    if route.has_table:
        names.append("Link")
    if route.may_wait:
        names += ["Preference-Applied", "Retry-After"]
    if status == 202:
        names.append("Location")
    if route.has_etag or route.takes_if_match:
        names.append("ETag")
    if route.rpc.options.session_cookie:
        names.append(session_cookie.HEADER)
    if route.rpc.options.download:
        names += ["Content-Length", "Content-Disposition", "Accept-Ranges"]
        if "model/stl" in route.rpc.options.download_types:
            names.append("X-Geometry-Unit")
    if status == 206:
        names.append("Content-Range")
    return names


def of_refusal(status: int) -> list[str]:
    """Return the names of the headers of a refusal with the status, as `given`."""
    return ["X-Request-Id", "Cache-Control", *_OF_REFUSALS.get(status, ())]


def of_route(route: Route, *, cors: bool, by_host: bool) -> dict[str, str]:
    """Return the headers of every success of a route: cache lifetime, `Vary`, and stage.

    `by_host`: absolute links in responses start with the Host header.
    """
    default = "private, max-age=300" if route.method == "GET" else "no-store"
    cache = _CACHE.get(route.rpc.options.cache, default)
    varies = [*CREDENTIALS, "Accept-Encoding"]
    varies += [name for name in route.decoder.headers.values() if name not in (*varies, *_UNVARIED)]
    gives_csv = route.has_table or CSV_TYPE in route.rpc.options.download_types
    if gives_csv or route.csv_path or route.subscription:
        varies.append("Accept")
    if by_host and (route.paged or gives_csv):
        varies.append("Host")
    found = {"Cache-Control": cache, "Vary": ", ".join([*varies, "Origin"] if cors else varies)}
    if route.oauth and cache == "no-store":
        found["Pragma"] = "no-cache"  # RFC 6749, section 5.1
    if route.rpc.options.stage == options_pb2.STAGE_ALPHA:  # beta belongs to a version, not to a route
        found["X-API-Stage"] = "alpha"
    return found
