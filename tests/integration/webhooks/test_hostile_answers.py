"""A receiver's answers are bounded in time and memory, and the next message goes out all the same."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import socket
import ssl
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import aiohttp
import pytest
from aiohttp.client_proto import ResponseHandler
from backports import zstd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catenary_core.services.webhooks.deliveries import sender as sending
from catenary_core.services.webhooks.deliveries.responses import KEPT_BYTES, ReceiverResponse
from catenary_core.services.webhooks.deliveries.sender import TOTAL_SECONDS, AttemptResult, Sender
from catenary_core.services.webhooks.targets.connections import READ_BYTES
from factories.installations.tls import make_tls
from factories.webhooks.receivers import Answering, fixed, receiver
from integration.webhooks.conftest import INTERNET

_BODY = b'{"id": "1"}'
_HANG = 60.0
_PUSHED = 64 * 2**20
"""More than the buffers of any kernel between two sockets."""


def raw(answer: bytes) -> Answering:
    async def write(head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()

    return write


async def _sent(answering: Answering) -> AttemptResult:
    """Return the outcome of one attempt, when its connection is gone and the next attempt works."""
    turn = iter((answering, fixed("HTTP/1.1 204 No Content")))
    ended = asyncio.Event()

    async def answer(head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await next(turn)(head, reader, writer)
        finally:
            ended.set()

    async with receiver(answer) as port, Sender(allow_private=True, total=_HANG) as sender:
        outcome = await sender.send(f"http://127.0.0.1:{port}/hook", {}, _BODY)
        async with asyncio.timeout(_HANG):
            await ended.wait()
        assert (await sender.send(f"http://127.0.0.1:{port}/hook", {}, _BODY)).delivered
    assert len(outcome.excerpt.encode()) <= KEPT_BYTES
    return outcome


class Endless:
    """A receiver that writes one piece again and again.

    The writing ends when nobody takes the piece, or at a length that no good reader reaches.
    """

    def __init__(self, start: bytes, piece: bytes) -> None:
        self.start, self.piece, self.written = start, piece, 0

    async def __call__(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(self.start)
        while self.written < _PUSHED:
            writer.write(self.piece)
            await writer.drain()
            self.written += len(self.piece)


_OK = b"HTTP/1.1 200 OK\r\n"
_CHUNKED = _OK + b"Transfer-Encoding: chunked\r\n\r\n"
_ENDLESS = {
    "body": (_OK + b"\r\n", b"x" * 65536, 200),
    "chunks": (_CHUNKED.replace(b"200 OK", b"500 Fault"), b"1000\r\n" + b"x" * 4096 + b"\r\n", 500),
    "length": (_OK + b"Content-Length: 99999999999\r\n\r\n", b"x" * 65536, 200),
    "chunk size": (_CHUNKED, b"0" * 65536, 200),
    "chunk extension": (_CHUNKED + b"1;", b"a=b;" * 16384, 200),
    "trailers": (_CHUNKED + b"0\r\n", b"X-Trailer: x\r\n" * 4096, None),
    "header line": (_OK + b"X-Long: ", b"x" * 65536, None),
    "headers": (_OK, b"X-Many: header\r\n" * 4096, None),
    "status line": (b"HTTP/1.1 200 O", b"K" * 65536, None),
    "early hints": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n" * 4096, None),
}
"""How an answer begins, what goes on for ever, and the status that counts."""


@pytest.mark.parametrize("kind", _ENDLESS)
async def test_an_endless_answer_is_cut_off(kind: str) -> None:
    start, piece, status = _ENDLESS[kind]
    endless = Endless(start, piece)
    outcome = await _sent(endless)
    assert outcome.status == status
    assert (outcome.reason is None) == outcome.delivered
    assert endless.written < _PUSHED


async def test_of_an_answer_64_kib_are_taken_and_1_kib_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = 0
    data_received = ResponseHandler.data_received

    def counted(self: ResponseHandler, data: bytes) -> None:
        nonlocal taken
        taken += len(data)
        data_received(self, data)

    monkeypatch.setattr(ResponseHandler, "data_received", counted)
    endless = Endless(b"HTTP/1.1 200 OK\r\n\r\n", b"abcdefgh" * 8192)
    async with receiver(endless) as port, Sender(allow_private=True, total=_HANG) as sender:
        outcome = await sender.send(f"http://127.0.0.1:{port}/hook", {}, _BODY)
    assert taken == READ_BYTES == 64 * 1024
    assert outcome.excerpt == "abcdefgh" * 128


@pytest.mark.parametrize("more", [-1, 0, 1])
async def test_an_answer_of_just_64_kib_is_an_answer(more: int) -> None:
    head = _OK + b"Content-Length: 65000\r\nX-Filler: "
    filler = READ_BYTES + more - len(head) - 4 - 65000
    outcome = await _sent(raw(head + b"f" * filler + b"\r\n\r\n" + b"x" * 65000))
    assert outcome.delivered
    assert outcome.excerpt == "x" * KEPT_BYTES


async def test_a_reader_without_a_limit_would_take_all_of_it() -> None:
    for kind in ("body", "chunk size"):
        endless = Endless(*_ENDLESS[kind][:2])
        async with receiver(endless) as port, aiohttp.ClientSession() as session:
            with contextlib.suppress(aiohttp.ClientError):
                await (await session.post(f"http://127.0.0.1:{port}/hook")).read()
        assert endless.written >= _PUSHED, kind


_BOMBS = {"gzip": gzip.compress(bytes(50 * 2**20)), "zstd": zstd.compress(bytes(50 * 2**20))}


@pytest.mark.parametrize("coding", _BOMBS)
async def test_a_bomb_is_not_inflated(coding: str) -> None:
    outcome = await _sent(fixed(f"HTTP/1.1 200 OK\nContent-Encoding: {coding}", _BOMBS[coding]))
    assert outcome.delivered
    assert outcome.excerpt == ""


async def test_a_reader_that_inflates_would_get_50_mib_of_48_kib() -> None:
    bomb = _BOMBS["gzip"]
    assert len(bomb) < READ_BYTES
    answer = fixed("HTTP/1.1 200 OK\nContent-Encoding: gzip", bomb)
    async with receiver(answer) as port, aiohttp.ClientSession() as naive:
        response = await naive.post(f"http://127.0.0.1:{port}/hook")
        assert len(await response.read()) == 50 * 2**20


class Deadline:
    """The sender's deadline, which the test lets come when it likes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds: list[float] = []
        self._timeouts: list[asyncio.Timeout] = []
        self.reading = asyncio.Event()
        monkeypatch.setattr(sending, "asyncio", SimpleNamespace(timeout=self._timeout))
        read = ReceiverResponse.read

        async def noticed(answer: ReceiverResponse, response: aiohttp.ClientResponse) -> None:
            self.reading.set()
            await read(answer, response)

        monkeypatch.setattr(ReceiverResponse, "read", noticed)

    def _timeout(self, seconds: float) -> asyncio.Timeout:
        self.seconds.append(seconds)
        self._timeouts.append(asyncio.timeout(None))
        return self._timeouts[-1]

    def comes(self) -> None:
        self._timeouts[-1].reschedule(asyncio.get_running_loop().time())


