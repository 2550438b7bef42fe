"""One error shape per surface, whatever refuses: routing, parser, credentials, decoding, limits, deadlines, a fault."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import grpc
import orjson
import pytest

from catenary_edge import app, upstream
from catenary_edge.errors.reasons import CATALOGUE
from fixtures.edge.stand_in import PROJECT_ID, Refusal, StandIn
from integration.edge.conftest import AUTHORIZED, Running, Start

CANARY = "psycopg canary at /var/lib/canary.py:7"
MODES = ("local", "grpc")
JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Case:
    """A request that is refused, and how; `core` is what its method does."""

    name: str
    status: int
    code: str
    method: str = "POST"
    path: str = ""
    headers: Mapping[str, str] = field(default_factory=lambda: {**AUTHORIZED, **JSON})
    data: bytes = b'{"name":"x"}'
    core: BaseException | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


def _refusals() -> list[Case]:
    """Every reason of the catalogue as the core's, and its gRPC code without a reason of ours."""
    found = []
    for reason in CATALOGUE.values():
        code = next(one for one in grpc.StatusCode if one.value[0] == reason.grpc)
        refused = Refusal(code, "A sentence.", reason.code, retry_after=2.0)
        status = 500 if reason.http == 500 else reason.http
        found.append(Case(f"the core's {reason.code}", status, reason.code, core=refused))
    bare = (grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS, grpc.StatusCode.INTERNAL)
    return found + [Case(f"a bare {code.name}", 500, "INTERNAL_ERROR", core=Refusal(code, CANARY)) for code in bare]


CASES = [
    Case("a bad body", 400, "VALIDATION_ERROR", data=b"{"),
    Case("a wrong type", 400, "VALIDATION_ERROR", data=b'{"name":7,"content":7}'),
    Case("an unknown key", 400, "VALIDATION_ERROR", data=b'{"canary":7}'),
    Case("invalid UTF-8", 400, "VALIDATION_ERROR", data=b'{"name":"\xff"}'),
    Case("an unknown query", 400, "VALIDATION_ERROR", path="?canary=1"),
    Case("a bad escape", 400, "VALIDATION_ERROR", path="?canary=%zz"),
    Case("a body over the limit", 413, "PAYLOAD_TOO_LARGE", data=b" " * 3000, settings={"body_limit": 2000}),
    Case("another media type", 415, "UNSUPPORTED_MEDIA_TYPE", headers={**AUTHORIZED, "Content-Type": "text/plain"}),
    Case("an unknown coding", 415, "UNSUPPORTED_MEDIA_TYPE", headers={**AUTHORIZED, **JSON, "Content-Encoding": "br"}),
    Case("a damaged coding", 400, "VALIDATION_ERROR", headers={**AUTHORIZED, **JSON, "Content-Encoding": "gzip"}),
    Case("no credentials", 401, "AUTHENTICATION_REQUIRED", headers=JSON),
    Case("bad credentials", 401, "INVALID_TOKEN", headers={"Authorization": "Bearer bad", **JSON}),
    Case("another method", 405, "METHOD_NOT_ALLOWED", method="PURGE"),
    Case("an unknown route", 404, "NOT_FOUND", path="/canary/canary/canary"),
    Case("plain HTTP", 403, "HTTPS_REQUIRED", settings={"dev": False}),
    Case("an unknown expectation", 417, "VALIDATION_ERROR", headers={**AUTHORIZED, **JSON, "Expect": "canary"}),
    Case("a fault of the core's process", 500, "INTERNAL_ERROR", core=RuntimeError(CANARY)),
    *_refusals(),
]
SURFACES = {
    "/v1/projects": "/catenary.platform.v1.ProjectService/CreateProject",
    "/reference/v2/source_types": "/catenary.reference.v2.SourceTypeService/CreateSourceType",
}


