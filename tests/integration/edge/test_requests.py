"""Requests through a real socket: answers, refusals and their order, in both upstream modes where it matters."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Any

import grpc
import orjson
import pytest
import structlog

from fixtures.edge.stand_in import PROJECT_ID, Answer, Refusal, StandIn
from integration.edge.conftest import AUTHORIZED, EVALUATE, EVALUATION, JSON, PROJECT, Running, Start

Code = grpc.StatusCode


async def test_both_modes_answer_with_the_same_bytes(start_edge: Start) -> None:
    answers = []
    for mode in ("local", "grpc"):
        async with start_edge(mode) as edge:
            edge.core.on("EvaluationService/GetEvaluation", {"evaluation": EVALUATION})
            edge.core.on("ProjectService/ListProjects", {"projects": [PROJECT] * 3, "next_cursor": "next"})
            found = []
            for path in (f"/v1/evaluations/{PROJECT_ID}", "/v1/projects", f"/v1/projects/{PROJECT_ID}"):
                async with edge.client.get(edge.url + path, headers=AUTHORIZED) as response:
                    found.append((await response.read()).partition(b',"metadata":')[0])
            answers.append(found)
    assert answers[0] == answers[1]
    assert answers[0][0] == b'{"success":true,"data":' + orjson.dumps({"evaluation": EVALUATION})


async def test_a_list_has_its_cursor_in_the_metadata(either: Running) -> None:
    either.core.on("ProjectService/ListProjects", {"projects": [PROJECT], "next_cursor": "abc"})
    status, headers, body = await either.send("GET", "/v1/projects?limit=1")
    assert (status, body["data"], body["metadata"]["next_cursor"]) == (200, {"projects": [PROJECT]}, "abc")
    assert headers["Cache-Control"] == "private, max-age=300"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Server"] == "catenary"
    assert "Authorization" in headers["Vary"]
    request, _ = either.core.made("ProjectService/ListProjects")[0]
    assert request.limit == 1


async def test_the_core_sees_who_asks_and_how(either: Running) -> None:
    headers = {**AUTHORIZED, "X-Share-Token": "share", "X-Request-Id": "my-id.1"}
    _, answered, body = await either.send("GET", f"/v1/projects/{PROJECT_ID}", headers=headers)
    _, metadata = either.core.made("ProjectService/GetProject")[0]
    wanted = {
        "authorization": "Bearer good",
        "x-share-token": "share",
        "x-request-id": "my-id.1",
        "catenary-client-address": "127.0.0.1",
        "catenary-edge": "1",
        "catenary-base-url": either.url,
    }
    assert wanted.items() <= metadata.items()
    assert answered["X-Request-Id"] == body["metadata"]["requestId"] == "my-id.1"


async def test_the_core_sees_the_host_of_the_request_and_the_scheme_of_a_trusted_proxy(start_edge: Start) -> None:
    async with start_edge(trusted_proxies=("127.0.0.1/32",)) as edge:
        for headers, base in (
            ({"Host": "localhost:81", "X-Forwarded-Proto": "https"}, "https://localhost:81"),
            ({"Host": "localhost:81"}, "http://localhost:81"),
        ):
            await edge.send("GET", f"/v1/projects/{PROJECT_ID}", headers={**AUTHORIZED, **headers})
            _, metadata = edge.core.made("ProjectService/GetProject")[-1]
            assert metadata.get("catenary-base-url") == base


@pytest.mark.parametrize("given", ["", "a b", "x" * 129, "ä", 'a"b', "a/b"])
async def test_an_insane_request_id_is_replaced(edge: Running, given: str) -> None:
    _, headers, _ = await edge.send("GET", f"/v1/projects/{PROJECT_ID}", headers={**AUTHORIZED, "X-Request-Id": given})
    assert uuid.UUID(headers["X-Request-Id"]).version == 7


async def test_the_core_sets_status_and_headers(either: Running) -> None:
    metadata = {
        "catenary-status": "202",
        "location": f"/v1/evaluations/{PROJECT_ID}",
        "retry-after": "1",
        "preference-applied": "respond-async",
        "x-inner": "secret",
        "content-type": "text/html",
    }
    either.core.on("EvaluationService/Evaluate", Answer({"evaluation": EVALUATION}, metadata))
    status, headers, _ = await either.send(
        "POST", EVALUATE, json={"parameters": {"a": 1}}, headers={**AUTHORIZED, "Prefer": "respond-async"}
    )
    assert (status, headers["Location"], headers["Retry-After"]) == (202, f"/v1/evaluations/{PROJECT_ID}", "1")
    assert headers["Preference-Applied"] == "respond-async"
    assert headers["Content-Type"] == "application/json"
    assert headers["Cache-Control"] == "no-store"
    assert "Prefer" in headers["Vary"]
    assert "X-Inner" not in headers
    request, _ = either.core.made("EvaluationService/Evaluate")[0]
    assert (request.prefer, request.parameters["a"].text) == ("respond-async", "1")


async def test_head_is_get_without_the_body(edge: Running) -> None:
    path = f"/v1/projects/{PROJECT_ID}"
    headers = {**AUTHORIZED, "X-Request-Id": "same"}
    _, got, body = await edge.send("GET", path, headers=headers)
    status, head, nothing = await edge.send("HEAD", path, headers=headers)
    assert (status, nothing) == (200, b"")
    assert abs(int(head["Content-Length"]) - int(got["Content-Length"])) <= 6
    assert body["success"]
    assert (await edge.send("HEAD", "/v1/auth/token"))[0] == 405
    assert (await edge.send("HEAD", "/nothing"))[0] == 404


@pytest.mark.parametrize("mode", ["local", "grpc"])
@pytest.mark.parametrize(
    ("refusal", "status", "code", "details"),
    [
        (Refusal(Code.NOT_FOUND, "There is no such project.", "NOT_FOUND"), 404, "NOT_FOUND", {}),
        (
            Refusal(Code.OUT_OF_RANGE, "span is over 60.", "PARAMETER_OUT_OF_RANGE",
                    metadata={"parameter": '"span"', "value": "70", "min": "5", "max": "60"}),
            400, "PARAMETER_OUT_OF_RANGE", {"parameter": "span", "value": 70, "min": 5, "max": 60},
        ),
        (Refusal(Code.FAILED_PRECONDITION, "Not deployed.", "MODEL_NOT_DEPLOYED"), 409, "MODEL_NOT_DEPLOYED", {}),
        (Refusal(Code.INTERNAL, "psycopg.errors.UndefinedColumn: secret"), 500, "INTERNAL_ERROR", {}),
        (Refusal(Code.UNKNOWN, "ValueError: hunter2", "WHATEVER"), 500, "INTERNAL_ERROR", {}),
        (Refusal(Code.RESOURCE_EXHAUSTED, "No.", "RATE_LIMIT_EXCEEDED", retry_after=7), 429, "RATE_LIMIT_EXCEEDED", {}),
    ],
)  # fmt: skip
async def test_a_refusal_of_the_core_is_the_same_in_both_modes(
    start_edge: Start, mode: str, refusal: Refusal, status: int, code: str, details: dict[str, Any]
) -> None:
    async with start_edge(mode) as edge:
        edge.core.on("EvaluationService/Evaluate", refusal)
        found, headers, body = await edge.send("POST", EVALUATE, json={})
        assert (found, body["success"], body["error"]["code"]) == (status, False, code)
        assert body["error"]["details"] == details
        assert body["error"]["documentation_url"] == f"{edge.url}/docs/errors/{code}"
        assert headers["Cache-Control"] == "no-store"
        assert headers.get("Retry-After") == ("7" if status == 429 else None)
        if status == 500:
            assert "secret" not in str(body)
            assert "hunter2" not in str(body)
        assert await edge.is_well()


@pytest.mark.parametrize("left", [1000, 0], ids=["calls left", "the last call of the hour"])
async def test_the_limit_that_refuses_is_the_one_in_the_headers_with_the_wait_of_retry_after_and_the_text(
    either: Running, left: int
) -> None:
    """The user's own limit may have no call left either; and the core's clock is not the edge's."""
    either.core.leased = 999 if not left else 0
    limit = {"limit": "2", "remaining": "0", "reset": str(int(time.time()) + 3000)}
    refused = Refusal(
        Code.RESOURCE_EXHAUSTED, "Try again in 42 s.", "RATE_LIMIT_EXCEEDED", metadata=limit, retry_after=42
    )
    either.core.on("EvaluationService/Evaluate", refused)
    status, headers, body = await either.send("POST", EVALUATE, json={})
    assert (status, body["error"]["message"]) == (429, "Try again in 42 s.")
    assert headers["Retry-After"] == headers["X-RateLimit-Retry-After"] == "42"
    assert [headers[f"X-RateLimit-{name}"] for name in ("Limit", "Remaining", "Reset")] == ["2", "0", limit["reset"]]


