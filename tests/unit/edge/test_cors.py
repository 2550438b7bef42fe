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


_SHARE = {"Origin": "https://b.example", "X-Share-Token": "t"}


def test_what_a_link_reads_is_for_pages_of_every_origin(routes: dict[tuple[str, str], Route]) -> None:
    for cors in (Cors((), tuple(routes.values())), Cors((ORIGIN,), tuple(routes.values()))):
        for method in ("GET", "HEAD"):
            found = cors.answer(make_mocked_request(method, "/", _SHARE))
            assert found["Access-Control-Allow-Origin"] == "*"
            assert "ETag" in found["Access-Control-Expose-Headers"]


@pytest.mark.parametrize(
    ("method", "sent"),
    [
        ("POST", _SHARE),
        ("DELETE", _SHARE),
        ("GET", {"Origin": "https://b.example"}),
        ("GET", {**_SHARE, "Authorization": "Bearer t"}),
        ("GET", {**_SHARE, "X-API-Key": "k"}),
    ],
)
def test_other_origins_read_nothing_else(
    method: str, sent: dict[str, str], routes: dict[tuple[str, str], Route]
) -> None:
    assert Cors((ORIGIN,), tuple(routes.values())).answer(make_mocked_request(method, "/", sent)) == {}


@pytest.mark.parametrize(
    ("method", "names", "methods", "allowed"),
    [
        ("GET", "x-share-token", ["GET", "POST"], True),
        ("GET", "X-Share-Token, if-none-match,range, Accept", ["GET"], True),
        ("GET", "x-share-token, authorization", ["GET"], False),
        ("GET", "x-share-token, x-api-key", ["GET"], False),
        ("GET", "", ["GET"], False),
        ("POST", "x-share-token", ["GET", "POST"], False),
        ("GET", "x-share-token", ["POST"], False),
    ],
)
def test_a_preflight_of_every_origin_is_for_reads_by_links(
    method: str, names: str, methods: list[str], allowed: bool, routes: dict[tuple[str, str], Route]
) -> None:
    sent = {
        "Origin": "https://b.example",
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": names,
    }
    found = Cors((ORIGIN,), tuple(routes.values())).preflight(make_mocked_request("OPTIONS", "/", sent), methods)
    if not allowed:
        assert found == {}
        return
    assert (found["Access-Control-Allow-Origin"], found["Access-Control-Allow-Methods"]) == ("*", "GET")
    assert found["Access-Control-Allow-Headers"] == "X-Share-Token, If-None-Match, Range, Accept"
