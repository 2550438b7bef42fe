"""The headers that scripts of another origin may send and read."""

from __future__ import annotations

import pytest
from aiohttp.test_utils import make_mocked_request

from catenary_edge import versions
from catenary_edge.cors import Cors
from catenary_edge.transcoding.routes import Route

ORIGIN = "https://a.example"


@pytest.fixture(scope="module")
def routes() -> dict[tuple[str, str], Route]:
    return {(route.method, route.template.text): route for route in versions.build().routes}


def _allowed(*routes: Route) -> list[str]:
    asked = make_mocked_request("OPTIONS", "/", {"Origin": ORIGIN, "Access-Control-Request-Method": "GET"})
    return Cors((ORIGIN,), routes).preflight(asked, ["GET"])["Access-Control-Allow-Headers"].split(", ")


def _exposed(*routes: Route) -> list[str]:
    asked = make_mocked_request("GET", "/", {"Origin": ORIGIN})
    return Cors((ORIGIN,), routes).answer(asked)["Access-Control-Expose-Headers"].split(", ")


def test_scripts_may_send_what_any_route_takes(routes: dict[tuple[str, str], Route]) -> None:
    assert _allowed(*routes.values()) == [
        "Authorization",
        "Cache-Control",
        "Content-Type",
        "Idempotency-Key",
        "If-Match",
        "If-None-Match",
        "If-Range",
        "Last-Event-ID",
        "Prefer",
        "Range",
        "X-API-Key",
        "X-Request-Id",
        "X-Share-Token",
    ]


def test_scripts_may_read_what_any_route_gives(routes: dict[tuple[str, str], Route]) -> None:
    assert _exposed(*routes.values()) == [
        "Accept-Ranges",
        "Content-Disposition",
        "Content-Range",
        "Deprecation",
        "ETag",
        "Idempotency-Replayed",
        "Link",
        "Location",
        "Preference-Applied",
        "Retry-After",
        "Sunset",
        "WWW-Authenticate",
        "X-API-Stage",
        "X-Geometry-Unit",
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
        "X-RateLimit-Retry-After",
        "X-Request-Id",
    ]


def test_a_route_alone_gives_its_own_names(routes: dict[tuple[str, str], Route]) -> None:
    keys, project = routes["GET", "/.well-known/jwks.json"], routes["POST", "/v1/projects"]
    assert _allowed(keys) == ["If-Match", "If-None-Match", "X-Request-Id"]
    assert {"Content-Type", "Idempotency-Key", "X-API-Key"} <= set(_allowed(project))
    assert "Prefer" not in _allowed(project)
    assert "ETag" in _exposed(keys)
    assert "ETag" not in _exposed(project)
    assert not [name for name in _exposed(keys) if name.startswith("X-RateLimit")]