async def test_a_core_that_cannot_be_reached_is_503_with_retry_after(start_edge: Start) -> None:
    from catenary_edge.upstream import GrpcUpstream, open_channel

    async with start_edge() as edge:
        edge.runner._app.upstream = GrpcUpstream(lambda: open_channel("127.0.0.1:1"))
        status, headers, body = await edge.send("GET", "/.well-known/jwks.json")
        assert (status, headers["Retry-After"], body["error"]["code"]) == (503, "1", "UNAVAILABLE")
        assert "127.0.0.1:1" not in body["error"]["message"]


async def test_an_unforeseen_exception_is_500_and_its_text_goes_nowhere(edge: Running) -> None:
    edge.core.on("ProjectService/ListProjects", ValueError("row of Ada Lovelace, token abc"))
    with structlog.testing.capture_logs() as logs:
        status, headers, body = await edge.send("GET", "/v1/projects?cursor=private")
    assert (status, body["error"]["code"]) == (500, "INTERNAL_ERROR")
    assert "Ada" not in str(body)
    assert "Ada" not in str(logs)
    assert "private" not in str(logs)
    unforeseen, access = logs
    assert unforeseen["request_id"] == access["request_id"] == headers["X-Request-Id"]
    assert unforeseen["error"] == "ValueError"
    assert "stand_in.py" in unforeseen["traceback"]
    assert await edge.is_well()


