"""Routes that only pages of this server on this machine may call, such as the demo's sign-in."""

from __future__ import annotations

from pathlib import Path

import pytest

from catenary_cli.server.serve import takes_guests
from catenary_edge.http import local
from catenary_edge.settings import EdgeSettings
from integration.edge.conftest import Running, Start

PATH = "/v1/auth/demo"
METHOD = "AuthService/IssueDemoToken"
TOKEN = {"access_token": "t", "token_type": "Bearer", "expires_in": 3600, "scope": "platform:read"}


async def _status(edge: Running, **headers: str) -> int:
    edge.core.on(METHOD, TOKEN)
    return (await edge.send("POST", PATH, headers=headers, json={}))[0]


async def test_a_page_of_this_server_gets_the_token_itself(either: Running) -> None:
    either.core.on(METHOD, TOKEN)
    origin = {"Origin": either.url}
    status, headers, body = await either.send("POST", PATH, headers=origin, json={})
    assert (status, body, headers["Cache-Control"]) == (200, TOKEN, "no-store")
    assert (await either.send("POST", PATH, headers={}))[0] == 200, "a program without a page or a body"
    assert (await either.send("POST", PATH, headers={}, json={"user": "root"}))[0] == 400


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://localhost:1", "https://127.0.0.1", "http://127.0.0.1.evil.example"],
)
async def test_a_page_of_another_origin_is_refused(edge: Running, origin: str) -> None:
    assert await _status(edge, Origin=origin) == 403
    assert not edge.core.made(METHOD)


async def test_without_the_check_a_page_of_another_origin_gets_the_token(
    edge: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "check", lambda *_: None)
    assert await _status(edge, Origin="https://evil.example") == 200


async def test_an_origin_that_may_read_answers_may_not_sign_in(start_edge: Start) -> None:
    async with start_edge(cors_origins=("https://a.example",)) as edge:
        assert await _status(edge, Origin="https://a.example") == 403


async def test_a_host_that_is_not_loopback_has_no_such_route(start_edge: Start) -> None:
    async with start_edge(public_url="https://catenary.example") as edge:
        assert await _status(edge, Host="catenary.example") == 404
        assert await _status(edge, Host="evil.example") == 400
        assert await _status(edge, Host="localhost:1", Origin="http://localhost:1") == 200


async def test_behind_a_trusted_proxy_there_is_no_such_route(start_edge: Start) -> None:
    async with start_edge(trusted_proxies=("127.0.0.0/8",)) as edge:
        assert await _status(edge, **{"X-Forwarded-Proto": "https"}) == 404
        assert await _status(edge) == 404
        assert not edge.core.made(METHOD)


@pytest.mark.parametrize(
    ("host", "settings", "taken"),
    [
        ("127.0.0.1", EdgeSettings(dev=True), True),
        ("::1", EdgeSettings(dev=True), True),
        ("0.0.0.0", EdgeSettings(dev=True), False),
        ("127.0.0.1", EdgeSettings(dev=True, trusted_proxies=("10.0.0.0/8",)), False),
        ("127.0.0.1", EdgeSettings(dev=True, tls_cert=Path("c"), tls_key=Path("k")), False),
    ],
)
def test_serve_takes_guests_on_loopback_without_tls_and_proxies(
    host: str, settings: EdgeSettings, *, taken: bool
) -> None:
    assert takes_guests(settings, host) is taken
