"""The ways to sign in to the Studio over HTTP: its configuration, and the demo guest on a whole node."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from catenary_cli.installation import clients
from catenary_core.services.identity.people import demo_guest
from catenary_core.services.identity.tokens import sign_in_endpoints
from catenary_core.services.identity.tokens.sign_in_endpoints import Endpoints, SignInEndpoints
from catenary_core.settings import OidcIssuer
from catenary_edge.studio import files
from factories.audit import trail_of
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import SECRET, Serving, serving
from factories.services.identity import Clock
from factories.services.sign_in_provider import sign_in_provider

ISSUER = {"issuer": "https://login.example", "audience": "catenary", "jwks_uri": "https://login.example/keys"}


@asynccontextmanager
async def _node(dsn: str, folder: Path, **given: Any) -> AsyncIterator[tuple[Serving, httpx.AsyncClient]]:
    async with (
        serving(dsn, folder, **given) as node,
        httpx.AsyncClient(base_url=f"{node.url}/v1/", timeout=ANSWER_SECONDS) as http,
    ):
        yield node, http


async def _project(http: httpx.AsyncClient, name: str, token: str) -> str:
    answer = await http.post("projects", json={"name": name}, headers={"Authorization": f"Bearer {token}"})
    return str(answer.json()["data"]["project"]["project_id"])


@pytest.mark.parametrize(
    "remote", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["one process", "edge apart"]
)
async def test_the_guest_owns_the_demos_project_and_sees_no_other(
    started_dsn: str, tmp_path: Path, *, remote: bool
) -> None:
    async with _node(started_dsn, tmp_path, demo=True, remote=remote) as (node, http):
        assert (await http.get("studio/config")).json()["data"]["config"]["demo"] is True
        made = await clients.create(started_dsn, SECRET, "Demo", admin=True)
        assert await clients.ensure_guest(started_dsn, SECRET) == await clients.ensure_guest(started_dsn, SECRET)
        given = {"grant_type": "client_credentials", **made}
        admin = (await http.post("auth/token", json=given)).json()["access_token"]
        shown, hidden = await _project(http, "Demo", admin), await _project(http, "Secret", admin)
        member = {"user_id": demo_guest.USER_ID, "role": "owner"}
        headers = {"Authorization": f"Bearer {admin}"}
        added = await http.post(f"projects/{shown}/members", json=member, headers=headers)
        assert added.status_code == 201, added.text

        token = (await http.post("auth/demo", json={})).json()["access_token"]
        http.headers["Authorization"] = f"Bearer {token}"
        found = (await http.get("projects")).json()["data"]["projects"]
        assert [(one["name"], one["role"]) for one in found] == [("Demo", "owner")]
        for path in (f"projects/{hidden}", f"projects/{hidden}/parameters", f"projects/{hidden}/variants"):
            assert (await http.get(path)).status_code == 404, path
        for path in ("users", "clients", "audit", "worker_tokens"):
            assert (await http.get(path)).status_code == 403, path
        for path in ("/environment/v2/projects", "/parameter/v1/units", "/comments/v2/comments"):
            assert (await http.get(f"{node.url}{path}")).status_code == 403, path
        logins = [one for one in await trail_of(node.core.frame.db) if one["action"] == "login"]
        assert (logins[-1]["actor_id"], logins[-1]["credential_id"]) == (demo_guest.USER_ID, demo_guest.CLIENT_ID)


async def test_without_the_demo_there_is_no_guest_and_the_page_knows(started_dsn: str, tmp_path: Path) -> None:
    issuers = [OidcIssuer(**ISSUER, studio_client_id="studio"), OidcIssuer(**{**ISSUER, "issuer": "https://b.example"})]
    async with _node(started_dsn, tmp_path, oidc_issuers=issuers) as (_, http):
        await clients.ensure_guest(started_dsn, SECRET)
        assert (await http.post("auth/demo", json={})).status_code == 404
        answer = await http.get("studio/config")
        config = answer.json()["data"]["config"]
        assert (answer.headers["Cache-Control"], config["demo"]) == ("no-cache", False)
        assert [(one["issuer"], one["studio_client_id"]) for one in config["issuers"]] == [(ISSUER["issuer"], "studio")]
        assert config["version"].count(".") >= 1


@pytest.mark.parametrize(
    "remote", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["one process", "edge apart"]
)
async def test_the_page_learns_where_people_sign_in_and_may_speak_there(
    started_dsn: str, tmp_path: Path, *, remote: bool
) -> None:
    with sign_in_provider() as provider:
        async with _node(started_dsn, tmp_path, remote=remote, oidc_issuers=[OidcIssuer(**provider.setting)]) as (
            node,
            http,
        ):
            (shown,) = (await http.get("studio/config")).json()["data"]["config"]["issuers"]
            assert shown == {
                "issuer": provider.issuer,
                "studio_client_id": "studio",
                "name": "Example AG",
                "scope": "openid profile email",
                "authorization_endpoint": f"{provider.issuer}/authorization",
                "token_endpoint": f"{provider.issuer}/token",
                "end_session_endpoint": f"{provider.issuer}/end_session",
            }
            page = await http.get(f"{node.url}/studio")
            if files.names():
                assert f"connect-src 'self' {provider.issuer};" in page.headers["Content-Security-Policy"]
            token = provider.grant()
            me = await http.get("users/me", headers={"Authorization": f"Bearer {token}"})
            assert me.json()["data"]["user"]["staff_name"] == "Robin Example"


@pytest.mark.parametrize(
    "discovery",
    [
        {"issuer": "https://other.example"},
        {"token_endpoint": None},
        {"token_endpoint": "http://login.example/token"},
        {"authorization_endpoint": "javascript:alert(1)"},
    ],
    ids=lambda one: "-".join(one),
)
async def test_a_provider_that_can_t_be_trusted_has_no_endpoints(discovery: dict[str, Any]) -> None:
    with sign_in_provider() as provider:
        provider.discovery = discovery
        assert await SignInEndpoints(OidcIssuer(**provider.setting)).find() == Endpoints()


@pytest.mark.parametrize(
    "address", [None, "http://login.example/logout", "javascript:alert(1)", "https://", 7], ids=lambda one: str(one)
)
async def test_a_provider_without_a_sign_out_still_signs_people_in(address: object) -> None:
    with sign_in_provider() as provider:
        provider.discovery = {"end_session_endpoint": address}
        found = await SignInEndpoints(OidcIssuer(**provider.setting)).find()
        assert found == Endpoints(f"{provider.issuer}/authorization", f"{provider.issuer}/token", None)


async def test_a_provider_that_is_away_keeps_its_endpoints_and_is_asked_rarely() -> None:
    clock = Clock()
    with sign_in_provider() as provider:
        provider.is_away = True
        endpoints = SignInEndpoints(OidcIssuer(**provider.setting), clock.steady)
        assert await endpoints.find() == Endpoints()
        provider.is_away = False
        assert await endpoints.find() == Endpoints(), "asked again at once"
        clock.now += sign_in_endpoints.RETRY_SECONDS
        assert (found := await endpoints.find()).token == f"{provider.issuer}/token"
        provider.is_away = True
        clock.now += sign_in_endpoints.FRESH_SECONDS
        assert await endpoints.find() == found