async def test_the_access_log_has_the_template_and_never_the_query(edge: Running) -> None:
    with structlog.testing.capture_logs() as logs:
        await edge.send("GET", f"/v1/projects/{PROJECT_ID}?x=secret")
        await edge.send("GET", "/nothing/secret")
    assert [(one["event"], one["method"], one["route"], one["status"]) for one in logs] == [
        ("request", "GET", "/v1/projects/{project_id}", 400),
        ("request", "GET", None, 404),
    ]
    assert "secret" not in str(logs)
    assert all(one["duration_ms"] >= 0 and one["request_id"] for one in logs)


@pytest.mark.parametrize(
    ("method", "path", "status", "wanted"),
    [
        ("GET", "/nothing", 404, {"code": "NOT_FOUND"}),
        ("GET", "/v1/nothing", 404, {"code": "NOT_FOUND"}),
        ("GET", "/v2/projects", 404, {"code": "NOT_FOUND"}),
        ("GET", "/comments/v2/nothing", 404, {"msg": "Unknown route"}),
        ("DELETE", "/qa/v2/nothing", 404, {"msg": "Unknown route"}),
        ("OPTIONS", "/nothing", 404, {"code": "NOT_FOUND"}),
        ("PUT", "/v1/projects", 405, {"code": "METHOD_NOT_ALLOWED"}),
        ("TRACE", "/v1/projects", 405, {"code": "METHOD_NOT_ALLOWED"}),
    ],
)
async def test_what_is_no_route_is_told_in_the_body_of_its_surface(
    edge: Running, method: str, path: str, status: int, wanted: dict[str, str]
) -> None:
    found, headers, body = await edge.send(method, path, headers={})
    assert found == status
    assert wanted.items() <= body.get("error", body).items()
    assert ("success" in body) == ("code" in wanted)
    assert headers.get("Allow") == ("GET, HEAD, OPTIONS, POST" if status == 405 else None)
    assert headers["X-Request-Id"]


