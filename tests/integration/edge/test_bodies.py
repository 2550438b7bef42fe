"""Bodies of requests through a real socket: sizes, JSON, media types, encodings, and none where none is due."""

from __future__ import annotations

import gzip
import zlib

import pytest
from backports import zstd

from fixtures.edge.stand_in import PROJECT_ID
from integration.edge.conftest import AUTHORIZED, EVALUATE, EVALUATION, JSON, Running, Start

BODIES: list[tuple[str, bytes, dict[str, str], int, str | None]] = [
    ("depth 100", b'{"parameters":{"a":' + b"[" * 100 + b"]" * 100 + b"}}", JSON, 400, "parameters.a" + "[0]" * 30),
    ("depth 100,000", b'{"parameters":' + b"[" * 100_000, JSON, 400, "body"),
    ("1 MiB + 1", b'{"parameters":{}}' + b" " * ((1 << 20) - 16), JSON, 413, "body"),
    ("1 MiB", b'{"parameters":{}}' + b" " * ((1 << 20) - 17), JSON, 200, None),
    ("an array of 10^6", b'{"parameters":{"a":[' + b"1," * 499_000 + b"1]}}", JSON, 200, None),
    ("2^53+1", b'{"parameters":{"a":9007199254740993}}', JSON, 200, None),
    ("2^63", b'{"parameters":{"a":9223372036854775808}}', JSON, 200, None),
    ("2^64", b'{"parameters":{"a":18446744073709551616}}', JSON, 200, None),
    ("1e20 as JavaScript writes it", b'{"parameters":{"a":100000000000000000000}}', JSON, 200, None),
    ("5,000 digits", b'{"parameters":{"a":' + b"9" * 5000 + b"}}", JSON, 400, "parameters.a"),
    ("1e400", b'{"parameters":{"a":1e400}}', JSON, 400, "parameters.a"),
    ("NaN", b'{"parameters":{"a":NaN}}', JSON, 400, "parameters.a"),
    ("-0", b'{"parameters":{"a":-0}}', JSON, 200, None),
    ("duplicate keys", b'{"parameters":{"a":1,"a":2}}', JSON, 400, "parameters.a"),
    ("duplicate top keys", b'{"force":true,"force":false}', JSON, 400, "force"),
    ("lone surrogate", b'{"parameters":{"a":"\\ud800"}}', JSON, 400, "parameters.a"),
    ("overlong UTF-8", b'{"parameters":{"a":"\xc0\xaf"}}', JSON, 400, "body"),
    ("invalid UTF-8", b'{"parameters":{"a":"\xff"}}', JSON, 400, "body"),
    ("BOM", b"\xef\xbb\xbf{}", JSON, 400, "body"),
    ("UTF-16", '{"parameters":{}}'.encode("utf-16"), JSON, 400, "body"),
    ("NUL escape", b'{"parameters":{"a":"\\u0000"}}', JSON, 400, "parameters.a"),
    ("NUL byte", b'{"parameters":{"a":"\x00"}}', JSON, 400, "body"),
    ("empty", b"", JSON, 200, None),
    ("null", b"null", JSON, 400, "body"),
    ("a scalar", b"1", JSON, 400, "body"),
    ("trailing bytes", b"{} {}", JSON, 400, "body"),
    ("unknown key", b'{"parameter":{}}', JSON, 400, "parameter"),
    ("wrong Content-Type", b"{}", {**AUTHORIZED, "Content-Type": "text/json"}, 415, "Content-Type"),
    ("a form", b"a=b", {**AUTHORIZED, "Content-Type": "application/x-www-form-urlencoded"}, 415, "Content-Type"),
    ("a charset", b"{}", {**AUTHORIZED, "Content-Type": "application/json; charset=UTF-8"}, 200, None),
    ("another charset", b"{}", {**AUTHORIZED, "Content-Type": "application/json; charset=utf-16"}, 415, "Content-Type"),
    ("gzip", gzip.compress(b"{}"), {**JSON, "Content-Encoding": "gzip"}, 200, None),
    ("deflate", zlib.compress(b"{}"), {**JSON, "Content-Encoding": "deflate"}, 200, None),
    ("zstd", zstd.compress(b"{}"), {**JSON, "Content-Encoding": "zstd"}, 200, None),
    ("gzip of 50 MB", gzip.compress(b" " * 50_000_000), {**JSON, "Content-Encoding": "gzip"}, 413, "body"),
    ("zstd of 50 MB", zstd.compress(b" " * 50_000_000), {**JSON, "Content-Encoding": "zstd"}, 413, "body"),
    ("cut gzip", gzip.compress(b"{}")[:-3], {**JSON, "Content-Encoding": "gzip"}, 400, "body"),
    ("no gzip", b"{}", {**JSON, "Content-Encoding": "gzip"}, 400, "body"),
    ("br", b"{}", {**JSON, "Content-Encoding": "br"}, 415, "Content-Encoding"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "body", "headers", "status", "parameter"), BODIES, ids=[one[0] for one in BODIES])