async def _drip(writer: asyncio.StreamWriter, text: bytes, dripped: asyncio.Event) -> None:
    for number in range(100_000):
        writer.write(text)
        await writer.drain()
        if number == 3:
            dripped.set()
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("start", "drop", "status"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\n", b"x", 200),
        (b"HTTP/1.1 503 Later\r\n\r\n", b"x", 503),
        (b"HTTP/1.1 200 OK\r\nX-Slow: ", b"x", None),
        (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n", None),
        (b"", b"", None),
    ],
    ids=["body", "body of a failure", "header", "early hints", "silence"],
)
async def test_one_byte_a_second_ends_at_the_deadline(
    start: bytes, drop: bytes, status: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    deadline, dripped, ended = Deadline(monkeypatch), asyncio.Event(), asyncio.Event()

    async def answer(head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(start)
            await _drip(writer, drop, dripped)
        finally:
            ended.set()

    async with receiver(answer) as port, Sender(allow_private=True) as sender, asyncio.timeout(_HANG):
        attempt = asyncio.create_task(sender.send(f"http://127.0.0.1:{port}/hook", {}, _BODY))
        await dripped.wait()
        if status is not None:
            await deadline.reading.wait()
        deadline.comes()
        outcome = await attempt
        if drop:
            await ended.wait()  # writing to us fails: the connection is gone
    assert deadline.seconds == [TOTAL_SECONDS] == [15.0]
    assert outcome.status == status
    assert outcome.delivered == (status == 200)
    assert status is not None or outcome.reason == "No answer came within 15 s."


async def test_a_tls_handshake_that_never_ends_is_cut_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    deadline, connected = Deadline(monkeypatch), asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connected.set()
        while await reader.read(1024):
            pass
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with Sender(allow_private=True) as sender, asyncio.timeout(_HANG):
        attempt = asyncio.create_task(sender.send(f"https://127.0.0.1:{port}/hook", {}, _BODY))
        await connected.wait()
        deadline.comes()
        assert (await attempt).reason == "No answer came within 15 s."
    server.close()
    await server.wait_closed()


_ODD = [
    b"",
    b"\r\n\r\n",
    b"garbage\r\n\r\n",
    b"SSH-2.0-OpenSSH_9.6\r\n",
    b"HTTP/9.9 200 OK\r\n\r\n",
    b"HTTP/1.1 abc OK\r\n\r\n",
    b"HTTP/1.1 99999 OK\r\n\r\n",
    b"HTTP/1.1 -1 OK\r\n\r\n",
    b"HTTP/1.1 000 OK\r\n\r\n",
    b"HTTP/1.1 200 \xff\xfe\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\nContent-Length: 11\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nabc",
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=nonsense\r\nContent-Length: 3\r\n\r\nabc",
    b"HTTP/1.1 200 OK\r\nSet-Cookie: " + b"a=b; " * 1000 + b"\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nRetry-After: " + b"9" * 5000 + b"\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nLocation: \x01\x02\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\n folded: no\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nNo colon here\r\n\r\n",
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n\x81\x05hello",
    b"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello",
]


@pytest.mark.parametrize("answer", _ODD, ids=lambda answer: repr(answer[:60]))
async def test_an_odd_answer_is_an_outcome_and_never_an_exception(answer: bytes) -> None:
    outcome = await _sent(raw(answer))
    assert (outcome.reason is None) == outcome.delivered
    assert outcome.reason != "The attempt failed.", "a receiver reached a fault of ours"


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.integers(0, 2))
def test_any_bytes_are_an_outcome(noise: bytes, kind: int) -> None:
    start = (b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")[kind]
    outcome = asyncio.run(_sent(raw(start + noise)))
    assert (outcome.reason is None) == outcome.delivered
    assert outcome.reason != "The attempt failed."


async def test_an_excerpt_is_text_that_a_database_takes() -> None:
    outcome = await _sent(fixed("HTTP/1.1 500 Fault", b"\x00\xff\xfe" + "é".encode() * 2000))
    assert outcome.reason == "The receiver answered 500."
    assert outcome.excerpt.startswith("\ufffd\ufffd\ufffdé")
    assert "\0" not in outcome.excerpt
    assert KEPT_BYTES - 2 <= len(outcome.excerpt.encode()) <= KEPT_BYTES


async def test_a_connection_that_is_refused_says_so(unused_port: int) -> None:
    async with Sender(allow_private=True) as sender:
        outcome = await sender.send(f"http://127.0.0.1:{unused_port}/hook", {}, _BODY)
    assert outcome == AttemptResult(None, "The connection was refused.", "", None, outcome.duration_ms)


@pytest.fixture
def unused_port() -> Iterator[int]:
    """Yield a port that is bound and never listened on."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


@pytest.mark.parametrize(
    ("names", "until", "trusted", "said"),
    [
        ((INTERNET,), timedelta(hours=-1), True, "certificate has expired"),
        (("other.example.com",), timedelta(hours=1), True, "IP address mismatch"),
        ((INTERNET,), timedelta(hours=1), False, "unable to get local issuer certificate"),
    ],
    ids=["expired", "another name", "an unknown authority"],
)
async def test_a_bad_certificate_is_a_failed_try_that_says_why(
    names: tuple[str, ...],
    until: timedelta,
    trusted: bool,
    said: str,
    internet: ssl.SSLContext,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "bad").mkdir()
    files = make_tls(tmp_path / "bad", names, until)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(files.ca))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(files.cert, files.key)
    heads: list[bytes] = []

    async def answer(head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(head)
        await fixed("HTTP/1.1 204 No Content")(head, reader, writer)

    async with receiver(answer, context, INTERNET) as port:
        async with Sender(allow_private=False) as sender:
            outcome = await sender.send(f"https://{INTERNET}:{port}/hook", {}, _BODY)
        assert heads == []
        assert outcome.status is None
        assert said in (outcome.reason or "")
        assert str(tmp_path) not in (outcome.reason or "")
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=False)) as careless:
            await careless.post(f"https://{INTERNET}:{port}/hook")
        assert len(heads) == 1


async def test_plain_http_behind_an_https_url_is_a_failed_try() -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(64)
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(plain, "127.0.0.1", 0)
    async with Sender(allow_private=True, total=_HANG) as sender:
        port = server.sockets[0].getsockname()[1]
        outcome = await sender.send(f"https://127.0.0.1:{port}/hook", {}, _BODY)
    assert outcome.reason == "The TLS handshake failed."
    server.close()
    await server.wait_closed()
