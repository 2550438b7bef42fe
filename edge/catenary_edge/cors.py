"""Cross-origin sharing (Fetch Standard, section 3.3): which origins may read responses, and which headers scripts may use.

The names of the headers come from the routes: what they take, and what their responses hold. What a share link reads is
for the pages of every origin: a page must know the token, so it gets nothing that its maker does not have.
"""

from __future__ import annotations

from collections.abc import Sequence

from aiohttp.web import BaseRequest

from catenary_edge import rate_limit
from catenary_edge.http import headers
from catenary_edge.transcoding.routes import Route
from catenary_edge.versions import stages

_READABLE = frozenset({"Cache-Control", "Content-Length"})
"""Headers of ours that scripts of any origin may read (Fetch Standard, section 2.2.2)."""
_FOR_CACHES = frozenset({"Vary"})
_UNREADABLE = frozenset({"Set-Cookie"})
"""Headers that no script may read (Fetch Standard, section 2.2.2)."""
_LINK, _OTHERS = "X-Share-Token", ("Authorization", "X-API-Key")
_OF_LINKS = (_LINK, "If-None-Match", "Range", "Accept")
"""Names of the headers that pages of every origin may send with a share link."""


class Cors:
    """Cross-origin sharing with the origins of the settings; without one, no CORS header is sent."""

    def __init__(self, origins: Sequence[str], routes: Sequence[Route]) -> None:
        self._origins = frozenset(origins)
        self._taken = ", ".join(sorted({name for route in routes for name in headers.taken(route)}))
        self._given = ", ".join(sorted(_given(routes) - _READABLE - _FOR_CACHES - _UNREADABLE))

    def __bool__(self) -> bool:
        return bool(self._origins)

    def answer(self, request: BaseRequest) -> dict[str, str]:
        """Return the headers with which a script of an allowed origin may read the response; cookies play no part."""
        origin = request.headers.get("Origin")
        if origin is not None and origin in self._origins:
            return {"Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": self._given}
        if reads_by_link(request):
            return {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": self._given}
        return {}

    def preflight(self, request: BaseRequest, methods: list[str]) -> dict[str, str]:
        """Return the headers of the response to OPTIONS."""
        asked = request.headers.get("Access-Control-Request-Method")
        if asked is None:
            return {}
        if self.answer(request):
            return {
                "Access-Control-Allow-Methods": ", ".join(methods),
                "Access-Control-Allow-Headers": self._taken,
                "Access-Control-Max-Age": "600",
            }
        wanted = request.headers.get("Access-Control-Request-Headers", "")
        names = {name.strip().lower() for name in wanted.split(",")}
        if asked == "GET" and "GET" in methods and names <= {name.lower() for name in _OF_LINKS}:
            return {
                "Access-Control-Allow-Origin": "*",
                "Access-Control-Allow-Methods": "GET",
                "Access-Control-Allow-Headers": ", ".join(_OF_LINKS),
                "Access-Control-Max-Age": "600",
            }
        return {}


def reads_by_link(request: BaseRequest) -> bool:
    """Return whether a request reads with a share link alone, which every origin may."""
    sent = request.headers
    return request.method in ("GET", "HEAD") and _LINK in sent and not any(name in sent for name in _OTHERS)


def _given(routes: Sequence[Route]) -> set[str]:
    found = {name for route in routes for name in headers.given(route)}
    found.update(name for route in routes for name in stages.headers_of(route, route.template.text))
    if any(not route.public for route in routes):
        found.update(rate_limit.HEADERS)
    return found
