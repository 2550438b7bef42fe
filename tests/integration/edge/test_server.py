"""Starting, TLS, and stopping."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import ipaddress
import re
import socket
import ssl
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from catenary_edge import versions
from catenary_edge.app import Edge
from catenary_edge.server import create_app, start
from catenary_edge.settings import EdgeSettings, Timeouts
from catenary_edge.upstream import LocalUpstream
from factories.checks import running_clock
from fixtures.edge.stand_in import PROJECT_ID, StandIn
from integration.edge.conftest import AUTHORIZED, PROJECT, TABLE, Start


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for 127.0.0.1 and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = folder / "cert.pem"
    pem.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    private = folder / "key.pem"
    private.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return pem, private


async def test_the_edge_serves_tls_itself_and_nothing_below_1_2(tmp_path: Path) -> None:
    pem, key = certificate(tmp_path)
    core = StandIn()
    core.on("ProjectService/GetProject", {"project": PROJECT})
    settings = EdgeSettings(tls_cert=pem, tls_key=key)
    runner = await start(Edge(LocalUpstream(core), settings, TABLE), settings, "127.0.0.1", 0)
    trusting = ssl.create_default_context(cafile=str(pem))
    url = f"https://127.0.0.1:{runner.port}/v1/projects/{PROJECT_ID}"
    try:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=trusting)) as client:
            async with client.get(url, headers=AUTHORIZED) as response:
                assert response.status == 200
                assert "max-age" in response.headers["Strict-Transport-Security"]
            async with client.get(url + "/x") as response:
                body = orjson.loads(await response.read())
                assert body["error"]["documentation_url"].startswith(f"https://127.0.0.1:{runner.port}/docs/")
        old = ssl.create_default_context(cafile=str(pem))
        old.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        with pytest.warns(DeprecationWarning, match="TLSv1_1"):
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await asyncio.open_connection("127.0.0.1", runner.port, ssl=old)
    finally:
        await runner.stop()


async def test_plain_text_without_tls_binds_to_loopback_only() -> None:
    settings = EdgeSettings()
    app = Edge(LocalUpstream(StandIn()), settings, TABLE)
    with pytest.raises(ValueError, match="--tls-cert"):
        await start(app, settings, "0.0.0.0", 0)


async def test_create_app_makes_the_table_from_the_generated_code() -> None:
    app = create_app(LocalUpstream(StandIn()), EdgeSettings())
    assert {one.template.text for one in app.table.routes} == {one.template.text for one in versions.build().routes}


async def test_two_servers_share_a_port(start_edge: Start) -> None:
    settings = EdgeSettings(dev=True)
    app = Edge(LocalUpstream(StandIn()), settings, TABLE)
    first = await start(app, settings, "127.0.0.1", 0, reuse_port=True)
    second = await start(app, settings, "127.0.0.1", first.port, reuse_port=True)
    assert first.port == second.port
    await first.stop()
    await second.stop()
    lone = await start(app, settings, "127.0.0.1", 0)
    with pytest.raises(OSError, match="in use"):
        await start(app, settings, "127.0.0.1", lone.port)
    await lone.stop()


async def stopping(seconds: float, stop: float) -> tuple[int | None, float]:
    """Return the status of a call of `seconds` during a stop, and the stop's duration."""
    core = StandIn()
    began = asyncio.Event()

    async def slow(request: Any, metadata: Any) -> dict[str, Any]:
        began.set()
        await asyncio.sleep(seconds)
        return {"project": PROJECT}

    core.on("ProjectService/GetProject", slow)
    settings = EdgeSettings(dev=True, timeouts=Timeouts(stop=stop))
    runner = await start(Edge(LocalUpstream(core), settings, TABLE), settings, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{runner.port}/v1/projects/{PROJECT_ID}"
    idle = await asyncio.open_connection("127.0.0.1", runner.port)
    async with aiohttp.ClientSession() as client:

        async def ask() -> int | None:
            try:
                async with client.get(url, headers=AUTHORIZED) as response:
                    return response.status
            except aiohttp.ClientError:
                return None

        asking = asyncio.create_task(ask())
        await asyncio.wait_for(began.wait(), 60)
        started = running_clock.seconds()
        stopped = asyncio.create_task(runner.stop())
        await asyncio.sleep(0.1)
        with pytest.raises(OSError, match=r"refused|Connect call failed"):
            await asyncio.open_connection("127.0.0.1", int(url.split(":")[2].split("/")[0]))
        await stopped
        took = running_clock.seconds() - started
        idle[1].close()
        return await asking, took


async def test_a_stop_lets_what_runs_finish_and_takes_nothing_new() -> None:
    status, took = await stopping(0.4, stop=60.0)
    assert status == 200
    assert took < 30.0


@pytest.mark.slow
async def test_a_stop_cuts_off_what_does_not_finish_in_time() -> None:
    status, took = await stopping(60.0, stop=0.3)
    assert status is None
    assert took < 30.0


async def _queued_requests(count: int) -> list[bytes]:
    """Return the responses to connections in the kernel's queue at the start of a stop."""
    core = StandIn()
    core.on("ProjectService/GetProject", {"project": PROJECT})
    settings = EdgeSettings(dev=True)
    runner = await start(Edge(LocalUpstream(core), settings, TABLE), settings, "127.0.0.1", 0)
    request = (
        f"GET /v1/projects/{PROJECT_ID} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\n\r\n".encode()
    )
    queued = [socket.create_connection(("127.0.0.1", runner.port), 60) for _ in range(count)]  # the loop stands still
    for one in queued:
        one.sendall(request)
    await runner.stop()
    found = []
    for one in queued:
        with one, contextlib.suppress(ConnectionResetError):
            found.append(one.recv(65536))
    return found


async def test_connections_in_the_queue_are_served_when_the_server_stops() -> None:
    served = await _queued_requests(20)
    assert len(served) == 20
    assert all(one.startswith(b"HTTP/1.1 200 OK") and b"Connection: close" in one for one in served), served


async def test_without_their_acceptance_a_stop_would_reset_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catenary_edge.listener.Listener._accept_waiting", lambda listener: None)
    assert await _queued_requests(20) == []


async def _last_request(parting: float, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Return the answer to a kept connection's request that is sent just after the stop began."""
    monkeypatch.setattr("catenary_edge.server.IDLE_GRACE", parting)
    core = StandIn()
    core.on("ProjectService/GetProject", {"project": PROJECT})
    settings = EdgeSettings(dev=True)
    runner = await start(Edge(LocalUpstream(core), settings, TABLE), settings, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", runner.port)
    request = (
        f"GET /v1/projects/{PROJECT_ID} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\n\r\n".encode()
    )
    writer.write(request)
    first = await reader.readuntil(b"\r\n\r\n")
    assert b"200 OK" in first
    length = re.search(rb"Content-Length: (\d+)", first)
    assert length is not None
    await reader.readexactly(int(length[1]))
    assert b"Connection: close" not in first
    stopped = asyncio.create_task(runner.stop())
    await asyncio.sleep(0.05)
    try:
        writer.write(request)
        return await reader.read()
    finally:
        writer.close()
        await stopped


async def test_a_kept_connection_gets_its_last_answer_while_the_server_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    last = await _last_request(30.0, monkeypatch)
    assert last.startswith(b"HTTP/1.1 200 OK")
    assert b"Connection: close" in last


async def test_without_the_parting_time_its_request_would_be_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await _last_request(0.0, monkeypatch) == b""