BIG = b'{"parameters":{"a":"' + b"x" * (1 << 20) + b'"}}'
ORDER: list[tuple[str, str, str, dict[str, str], bytes | None, int]] = [
    ("an unknown route before 401", "POST", "/v1/nothing", {}, b"junk", 404),
    ("another method before 401", "PUT", EVALUATE, {}, b"junk", 405),
    ("401 before 413", "POST", EVALUATE, {"Content-Type": "application/json"}, BIG, 401),
    ("401 before 415", "POST", EVALUATE, {"Content-Type": "text/plain"}, b"x", 401),
    ("401 before 400", "POST", EVALUATE, {"Content-Type": "application/json"}, b"junk", 401),
    ("401 for a bad token", "POST", EVALUATE, {"Authorization": "Bearer bad"}, b"junk", 401),
    ("415 before 400", "POST", EVALUATE, {**AUTHORIZED, "Content-Type": "text/plain"}, b"junk", 415),
    ("413 before 400", "POST", EVALUATE, JSON, b"{" + b"x" * (1 << 20), 413),
    ("400 before the core", "POST", EVALUATE, JSON, b"junk", 400),
]


@pytest.mark.parametrize(("name", "method", "path", "headers", "body", "status"), ORDER, ids=[one[0] for one in ORDER])
async def test_refusals_come_in_the_contracts_order(
    edge: Running, name: str, method: str, path: str, headers: dict[str, str], body: bytes, status: int
) -> None:
    found, answered, _ = await edge.send(method, path, headers=headers, data=body)
    assert found == status
    assert not edge.core.made("EvaluationService/Evaluate")
    if status == 401:
        sent = "Authorization" in headers
        assert answered["WWW-Authenticate"] == ('Bearer error="invalid_token"' if sent else "Bearer")
    assert await edge.is_well()


async def test_https_required_comes_before_everything(start_edge: Start) -> None:
    async with start_edge(dev=False) as edge:
        for path in ("/nothing", "/v1/projects"):
            status, _, body = await edge.send("GET", path)
            assert (status, body["error"]["code"]) == (403, "HTTPS_REQUIRED")
        status, _, body = await edge.send("GET", "/comments/v2/x")
        assert (status, body["msg"]) == (403, "HTTPS required")
        assert edge.core.calls == []


async def test_a_doubled_credential_is_401_without_asking_the_core(edge: Running) -> None:
    answer = await edge.raw(
        b"GET /v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nAuthorization: Bearer good\r\n"
        b"Connection: close\r\n\r\n"
    )
    assert answer.startswith(b"HTTP/1.1 401 ")
    assert b'"INVALID_TOKEN"' in answer
    assert edge.core.calls == []


async def test_a_public_method_is_asked_without_identify_and_credentials(edge: Running) -> None:
    edge.core.on("AuthService/GetJwks", {"keys": []})
    status, _, body = await edge.send("GET", "/.well-known/jwks.json", headers={"Authorization": "Bearer bad"})
    assert (status, body) == (200, {"keys": []})
    assert [path.rpartition("/")[2] for path, _, _ in edge.core.calls] == ["GetJwks"]
    assert "authorization" not in edge.core.calls[0][2]


