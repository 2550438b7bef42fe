"""The hosts at which a server answers: no page of another site reaches it under a name of its own (DNS rebinding)."""

from __future__ import annotations

import aiohttp
import orjson
import pytest

from catenary_cli.server import admin
from catenary_edge.http.hosts import Hosts
from integration.edge.conftest import Running, Start

TAKEN = ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:65535", "127.1.2.3", "[::1]", "[::1]:8080"]
STRANGE = ["evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "192.0.2.1", "[2001:db8::1]",
           "0.0.0.0", "localhost."]  # fmt: skip
PUBLIC = "https://catenary.example"
GET = "GET /v1/projects HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


async def _upgraded(edge: Running, host: str) -> int:
    """Return the status of a request for a WebSocket, without credentials."""
    return (await edge.send("GET", "/ws", headers={**UPGRADE, "Host": host}))[0]


async def _status(edge: Running, host: str, request: str = GET) -> int:
    return int((await edge.raw(request.format(host=host).encode())).split()[1])


@pytest.mark.parametrize("host", TAKEN)
async def test_on_loopback_a_loopback_host_is_taken(edge: Running, host: str) -> None:
    assert await _status(edge, host) == 401


@pytest.mark.parametrize("host", STRANGE)
async def test_on_loopback_another_host_is_400_and_the_refusal_names_the_way_out(edge: Running, host: str) -> None:
    answer = await edge.raw(GET.format(host=host).encode())
    error = orjson.loads(answer.partition(b"\r\n\r\n")[2])["error"]
    assert (answer.split()[1], error["code"]) == (b"400", "VALIDATION_ERROR")
    assert {"parameter": "Host", "value": host, "constraint": "host"}.items() <= error["details"].items()
    assert "--public-url" in error["message"]
    assert b"http://" + host.encode() not in answer, "no link to a stranger"
    assert await edge.is_well()


@pytest.mark.parametrize(
    "path", ["/docs", "/openapi.json", "/.well-known/oauth-authorization-server", "/qa/v2/records", "/x"]
)
async def test_pages_documents_and_unknown_routes_refuse_a_strange_host_too(edge: Running, path: str) -> None:
    assert await _status(edge, "evil.example", GET.replace("/v1/projects", path)) == 400


async def test_a_websocket_is_opened_at_a_loopback_host_only(edge: Running) -> None:
    assert await _upgraded(edge, "evil.example") == 400
    assert await _upgraded(edge, "localhost") == 401, "the next refusal: no credentials"


async def test_with_a_public_url_its_host_is_taken_on_any_port_and_loopback_with_it(start_edge: Start) -> None:
    async with start_edge(public_url=PUBLIC) as edge:
        for host in ("catenary.example", "Catenary.Example:8443", *TAKEN):
            assert await _status(edge, host) == 401
        for host in ("evil.example", "sub.catenary.example", "catenary.example.evil.example", "example"):
            assert await _status(edge, host) == 400
            assert await _upgraded(edge, host) == 400


async def test_without_the_check_a_strange_host_is_taken(edge: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hosts, "check", lambda *_: None)
    assert (await _status(edge, "evil.example"), await _upgraded(edge, "evil.example")) == (401, 401)


async def _metrics(host: str, listening: str) -> int:
    """Return the status of the metrics of an admin port under a Host."""

    async def checks() -> dict[str, str]:
        return {}

    async with (
        admin.serving(admin.AdminAddress(listening, 0), checks, dict, lambda: b"") as port,
        aiohttp.ClientSession() as client,
        client.get(f"http://127.0.0.1:{port}/metrics", headers={"Host": host}) as answer,
    ):
        return answer.status


async def test_the_admin_port_takes_loopback_hosts_on_loopback_and_any_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for host in ("localhost:9090", "127.0.0.1", "[::1]"):
        assert await _metrics(host, "127.0.0.1") == 200
    for host in ("evil.example", "localhost.evil.example"):
        assert await _metrics(host, "127.0.0.1") == 400
        assert await _metrics(host, "0.0.0.0") == 200
    monkeypatch.setattr(admin, "is_loopback_host", lambda _: True)
    assert await _metrics("evil.example", "127.0.0.1") == 200, "without the check"
