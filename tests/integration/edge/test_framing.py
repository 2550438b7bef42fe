"""Requests forbidden by HTTP itself: each is answered 400 in our own body, and the next request works."""

from __future__ import annotations

import asyncio

import orjson
import pytest
import structlog
from aiohttp import web
from aiohttp.web import BaseRequest, Server

from catenary_edge.http import framing
from catenary_edge.http.hosts import Hosts
from integration.edge.conftest import Running, Start

GET = b"GET /v1/projects/x HTTP/1.1\r\nHost: localhost\r\n"
POST = (
    b"POST /v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n"
)
DAMAGED: list[tuple[str, bytes]] = [
    ("two Content-Lengths", POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
    ("two equal Content-Lengths", POST + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"),
    ("a list of Content-Lengths", POST + b"Content-Length: 2, 2\r\n\r\n{}"),
    ("a signed Content-Length", POST + b"Content-Length: +2\r\n\r\n{}"),
    ("length with chunked", POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ("chunked twice", POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ("chunked and not last", POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
    ("obs-fold", GET + b"X-A: b\r\n c\r\n\r\n"),
    ("NUL in a header", GET + b"X-A: b\x00c\r\n\r\n"),
    ("NUL in the target", b"GET /v1/\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    ("a bare CR", GET + b"X-A: b\rc\r\n\r\n"),
    ("a blank before the colon", GET + b"X-A : b\r\n\r\n"),
    ("a header without a name", GET + b": b\r\n\r\n"),
    ("a bad chunk", POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"),
    ("a chunk longer than it says", POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n"),
    ("no Host", b"GET /v1/projects HTTP/1.1\r\n\r\n"),
    ("two Hosts", b"GET /v1/projects HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n\r\n"),
    ("an unknown version", b"GET /v1/projects HTTP/9.9\r\nHost: localhost\r\n\r\n"),
    ("no version", b"GET /v1/projects\r\nHost: localhost\r\n\r\n"),
    ("no version, absolute", b"GET http://a/v1/projects\r\nHost: localhost\r\n\r\n"),
    ("an unknown method", b"BREW /v1/projects HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    ("TLS on the plain port", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
    ("a huge target", b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    ("a huge header", GET + b"X-A: " + b"a" * 17_000 + b"\r\n\r\n"),
    ("many headers", GET + b"".join(b"X-%d: a\r\n" % number for number in range(80)) + b"\r\n"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data"), DAMAGED, ids=[one[0] for one in DAMAGED])
async def test_damaged_framing_is_400_in_our_own_body(edge: Running, name: str, data: bytes) -> None:
    with structlog.testing.capture_logs() as logs:
        answer = await edge.raw(data)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.split()[1] == b"400"
    assert b"Content-Type: application/json" in head
    assert b"connection: close" in head.lower()
    assert b"Server: catenary" in head
    error = orjson.loads(body)
    assert (error["success"], error["error"]["code"]) == (False, "VALIDATION_ERROR")
    assert error["metadata"]["requestId"].encode() in head
    assert b"aiohttp" not in answer.lower()
    assert [one["status"] for one in logs if one["event"] == "request"] == [400]
    assert await edge.is_well()


GZIP, CHUNKED = b"Transfer-Encoding: gzip, chunked\r\n", b"Transfer-Encoding: chunked\r\n"
CHUNKS = b"\r\n2\r\n{}\r\n0\r\n\r\n"
MISUNDERSTOOD: list[tuple[str, bytes, int, str | None]] = [
    ("gzip before chunked", POST + GZIP + CHUNKS, 501, None),
    ("deflate before chunked", POST + GZIP.replace(b"gzip", b"deflate") + CHUNKS, 501, None),
    ("a coding with a parameter", POST + b"Transfer-Encoding: x;a=b, chunked\r\n" + CHUNKS, 501, None),
    ("chunked in HTTP/1.0", POST.replace(b"/1.1", b"/1.0") + CHUNKED + CHUNKS, 400, "Transfer-Encoding"),
    (
        "a coding of no text in HTTP/1.0",
        POST.replace(b"/1.1", b"/1.0") + GZIP.replace(b"gzip", b"\xff") + CHUNKS,
        400,
        "Transfer-Encoding",
    ),
    ("gzip in HTTP/1.0", POST.replace(b"/1.1", b"/1.0") + GZIP + CHUNKS, 400, "Transfer-Encoding"),
    *(
        (
            f"the Host {host!r}",
            GET.replace(b"Host: localhost", b"Host: " + host) + b"Connection: close\r\n\r\n",
            400,
            "Host",
        )
        for host in (
            b"evil/../x",
            b"",
            b"a b",
            b"a:999999",
            b"a:b",
            b"a@b",
            b"a,b",
            b"[::1",
            b"::1",
            "\u00e4".encode(),
            b"\xff",
        )
    ),
]


@pytest.mark.parametrize(
    ("data", "status", "parameter"),
    [one[1:] for one in MISUNDERSTOOD],
    ids=[one[0] for one in MISUNDERSTOOD],
)
async def test_a_coding_or_host_that_is_not_understood_is_refused_by_name(
    edge: Running, data: bytes, status: int, parameter: str | None
) -> None:
    async with asyncio.timeout(30):  # half of the time for which the server keeps an idle connection
        head, _, body = (await edge.raw(data)).partition(b"\r\n\r\n")
    assert int(head.split()[1]) == status
    error = orjson.loads(body)["error"]
    assert (error["details"].get("parameter"), error["code"]) == (
        parameter,
        "VALIDATION_ERROR" if status == 400 else "NOT_IMPLEMENTED",
    )
    assert b"connection: close" in head.lower(), "nobody knows where the body ends"
    assert await edge.is_well()


async def test_a_refused_host_is_shown_shortened(edge: Running) -> None:
    answer = await edge.raw(GET.replace(b"Host: localhost", b"Host: " + b"a@" * 5000) + b"Connection: close\r\n\r\n")
    value = orjson.loads(answer.partition(b"\r\n\r\n")[2])["error"]["details"]["value"]
    assert value == "a@" * 50 + "…"


async def test_http_1_0_needs_no_host(edge: Running) -> None:
    assert (await edge.raw(b"GET /v1/projects/x HTTP/1.0\r\n\r\n")).split()[1] == b"401"


async def test_chunked_in_any_case_is_read(edge: Running) -> None:
    # Damaged JSON: so the refusal shows the body's reader, and no core is asked.
    sent = POST + b"Transfer-Encoding:  CHUNKED\r\nConnection: close\r\n\r\n2\r\n{x\r\n0\r\n\r\n"
    head, _, body = (await edge.raw(sent)).partition(b"\r\n\r\n")
    assert (head.split()[1], orjson.loads(body)["error"]["details"]["parameter"]) == (b"400", "body")


async def test_without_their_check_codings_and_hosts_are_taken(edge: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(framing, "check", lambda _: None)
    monkeypatch.setattr(Hosts, "check", lambda *_: None)
    for host in (b"evil/../x", b""):
        sent = GET.replace(b"Host: localhost", b"Host: " + host) + b"Connection: close\r\n\r\n"
        assert (await edge.raw(sent)).split()[1] == b"401"
    for version in (b"/1.0", b"/1.1"):
        sent = POST.replace(b"/1.1", version) + GZIP + b"Connection: close\r\n\r\n2\r\n{x\r\n0\r\n\r\n"
        assert orjson.loads((await edge.raw(sent)).partition(b"\r\n\r\n")[2])["error"]["details"]["parameter"] == "body"


def at(path: bytes, data: bytes) -> bytes:
    """Return the damaged request with another path."""
    for known in (b"/v1/projects/x", b"/v1/projects", b"/v1/\x00"):
        if known in data:
            return data.replace(known, path + (b"\x00" if b"\x00" in known else b""), 1)
    return data.replace(b"GET /", b"GET " + path + b"/", 1)


SURFACES = [
    (b"/qa/v2/records", {"details", "msg"}),
    (b"/parameter/v0/parameters", {"details", "msg", "source"}),
    (b"/environment/v1/projects", {"details", "msg"}),
    (b"/nowhere", {"success", "error", "metadata"}),
]


@pytest.mark.parametrize(("path", "keys"), SURFACES, ids=[path.decode() for path, _ in SURFACES])
async def test_damaged_framing_is_refused_in_the_body_of_the_surface_that_its_path_names(
    edge: Running, path: bytes, keys: set[str]
) -> None:
    for name, data in DAMAGED:
        sent = at(path, data)
        known = path in sent
        assert known or name == "TLS on the plain port"
        head, _, body = (await edge.raw(sent)).partition(b"\r\n\r\n")
        assert head.split()[1] == b"400", name
        assert set(orjson.loads(body)) == (keys if known else {"success", "error", "metadata"}), name
    assert await edge.is_well()


async def test_the_path_is_known_however_the_bytes_come(edge: Running) -> None:
    ending = b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"
    pieces = [b"PO", b"ST /qa/v2/rec", b"ords HTTP/1.1\r\n", b"Host: localhost\r\n", ending]
    whole = b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for before in ([], [whole]):
        answer = await edge.raw(*before, *pieces, pause=0.1)
        assert answer.count(b" 404 ") == len(before)
        assert set(orjson.loads(answer.rpartition(b"\r\n\r\n")[2])) == {"details", "msg"}


async def test_what_a_request_before_it_was_does_not_decide_about_a_damaged_one(edge: Running) -> None:
    first = b"GET /qa/v2/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answer = await edge.raw(first, b"\x16\x03\x01\r\n\r\n", pause=0.2)
    assert b"Unknown route" in answer
    assert set(orjson.loads(answer.rpartition(b"\r\n\r\n")[2])) == {"success", "error", "metadata"}


@pytest.mark.parametrize(
    ("name", "data"), [one for one in DAMAGED if one[0] in ("obs-fold", "no Host", "NUL in a header")]
)
async def test_without_our_connection_the_server_answers_plain_text(name: str, data: bytes) -> None:
    async def handler(request: BaseRequest) -> web.Response:
        return web.Response()

    listener = await asyncio.get_running_loop().create_server(Server(handler), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*listener.sockets[0].getsockname())
    writer.write(data)
    answer = await asyncio.wait_for(reader.read(), 60)
    writer.close()
    listener.close()
    assert b"text/plain" in answer
    assert b"application/json" not in answer


async def test_a_chunk_that_breaks_after_the_handler_began_is_400_at_once(edge: Running) -> None:
    head = POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    answer = await edge.raw(head, b"2\r\n{}\r\n", b"zz\r\n", pause=0.05)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert orjson.loads(answer.partition(b"\r\n\r\n")[2])["error"]["details"]["constraint"] == "framing"
    assert await edge.is_well()


@pytest.mark.slow
async def test_without_waking_its_reader_a_broken_body_would_hold_the_request(
    start_edge: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    from catenary_edge.guards import GuardedConnection

    monkeypatch.setattr(GuardedConnection, "_break_body", lambda self: None)
    async with start_edge() as edge:
        head = POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        answer = await edge.raw(head, b"2\r\n{}\r\n", b"zz\r\n", pause=0.05, wait=1)
        assert answer == b""


async def test_a_request_that_smuggles_another_gets_one_answer(edge: Running) -> None:
    inner = b"GET /v1/projects HTTP/1.1\r\nHost: localhost\r\n\r\n"
    smuggled = POST + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner
    answer = await edge.raw(smuggled)
    assert answer.count(b"X-Request-Id: ") == 1
    assert answer.startswith((b"HTTP/1.0 400 ", b"HTTP/1.1 400 "))


async def test_requests_that_follow_each_other_on_one_connection_are_all_answered(edge: Running) -> None:
    one = b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answer = await edge.raw(one * 5 + b"GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert answer.count(b"HTTP/1.1 404 ") == 6


async def test_an_older_client_and_an_absolute_target_are_served(edge: Running) -> None:
    assert (await edge.raw(b"GET /nothing HTTP/1.0\r\n\r\n")).startswith(b"HTTP/1.0 404 ")
    absolute = b"GET http://a/.well-known/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert (await edge.raw(absolute)).startswith(b"HTTP/1.1 404 ")
    assert (await edge.raw(b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")).startswith(
        b"HTTP/1.1 404 "
    )
    assert (await edge.raw(b"CONNECT a:443 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")).startswith(
        b"HTTP/1.1 4"
    )
