"""The header Idempotency-Key at the edge, over both ways to the core, and on the surfaces' own terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import grpc
import pytest
from multidict import CIMultiDict

from catenary_edge.http import idempotency
from catenary_edge.transcoding import routes
from fixtures.edge.stand_in import Answer, Refusal
from integration.edge.conftest import AUTHORIZED, PROJECT, Running

BODY = {"name": "Tower"}
CREATE = "ProjectService/CreateProject"


def _headers(key: str, **more: str) -> dict[str, str]:
    return {**AUTHORIZED, "Idempotency-Key": key, **more}


async def test_the_core_gets_the_key_with_the_path_that_it_came_on(either: Running) -> None:
    either.core.on(CREATE, {"project": PROJECT})
    status, headers, _ = await either.send("POST", "/v1/projects", json=BODY, headers=_headers("k" * 255))
    ((_, metadata),) = either.core.made(CREATE)
    assert (status, metadata["idempotency-key"]) == (201, "k" * 255)
    assert metadata["catenary-route"] == "POST /v1/projects"
    assert "Idempotency-Replayed" not in headers


def test_a_key_belongs_to_the_path_with_its_ids() -> None:
    table = routes.build()

    def told(path: str) -> str:
        match = table.match("POST", path)
        assert match is not None
        headers: Any = CIMultiDict({"Idempotency-Key": "k"})
        return idempotency.metadata(match.route, match.segments, headers)["catenary-route"]

    here, there = "0199aaaa-0000-7000-8000-00000000000a", "0199aaaa-0000-7000-8000-00000000000b"
    assert told(f"/v1/projects/{here}/evaluate") != told(f"/v1/projects/{there}/evaluate")
    assert told(f"/v1/projects/{here}/evaluate") == told(f"/v1/projects/{here.upper()}/evaluate")
    assert told(f"/v1/projects/{here}/evaluate") != told(f"/v1/projects/{here}/models")


async def test_an_answer_that_is_given_again_says_so_and_has_its_own_request_id(either: Running) -> None:
    either.core.on(CREATE, Answer({"project": PROJECT}, {"idempotency-replayed": "true"}))
    status, headers, body = await either.send(
        "POST", "/v1/projects", json=BODY, headers=_headers("k", **{"X-Request-Id": "second"})
    )
    assert (status, headers["Idempotency-Replayed"]) == (201, "true")
    assert (headers["X-Request-Id"], body["metadata"]["requestId"]) == ("second", "second")


async def test_a_refusal_that_is_given_again_says_so(either: Running) -> None:
    for replayed, shown in ((False, None), (True, "true")):
        either.core.on(CREATE, Refusal(grpc.StatusCode.ABORTED, "Taken.", "CONFLICT", replayed=replayed))
        status, headers, _ = await either.send("POST", "/v1/projects", json=BODY, headers=_headers("k"))
        assert (status, headers.get("Idempotency-Replayed")) == (409, shown)


@pytest.mark.parametrize(
    ("code", "reason", "status"),
    [
        (grpc.StatusCode.FAILED_PRECONDITION, "IDEMPOTENCY_KEY_REUSED", 422),
        (grpc.StatusCode.ABORTED, "IDEMPOTENCY_IN_PROGRESS", 409),
    ],
)
async def test_the_refusals_of_a_key_have_their_status(
    either: Running, code: grpc.StatusCode, reason: str, status: int
) -> None:
    either.core.on(CREATE, Refusal(code, "Told so.", reason, retry_after=1.0))
    found, headers, body = await either.send("POST", "/v1/projects", json=BODY, headers=_headers("k"))
    assert (found, body["error"]["code"], headers["Retry-After"]) == (status, reason, "1")


@pytest.mark.parametrize(
    ("sent", "constraint"),
    [
        ([b""], "length"),
        ([b"   "], "length"),
        ([b"k" * 256], "length"),
        (["ключ".encode()], "characters"),
        ([b"\xff"], "characters"),
        ([b"a\tb"], "characters"),
        ([b"one", b"two"], "duplicate"),
    ],
)
async def test_a_key_that_is_none_is_refused_before_the_core_is_called(
    either: Running, sent: list[bytes], constraint: str
) -> None:
    lines = b"".join(b"Idempotency-Key: " + key + b"\r\n" for key in sent)
    answer = await either.raw(
        b"POST /v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n"
        b"Content-Length: 16\r\nConnection: close\r\n" + lines + b'\r\n{"name":"Tower"}'
    )
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert f'"constraint":"{constraint}"'.encode() in answer
    assert b'"parameter":"Idempotency-Key"' in answer
    assert either.core.made(CREATE) == []
    assert await either.is_well()


async def test_a_data_service_refuses_a_key_in_its_own_body(edge: Running) -> None:
    status, _, body = await edge.send("POST", "/comments/v2/comments", json=[], headers=_headers("k" * 256))
    assert (status, set(body)) == (400, {"details", "msg"})
    assert "Idempotency-Key" in body["details"]


@pytest.mark.parametrize(
    ("method", "path", "rpc", "given"),
    [
        ("GET", "/v1/projects", "ProjectService/ListProjects", {}),
        ("PATCH", f"/v1/projects/{PROJECT['project_id']}", "ProjectService/UpdateProject", {"json": BODY}),
        (
            "POST",
            "/v1/auth/token",
            "AuthService/IssueToken",
            {"json": {"grant_type": "client_credentials", "client_id": PROJECT["project_id"], "client_secret": "s"}},
        ),
    ],
)
@pytest.mark.parametrize("key", ["k", "k" * 256])
async def test_what_is_no_post_of_a_caller_ignores_the_key(
    edge: Running, method: str, path: str, rpc: str, given: Mapping[str, Any], key: str
) -> None:
    edge.core.on(rpc, Refusal(grpc.StatusCode.NOT_FOUND, "Reached.", "NOT_FOUND"))
    status, _, _ = await edge.send(method, path, headers=_headers(key), **given)
    assert status == 404
    ((_, metadata),) = edge.core.made(rpc)
    assert not {"idempotency-key", "catenary-route"} & metadata.keys()