async def test_bad_bodies_are_refused_by_name_and_the_next_request_works(
    edge: Running, name: str, body: bytes, headers: dict[str, str], status: int, parameter: str | None
) -> None:
    edge.core.on("EvaluationService/Evaluate", {"evaluation": EVALUATION})
    found, _, answer = await edge.send("POST", EVALUATE, data=body, headers=headers)
    assert found == status
    if parameter is not None:
        assert answer["error"]["details"]["parameter"] == parameter
        assert not edge.core.made("EvaluationService/Evaluate")
    assert await edge.is_well()


@pytest.mark.slow
async def test_without_the_limit_after_inflating_the_bomb_would_be_read_whole(start_edge: Start) -> None:
    bomb = gzip.compress(b"{" + b" " * 50_000_000 + b"}")
    assert len(bomb) < 50_000
    async with start_edge(body_limit=1 << 26) as edge:
        edge.core.on("EvaluationService/Evaluate", {"evaluation": EVALUATION})
        status, _, _ = await edge.send("POST", EVALUATE, data=bomb, headers={**JSON, "Content-Encoding": "gzip"})
        assert status == 200


async def test_a_body_without_a_media_type_is_415(edge: Running) -> None:
    answer = await edge.raw(
        b"POST %b HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
        % EVALUATE.encode()
    )
    assert answer.startswith(b"HTTP/1.1 415 ")
    assert b"UNSUPPORTED_MEDIA_TYPE" in answer


async def test_a_body_may_be_absent_where_every_field_is_optional_and_only_there(either: Running) -> None:
    either.core.on("EvaluationService/Evaluate", {"evaluation": EVALUATION})
    for headers in (JSON, AUTHORIZED):
        status, _, _ = await either.send("POST", EVALUATE, headers=headers)
        assert status == 200
    assert [request for request, _ in either.core.made("EvaluationService/Evaluate")] == [
        either.core.made("EvaluationService/Evaluate")[0][0]
    ] * 2
    for path in ("/v1/projects", "/comments/v2/comments"):
        status, _, body = await either.send("POST", path, headers=JSON)
        told = body["error"]["message"] if "error" in body else body["details"]
        assert (status, told) == (400, "body is missing; send JSON with the media type application/json.")


async def test_a_method_without_a_body_takes_none(edge: Running) -> None:
    status, _, body = await edge.send("DELETE", f"/v1/projects/{PROJECT_ID}", data=b'{"a":1}', headers=JSON)
    assert (status, body["error"]["details"]["parameter"]) == (400, "body")
    status, _, _ = await edge.send("GET", f"/v1/projects/{PROJECT_ID}", headers=JSON)
    assert status == 200


async def test_expect_continue_is_answered_only_to_who_may_send(edge: Running) -> None:
    edge.core.on("EvaluationService/Evaluate", {"evaluation": EVALUATION})
    head = (
        b"POST %b HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %b\r\nContent-Type: application/json\r\n"
        b"Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
    )
    refused = await edge.raw(head % (EVALUATE.encode(), b"bad"))
    assert refused.startswith(b"HTTP/1.1 401 ")
    taken = await edge.raw(head % (EVALUATE.encode(), b"good"), b"{}", pause=0.1)
    assert taken.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 ")