def _is_the_shape(surface: str, status: int, headers: Mapping[str, str], body: Any, code: str) -> None:
    assert headers["Content-Type"] == "application/json"
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Server" in headers
    assert "aiohttp" not in headers["Server"].lower()
    assert ("WWW-Authenticate" in headers) == (status == 401)
    if status in (429, 503):
        assert int(headers["Retry-After"]) >= 1
    if surface == "/v1/projects":
        assert set(body) == {"success", "error", "metadata"}
        assert body["success"] is False
        assert set(body["error"]) - {"documentation_url"} == {"code", "message", "details"}
        assert set(body["metadata"]) == {"timestamp", "requestId"}
        assert body["metadata"]["requestId"] == headers["X-Request-Id"]
        assert body["error"]["code"] == code
        assert isinstance(body["error"]["details"], dict)
        if body["error"]["details"] and code == "VALIDATION_ERROR":
            assert {"parameter", "value", "constraint"} <= set(body["error"]["details"])
        assert body["error"]["message"].endswith((".", "…"))
    else:
        assert set(body) == {"details", "msg"}
        assert all(isinstance(text, str) and text for text in body.values())
        assert body["msg"] == ("Unknown route" if code == "NOT_FOUND" and "route" in body["details"] else body["msg"])
    assert "canary.py" not in str(body)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("surface", SURFACES)
async def test_every_refusal_has_the_shape_of_its_surface(start_edge: Start, mode: str, surface: str) -> None:
    settings = {tuple(case.settings.items()): dict(case.settings) for case in CASES}
    for given in settings.values():
        async with start_edge(mode, **given) as edge:
            for case in (one for one in CASES if dict(one.settings) == given):
                edge.core.on(SURFACES[surface], case.core or {})
                status, headers, body = await edge.send(
                    case.method, surface + case.path, headers=dict(case.headers), data=case.data
                )
                assert status == case.status, f"{case.name}: {status} {body}"
                _is_the_shape(surface, status, headers, body, case.code)


async def _many_rules(edge: Running, number: int) -> tuple[int, int]:
    """Return the status of a refusal with so many broken rules, and how many of them its body has."""
    rules = tuple(
        (f"items[{index}].name", "Give a name of at most 200 characters.", "MAX_LEN") for index in range(number)
    )
    refused = Refusal(grpc.StatusCode.INVALID_ARGUMENT, rules[0][1], "VALIDATION_ERROR", violations=rules)
    edge.core.on(SURFACES["/v1/projects"], refused)
    status, _, body = await edge.send("POST", "/v1/projects", headers={**AUTHORIZED, **JSON}, data=b'{"name":"x"}')
    return status, len(body["error"]["details"].get("violations", ()))


async def test_a_refusal_of_a_thousand_items_arrives_whole(either: Running) -> None:
    for number in (30, 60, 1000):
        assert await _many_rules(either, number) == (400, number)