async def test_identify_is_asked_once_in_five_seconds(edge: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    for now, asked in ((1000.0, 1), (1004.9, 1), (1005.1, 2)):
        monkeypatch.setattr(edge.runner._app._identities, "_clock", lambda now=now: now)
        for _ in range(3):
            assert await edge.is_well()
        assert len(edge.core.made("AuthService/Identify")) == asked


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
async def test_a_double_of_the_core_that_is_not_finite_is_a_failure_with_a_line_in_the_log(
    start_edge: Start, number: float
) -> None:
    """A core in the same process checks its own answers (`test_evaluations.py`)."""
    async with start_edge("grpc") as edge:
        edge.core.on("EvaluationService/GetEvaluation", {"evaluation": {**EVALUATION, "duration_ms": number}})
        with structlog.testing.capture_logs() as logs:
            status, headers, body = await edge.send("GET", f"/v1/evaluations/{PROJECT_ID}")
        assert (status, body["error"]["code"]) == (500, "INTERNAL_ERROR")
        (line,) = [one for one in logs if one["event"] == "unexpected error"]
        assert (line["error"], line["request_id"]) == ("ValueError", headers["X-Request-Id"])


@pytest.mark.parametrize("coding", ["gzip", "deflate", "zstd", ""])
async def test_answers_over_1_kib_are_compressed(edge: Running, coding: str) -> None:
    edge.core.on("ProjectService/ListProjects", {"projects": [PROJECT] * 50, "next_cursor": None})
    headers = {**AUTHORIZED, "Accept-Encoding": coding or "identity"}
    status, answered, body = await edge.send("GET", "/v1/projects", headers=headers)
    assert (status, len(body["data"]["projects"])) == (200, 50)
    assert answered.get("Content-Encoding", "") == coding
    assert (int(answered["Content-Length"]) < 2000) == bool(coding)
    _, small, _ = await edge.send("GET", f"/v1/projects/{PROJECT_ID}", headers=headers)
    assert "Content-Encoding" not in small


async def test_cors_is_for_configured_origins_only(start_edge: Start) -> None:
    asked = {"Origin": "https://a.example", "Access-Control-Request-Method": "GET"}
    async with start_edge() as edge:
        status, headers, _ = await edge.send("OPTIONS", "/v1/projects", headers=asked)
        assert status == 204
        assert not [name for name in headers if name.lower().startswith("access-control")]
    async with start_edge(cors_origins=("https://a.example",)) as edge:
        status, headers, _ = await edge.send("OPTIONS", "/v1/projects", headers=asked)
        assert (status, headers["Access-Control-Allow-Origin"]) == (204, "https://a.example")
        assert "POST" in headers["Access-Control-Allow-Methods"]
        assert "Authorization" in headers["Access-Control-Allow-Headers"]
        for origin in ("https://b.example", "https://a.example.b.example", "null"):
            _, headers, _ = await edge.send("OPTIONS", "/v1/projects", headers={**asked, "Origin": origin})
            assert "Access-Control-Allow-Origin" not in headers
            assert "Origin" in headers["Vary"]
        path = f"/v1/projects/{PROJECT_ID}"
        _, headers, _ = await edge.send("GET", path, headers={**AUTHORIZED, "Origin": "https://a.example"})
        assert headers["Access-Control-Allow-Origin"] == "https://a.example"
        assert "Origin" in headers["Vary"]
        assert "Authorization" in headers["Vary"]


TOKEN = {"access_token": "t", "token_type": "Bearer", "expires_in": 3600, "scope": ""}
WRONG = Refusal(Code.UNAUTHENTICATED, "The client is not known.", "INVALID_CLIENT")


async def test_the_token_route_speaks_json_form_and_basic(either: Running) -> None:
    either.core.on("AuthService/IssueToken", TOKEN)
    form = {"grant_type": "client_credentials", "client_id": "a", "client_secret": "b"}
    for options in ({"json": form}, {"data": form}, {"data": {"grant_type": "client_credentials"}}):
        status, headers, body = await either.send(
            "POST", "/v1/auth/token", headers={"Authorization": "Basic YTpi"}, **options
        )
        assert (status, body) == (200, TOKEN)
        assert (headers["Cache-Control"], headers["Pragma"]) == ("no-store", "no-cache")
    for request, metadata in either.core.made("AuthService/IssueToken"):
        assert (request.grant_type, request.authorization) == ("client_credentials", "Basic YTpi")
        assert "authorization" not in metadata
    assert not either.core.made("AuthService/Identify")


async def test_errors_of_the_token_route_fit_the_request(either: Running) -> None:
    either.core.on("AuthService/IssueToken", WRONG)
    good = {"grant_type": "client_credentials"}
    status, headers, body = await either.send("POST", "/v1/auth/token", headers={}, json=good)
    assert (status, body["error"]["code"]) == (401, "INVALID_CLIENT")
    assert headers["WWW-Authenticate"].startswith("Basic ")
    for options in ({"data": good}, {"json": good, "headers": {"Authorization": "basic eDp5"}}):
        status, headers, body = await either.send("POST", "/v1/auth/token", **{"headers": {}, **options})
        assert (status, body["error"]) == (401, "invalid_client")
        assert headers["WWW-Authenticate"].startswith("Basic ")
        assert headers["Cache-Control"] == "no-store"
    either.core.on(
        "AuthService/IssueToken",
        Refusal(Code.INVALID_ARGUMENT, "No.", "VALIDATION_ERROR", metadata={"oauth_error": "unsupported_grant_type"}),
    )
    status, _, body = await either.send("POST", "/v1/auth/token", headers={}, data={"grant_type": "password"})
    assert (status, body) == (400, {"error": "unsupported_grant_type", "error_description": "No."})
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    status, _, body = await either.send("POST", "/v1/auth/token", headers=form, data=b"grant_type=a&grant_type=b")
    assert (status, body["error"]) == (400, "invalid_request")


@pytest.mark.parametrize("mode", ["local", "grpc"])
async def test_a_client_that_goes_away_ends_the_call_and_is_499_in_the_log(start_edge: Start, mode: str) -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def slow(request: Any, metadata: Any) -> Any:
        began.set()
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()

    async with start_edge(mode) as edge:
        edge.core.on("ProjectService/ListProjects", slow)
        with structlog.testing.capture_logs() as logs:
            _, writer = await asyncio.open_connection("127.0.0.1", edge.runner.port)
            writer.write(b"GET /v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\n\r\n")
            await asyncio.wait_for(began.wait(), 60)
            writer.close()
            await asyncio.wait_for(ended.wait(), 60)
            await asyncio.sleep(0.05)
        assert [one["status"] for one in logs if one["event"] == "request"] == [499]
        assert await edge.is_well()


async def test_a_call_that_takes_too_long_is_504(start_edge: Start) -> None:
    async def slow(request: Any, metadata: Any) -> Any:
        await asyncio.sleep(30)

    async with start_edge("grpc", core=StandIn(), call=0.2) as edge:
        edge.core.on("ProjectService/ListProjects", slow)
        status, _, body = await edge.send("GET", "/v1/projects")
        assert (status, body["error"]["code"]) == (504, "TIMEOUT")


async def test_links_start_with_the_public_address_and_never_with_a_strange_host(start_edge: Start) -> None:
    async with start_edge(public_url="https://catenary.example/") as edge:
        _, _, body = await edge.send("GET", "/nothing")
        assert body["error"]["documentation_url"] == "https://catenary.example/docs/errors/NOT_FOUND"
    async with start_edge() as edge:
        _, _, body = await edge.send("GET", "/nothing", headers={"Host": 'a"onload=x'})
        assert "documentation_url" not in body["error"]
