"""The headers that browsers keep to, on every kind of answer, and what scripts of other origins may see."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from fixtures.edge.stand_in import PROJECT_ID, Stream
from integration.edge.conftest import AUTHORIZED, Running, Start

GEOMETRY = f"/v1/evaluations/{PROJECT_ID}/geometry/a.glb"
PAGE = f"/v1/evaluations/{PROJECT_ID}/files/page.html"
ANSWERS = {
    "a success": ("GET", f"/v1/projects/{PROJECT_ID}", 200),
    "no content": ("OPTIONS", "/v1/projects", 204),
    "a refusal of the platform": ("GET", "/v1/nothing", 404),
    "a refusal of a data service": ("GET", "/comments/v2/nothing", 404),
    "another method": ("PUT", "/v1/projects", 405),
    "a download": ("GET", GEOMETRY, 200),
    "a file of a model": ("GET", PAGE, 200),
    "a document": ("GET", "/openapi.json", 200),
}


async def _download(request: Any, metadata: Any) -> Stream:
    async def items() -> AsyncIterator[dict[str, Any]]:
        yield {"chunk": b"glTF"}

    return Stream({"content-type": "model/gltf-binary"}, items())


@pytest.mark.parametrize("kind", ANSWERS)
async def test_every_answer_has_the_safety_headers(edge: Running, kind: str) -> None:
    method, path, status = ANSWERS[kind]
    edge.core.on("EvaluationService/DownloadGeometry", _download)
    edge.core.on("EvaluationService/DownloadEvaluationFile", _download)
    found, headers, _ = await edge.send(method, path)
    assert found == status
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Server"] == "catenary"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert "Strict-Transport-Security" not in headers, "over plain HTTP it means nothing (RFC 6797, section 7.2)"
    assert "X-Powered-By" not in headers
    assert headers["X-Request-Id"]
    assert not [name for name in headers if name.lower().startswith("access-control")]


@pytest.mark.parametrize("kind", ANSWERS)
async def test_over_tls_every_answer_keeps_browsers_to_it(start_edge: Start, kind: str) -> None:
    method, path, status = ANSWERS[kind]
    async with start_edge(trusted_proxies=("127.0.0.1/32",)) as edge:
        edge.core.on("EvaluationService/DownloadGeometry", _download)
        edge.core.on("EvaluationService/DownloadEvaluationFile", _download)
        found, headers, _ = await edge.send(method, path, headers={**AUTHORIZED, "X-Forwarded-Proto": "https"})
        assert (found, headers["Strict-Transport-Security"]) == (status, "max-age=31536000")


@pytest.mark.parametrize("kind", [name for name in ANSWERS if name != "a document"])
async def test_scripts_of_a_configured_origin_see_refusals_and_our_headers_and_no_credentials_are_shared(
    start_edge: Start, kind: str
) -> None:
    method, path, _ = ANSWERS[kind]
    async with start_edge(cors_origins=("https://a.example",)) as edge:
        edge.core.on("EvaluationService/DownloadGeometry", _download)
        edge.core.on("EvaluationService/DownloadEvaluationFile", _download)
        _, headers, _ = await edge.send(method, path, headers={**AUTHORIZED, "Origin": "https://a.example"})
        assert headers["Access-Control-Allow-Origin"] == "https://a.example"
        assert "Access-Control-Allow-Credentials" not in headers, "no cookie is ever sent"
        exposed = headers["Access-Control-Expose-Headers"]
        assert all(name in exposed for name in ("X-Request-Id", "Idempotency-Replayed", "Retry-After", "ETag"))
        _, headers, _ = await edge.send(method, path, headers={**AUTHORIZED, "Origin": "https://b.example"})
        assert "Access-Control-Allow-Origin" not in headers
        assert "Origin" in headers["Vary"]


async def test_a_preflight_allows_the_key_of_a_repeated_post(start_edge: Start) -> None:
    asked = {
        "Origin": "https://a.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "idempotency-key",
    }
    async with start_edge(cors_origins=("https://a.example",)) as edge:
        status, headers, _ = await edge.send("OPTIONS", "/v1/projects", headers=asked)
        assert (status, "Idempotency-Key" in headers["Access-Control-Allow-Headers"]) == (204, True)
