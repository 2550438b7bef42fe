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
from catenary_core.settings import OidcIssuer
from factories.audit import trail_of
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import SECRET, Serving, serving

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


@pytest.mark.parametrize("remote", [False, True], ids=["one process", "edge apart"])
async def test_the_guest_owns_the_demos_project_and_sees_no_other(dsn: str, tmp_path: Path, *, remote: bool) -> None:
    async with _node(dsn, tmp_path, demo=True, remote=remote) as (node, http):
        assert (await http.get("studio/config")).json()["data"]["config"]["demo"] is True
        made = await clients.create(dsn, SECRET, "Demo", admin=True)
        assert await clients.ensure_guest(dsn, SECRET) == await clients.ensure_guest(dsn, SECRET)
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


async def test_without_the_demo_there_is_no_guest_and_the_page_knows(dsn: str, tmp_path: Path) -> None:
    issuers = [OidcIssuer(**ISSUER, studio_client_id="studio"), OidcIssuer(**{**ISSUER, "issuer": "https://b.example"})]
    async with _node(dsn, tmp_path, oidc_issuers=issuers) as (_, http):
        await clients.ensure_guest(dsn, SECRET)
        assert (await http.post("auth/demo", json={})).status_code == 404
        answer = await http.get("studio/config")
        config = answer.json()["data"]["config"]
        assert (answer.headers["Cache-Control"], config["demo"]) == ("no-cache", False)
        assert config["issuers"] == [{"issuer": "https://login.example", "studio_client_id": "studio"}]
        assert config["version"].count(".") >= 1
