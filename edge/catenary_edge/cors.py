"""Cross-origin sharing (Fetch Standard, section 3.3): which origins may read responses, and which headers scripts may use.

The names of the headers come from the routes: what they take, and what their responses hold.
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


class Cors:
    """Cross-origin sharing with the origins of the settings; without one, no CORS header is sent."""

    def __init__(self, origins: Sequence[str], routes: Sequence[Route]) -> None:
        self._origins = frozenset(origins)
        self._taken = ", ".join(sorted({name for route in routes for name in headers.taken(route)}))
        self._given = ", ".join(sorted(_given(routes) - _READABLE - _FOR_CACHES))

    def __bool__(self) -> bool:
        return bool(self._origins)

    def answer(self, request: BaseRequest) -> dict[str, str]:
        """Return the headers with which a script of an allowed origin may read the response; cookies play no part."""
        origin = request.headers.get("Origin")
        if origin is None or origin not in self._origins:
            return {}
        return {"Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": self._given}

    def preflight(self, request: BaseRequest, methods: list[str]) -> dict[str, str]:
        """Return the headers of the response to OPTIONS."""
        if not self.answer(request) or "Access-Control-Request-Method" not in request.headers:
            return {}
        return {
            "Access-Control-Allow-Methods": ", ".join(methods),
            "Access-Control-Allow-Headers": self._taken,
            "Access-Control-Max-Age": "600",
        }


def _given(routes: Sequence[Route]) -> set[str]:
    found = {name for route in routes for name in headers.given(route)}
    found.update(name for route in routes for name in stages.headers_of(route, route.template.text))
    if any(not route.public for route in routes):
        found.update(rate_limit.HEADERS)
    return found
