"""The refresh token of a session as a cookie: where it is read, given and taken back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from catenary_edge.http import session_cookie
from fixtures.edge.stand_in import Answer
from integration.edge.conftest import Running, Start

REFRESH = "SessionService/RefreshSession"
END = "SessionService/EndSession"
CREATE = "SessionService/CreateSession"
TOKEN = {"access_token": "t", "token_type": "Bearer", "expires_in": 3600, "scope": "platform:read"}
GIVEN = {session_cookie.REFRESH: "cat_session_new", session_cookie.SECONDS: "2592000"}
PATH = "/v1/auth/session/refresh"


def _on(edge: Running, method: str = REFRESH, body: dict[str, Any] | None = None) -> list[Mapping[str, str]]:
    """Let a method answer with a refresh token; return the list of the metadata of its calls."""
    seen: list[Mapping[str, str]] = []

    async def answer(_: Any, metadata: Mapping[str, str]) -> Answer:
        seen.append(metadata)
        return Answer(TOKEN if body is None else body, GIVEN)

    edge.core.on(method, answer)
    return seen


async def test_a_cookie_goes_to_the_core_and_comes_back(either: Running) -> None:
    seen = _on(either)
    headers = {"Origin": either.url, "Cookie": "other=1; catenary_session=cat_session_old"}
    status, given, body = await either.send("POST", PATH, headers=headers)
    assert (status, body) == (200, TOKEN)
    assert seen[0][session_cookie.REFRESH] == "cat_session_old"
    expected = "catenary_session=cat_session_new; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict"
    assert given.getall("Set-Cookie") == [expected]
    assert given["Cache-Control"] == "no-store"
    assert session_cookie.REFRESH not in {name.lower() for name in given}


async def test_behind_tls_the_cookie_is_of_this_host_alone(start_edge: Start) -> None:
    async with start_edge(public_url="https://catenary.example", trusted_proxies=("127.0.0.0/8",)) as edge:
        seen = _on(edge)
        headers = {
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": "192.0.2.1",
            "Host": "catenary.example",
            "Origin": "https://catenary.example",
            "Cookie": "__Host-catenary_session=cat_session_old; catenary_session=planted",
        }
        status, given, _ = await edge.send("POST", PATH, headers=headers)
        assert status == 200
        assert seen[0][session_cookie.REFRESH] == "cat_session_old"
        assert given["Set-Cookie"].startswith("__Host-catenary_session=cat_session_new; Path=/;")
        assert given["Set-Cookie"].endswith("; HttpOnly; SameSite=Strict; Secure")
        assert (await edge.send("POST", PATH, headers=headers | {"Origin": "http://catenary.example"}))[0] == 403


@pytest.mark.parametrize(
    "cookie", ["", "catenary_session=", "catenary_session=" + "x" * 201, "__Host-catenary_session=x"]
)
async def test_without_its_cookie_the_core_gets_none(edge: Running, cookie: str) -> None:
    seen = _on(edge)
    await edge.send("POST", PATH, headers={"Origin": edge.url, "Cookie": cookie})
    assert session_cookie.REFRESH not in seen[0]


async def test_other_routes_pass_no_cookie_on(edge: Running) -> None:
    seen = _on(edge, CREATE)
    headers = {"Cookie": "catenary_session=cat_session_old", "Origin": "https://other.example"}
    status, given, _ = await edge.send("POST", "/v1/auth/session", headers=headers, json={"sign_in": "x"})
    assert (status, "Set-Cookie" in given) == (200, True)
    assert session_cookie.REFRESH not in seen[0]
    assert session_cookie.REFRESH not in str(edge.core.made("ProjectService/ListProjects"))


@pytest.mark.parametrize(("method", "path", "rpc"), [("POST", PATH, REFRESH), ("DELETE", "/v1/auth/session", END)])
async def test_another_origin_is_refused_before_the_core(edge: Running, method: str, path: str, rpc: str) -> None:
    _on(edge, rpc, {} if rpc == END else None)
    cookie = {"Cookie": "catenary_session=cat_session_old"}
    for headers in (cookie, cookie | {"Origin": "null"}, cookie | {"Origin": "https://evil.example"}):
        assert (await edge.send(method, path, headers=headers))[0] == 403
    assert not edge.core.made(rpc)


async def test_an_origin_that_may_read_answers_gets_no_token(start_edge: Start) -> None:
    async with start_edge(cors_origins=("https://a.example",)) as edge:
        _on(edge)
        headers = {"Origin": "https://a.example", "Cookie": "catenary_session=cat_session_old"}
        assert (await edge.send("POST", PATH, headers=headers))[0] == 403


async def test_without_the_check_another_origin_gets_a_token(edge: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    _on(edge)
    monkeypatch.setattr(session_cookie, "is_own_page", lambda *_: True)
    headers = {"Origin": "https://evil.example", "Cookie": "catenary_session=cat_session_old"}
    assert (await edge.send("POST", PATH, headers=headers))[2] == TOKEN
