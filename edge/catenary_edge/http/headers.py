"""Headers of responses: safety, caching, stages, and CORS.

See guide/conventions.md, "Headers and limits" and "Caching and conditions".
"""

from __future__ import annotations

from collections.abc import Mapping

from aiohttp.web import BaseRequest

from catenary.options.v1 import options_pb2
from catenary_edge.errors.problem import REPLAYED
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
)
"""Response metadata copied to headers of a download."""

_CACHE: Mapping[int, str] = {
    options_pb2.CACHE_NO_CACHE: "no-cache",
    options_pb2.CACHE_NO_STORE: "no-store",
    options_pb2.CACHE_IMMUTABLE: "private, max-age=31536000, immutable",
}

_CORS_REQUEST_HEADERS = (
    "Authorization, Cache-Control, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Prefer, "
    "Range, X-API-Key, X-Request-Id, X-Share-Token"
)
_CORS_RESPONSE_HEADERS = (
    "Content-Range, Deprecation, ETag, Idempotency-Replayed, Link, Location, Preference-Applied, Retry-After, Sunset, "
    "X-API-Stage, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Retry-After, X-Request-Id"
)


def of_route(route: Route, *, cors: bool, by_host: bool) -> dict[str, str]:
    """Return the headers of every success of a route: cache lifetime, `Vary`, and stage.

    `by_host`: absolute links in responses start with the Host header.
    """
    default = "private, max-age=300" if route.method == "GET" else "no-store"
    cache = _CACHE.get(route.rpc.options.cache, default)
    varies = ["Authorization", "X-API-Key", "X-Share-Token", "Accept-Encoding"]
    varies += [
        name
        for name in route.decoder.headers.values()
        if name not in (*varies, "Content-Type", "Host", "Range", "If-Range")
    ]
    if by_host and route.paged:
        varies.append("Host")
    found = {"Cache-Control": cache, "Vary": ", ".join([*varies, "Origin"] if cors else varies)}
    if route.oauth and cache == "no-store":
        found["Pragma"] = "no-cache"  # RFC 6749, section 5.1
    if route.rpc.options.stage == options_pb2.STAGE_ALPHA:  # beta belongs to a version, not to a route
        found["X-API-Stage"] = "alpha"
    return found


class Cors:
    """Cross-origin sharing with the origins of the settings; without one, no CORS header is sent."""

    def __init__(self, origins: tuple[str, ...]) -> None:
        self._origins = frozenset(origins)

    def __bool__(self) -> bool:
        return bool(self._origins)

    def answer(self, request: BaseRequest) -> dict[str, str]:
        """Return the headers with which a script of an allowed origin may read the response; cookies play no part."""
        origin = request.headers.get("Origin")
        if origin is None or origin not in self._origins:
            return {}
        return {"Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": _CORS_RESPONSE_HEADERS}

    def preflight(self, request: BaseRequest, methods: list[str]) -> dict[str, str]:
        """Return the headers of the response to OPTIONS."""
        if not self.answer(request) or "Access-Control-Request-Method" not in request.headers:
            return {}
        return {
            "Access-Control-Allow-Methods": ", ".join(methods),
            "Access-Control-Allow-Headers": _CORS_REQUEST_HEADERS,
            "Access-Control-Max-Age": "600",
        }