async def test_with_the_trailers_that_grpc_takes_by_default_it_would_be_another_refusal(
    start_edge: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = tuple(one for one in upstream.CHANNEL_OPTIONS if "metadata" not in one[0])
    assert len(options) == len(upstream.CHANNEL_OPTIONS) - 2
    monkeypatch.setattr(upstream, "CHANNEL_OPTIONS", options)
    async with start_edge("grpc") as edge:
        assert await _many_rules(edge, 1000) == (429, 0)


PARSER = {
    "no HTTP": b"\x16\x03\x01\r\n\r\n",
    "no Host": b"POST %s HTTP/1.1\r\n\r\n",
    "a bad chunk": b"POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "a long address": b"GET %s?x=" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a long header": b"GET %s HTTP/1.1\r\nHost: localhost\r\nX-A: " + b"a" * 20_000 + b"\r\n\r\n",
}


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("name", PARSER)
async def test_what_the_parser_refuses_has_a_shape_of_ours(edge: Running, name: str, surface: str) -> None:
    sent = PARSER[name].replace(b"%s", surface.encode())
    answer = await edge.raw(sent)
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines[1:])
    assert lines[0].split(" ")[1] == "400"
    shown = surface if surface.encode() in sent else "/v1/projects"
    _is_the_shape(shown, 400, headers, orjson.loads(body), "VALIDATION_ERROR")
    assert await edge.is_well()


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("surface", SURFACES)
async def test_a_late_body_a_late_core_and_a_lost_core_have_the_shape(
    start_edge: Start, mode: str, surface: str
) -> None:
    async def sleeps(request: Any, metadata: Any) -> dict[str, Any]:
        await asyncio.sleep(60)
        return {}

    if mode == "grpc":  # in one process the dispatch itself keeps the deadline
        async with start_edge(mode, call=0.3) as edge:
            edge.core.on(SURFACES[surface], sleeps)
            status, headers, body = await edge.send(
                "POST", surface, headers={**AUTHORIZED, **JSON}, data=b'{"name":"x"}'
            )
            assert status == 504
            _is_the_shape(surface, status, headers, body, "TIMEOUT")
    async with start_edge(mode, body=0.3, body_rate=10**9) as edge:
        head = f"POST {surface} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\n"
        answer = await edge.raw((head + "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{").encode())
        lines = answer.partition(b"\r\n\r\n")[0].decode().split("\r\n")
        assert lines[0].split(" ")[1] == "408"
        headers = dict(line.split(": ", 1) for line in lines[1:])
        _is_the_shape(surface, 408, headers, orjson.loads(answer.partition(b"\r\n\r\n")[2]), "TIMEOUT")
    lost = StandIn()
    async with start_edge(mode, lost) as edge:
        lost.on(SURFACES[surface], Refusal(grpc.StatusCode.UNAVAILABLE, "failed to connect to 127.0.0.1:1"))
        status, headers, body = await edge.send("POST", surface, headers={**AUTHORIZED, **JSON}, data=b'{"name":"x"}')
        assert status == 503
        _is_the_shape(surface, status, headers, body, "UNAVAILABLE")


@pytest.mark.parametrize("surface", SURFACES)
async def test_a_fault_of_the_edge_itself_has_the_shape(
    edge: Running, monkeypatch: pytest.MonkeyPatch, surface: str
) -> None:
    async def failing(*given: Any) -> Any:
        raise KeyError(CANARY)

    monkeypatch.setattr(app, "decode", failing)
    status, headers, body = await edge.send("POST", surface, headers={**AUTHORIZED, **JSON}, data=b"{}")
    assert status == 500
    _is_the_shape(surface, status, headers, body, "INTERNAL_ERROR")


async def test_a_token_request_by_form_has_the_shape_of_rfc_6749_and_one_by_json_that_of_the_platform(
    either: Running,
) -> None:
    either.core.on("AuthService/IssueToken", RuntimeError(CANARY))
    form = {"grant_type": "client_credentials", "client_id": PROJECT_ID, "client_secret": "s"}
    status, _, body = await either.send("POST", "/v1/auth/token", headers={}, data=form)
    assert (status, set(body)) == (500, {"error", "error_description"})
    status, headers, body = await either.send("POST", "/v1/auth/token", headers={}, json=form)
    _is_the_shape("/v1/projects", status, headers, body, "INTERNAL_ERROR")


async def test_faults_of_an_array_that_is_the_body_are_named_as_the_core_names_them(edge: Running) -> None:
    status, _, body = await edge.send("POST", "/comments/v2/comments", json=[{"content": "a"}, {"content": 1, "x": 2}])
    assert status == 400
    assert [line.partition(" ")[0] for line in body["details"].split("\n")] == ["comments[1].content", "comments[1].x"]
    for whole in ({"content": "a"}, None, 3):
        _, _, body = await edge.send("POST", "/comments/v2/comments", json=whole)
        assert body["details"].startswith("body "), body
