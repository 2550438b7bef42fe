"""Share links: a credential without a user, which reads a project or a variant and nothing else."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from catenary.platform.v1 import project_service_pb2, project_service_pb2_grpc
from catenary_core.server.dispatch import Dispatch
from catenary_core.services.identity.tokens import credentials
from factories.events.world import SECONDS, Caller, World, world
from factories.installations.serving import working
from factories.services.evaluations import run_sql
from factories.services.shares import Link, expire, link, read, status, variant
from factories.services.trust import trust_briefly
from factories.sessions.explorer import deployed

_TOKEN = re.compile(r"http://127\.0\.0\.1:\d+/studio/#share=(cat_share_[A-Za-z0-9_-]{43})")
FUTURE = "2099-01-31T12:00:00Z"


async def _ready(here: World, caller: Caller, variant_id: str) -> dict[str, Any]:
    """Return a variant once it is ready."""
    async with asyncio.timeout(SECONDS):
        while True:
            found: dict[str, Any] = (await read(here, caller, f"/v1/variants/{variant_id}"))["variant"]
            if found["status"] == "ready":
                return found
            await asyncio.sleep(0.05)


@pytest.fixture
async def here(started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    trust_briefly(monkeypatch)
    async with world(started_dsn, tmp_path) as made:
        yield made


async def _shared(here: World, **fields: Any) -> tuple[Caller, str, Link]:
    """Return an owner, its project and a link to the project."""
    owner = await here.caller("Olga Canary")
    project_id = await here.project(owner)
    return owner, project_id, await link(here, owner, project_id, **fields)


async def test_a_link_is_shown_once_and_stored_as_an_hmac(here: World) -> None:
    owner, project_id, _ = await _shared(here)
    path = f"/v1/projects/{project_id}/shares"
    made = (await here.call(owner, "POST", path, 201, json={"kind": "link", "expires_at": FUTURE}))["data"]
    found = _TOKEN.fullmatch(made["url"])
    assert found is not None, made["url"]
    share = made["share"]
    assert (share["kind"], share["role"], share["name"], share["user_id"]) == ("link", "viewer", None, None)
    text = str(await read(here, owner, path)) + str(await read(here, owner, f"{path}/{share['share_id']}"))
    for table in ("projects.share", "events.event", "audit.entry", "idempotency.record"):
        text += str(await run_sql(here.core.frame.db, f"SELECT to_json(t)::text AS row FROM {table} t"))
    assert share["share_id"] in text
    assert found[1] not in text
    assert found[1].removeprefix("cat_share_") not in text


async def test_a_projects_link_reads_it_without_a_name(here: World) -> None:
    owner, project_id, shown = await _shared(here)
    saved = await variant(here, owner, project_id)
    project = (await read(here, shown, f"/v1/projects/{project_id}"))["project"]
    assert (project["role"], project["owner_user_id"]) == ("viewer", None)
    seen = ""
    for path, key in (
        (f"/v1/projects/{project_id}/parameters", "parameters"),
        (f"/v1/projects/{project_id}/evaluations", "evaluations"),
        (f"/v1/projects/{project_id}/variants", "variants"),
        (f"/v1/projects/{project_id}/batches", "batches"),
        (f"/v1/projects/{project_id}/studies", "studies"),
        (f"/v1/variants/{saved['variant_id']}", "variant"),
        (f"/v1/evaluations/{saved['evaluation']['evaluation_id']}", "evaluation"),
    ):
        seen += str((await read(here, shown, path))[key])
    assert seen.count("'created_by': None") == 6
    assert "Canary" not in seen
    assert owner.user_id not in seen
    # Nor does it ask who made what, and its look is nobody's access.
    asked = f"/v1/projects/{project_id}/evaluations?asked_by={owner.user_id}"
    assert await status(here, shown, asked) == 400
    await read(here, shown, f"/v1/projects/{project_id}")
    rows = await run_sql(here.core.frame.db, "SELECT actor_id FROM events.event WHERE type = 'user.project.accessed'")
    assert {row["actor_id"] for row in rows} <= {owner.user_id}


async def test_a_variants_link_reads_that_variant_alone(here: World) -> None:
    owner, project_id, _ = await _shared(here)
    saved, other = [await variant(here, owner, project_id) for _ in range(2)]
    shown = await link(here, owner, project_id, variant_id=saved["variant_id"])
    assert (await read(here, shown, f"/v1/variants/{saved['variant_id']}"))["variant"]["created_by"] is None
    assert await status(here, shown, f"/v1/evaluations/{saved['evaluation']['evaluation_id']}") == 200
    assert await status(here, shown, f"/v1/projects/{project_id}/parameters") == 200
    for path in (
        f"/v1/variants/{other['variant_id']}",
        f"/v1/evaluations/{other['evaluation']['evaluation_id']}",
        f"/v1/projects/{project_id}",
        f"/v1/projects/{project_id}/variants",
        f"/v1/projects/{project_id}/evaluations",
        f"/v1/projects/{await here.project(owner)}/parameters",
    ):
        assert await status(here, shown, path) == 404, path
    await here.call(owner, "DELETE", f"/v1/variants/{saved['variant_id']}")
    async with asyncio.timeout(credentials.TRUSTED_SECONDS + 2):
        while await status(here, shown, f"/v1/projects/{project_id}/parameters") != 401:  # noqa: ASYNC110 (5 s of trust)
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("end", ["revoked", "expired", "project deleted"])
async def test_an_ended_link_is_401_within_five_seconds(here: World, end: str) -> None:
    owner, project_id, shown = await _shared(here)
    path = f"/v1/projects/{project_id}"
    assert await status(here, shown, f"{path}/parameters") == 200
    match end:
        case "revoked":
            await here.call(owner, "DELETE", f"{path}/shares/{shown.share_id}")
        case "expired":
            await expire(here, shown.share_id)
        case _:
            await here.call(owner, "DELETE", path)
    async with asyncio.timeout(credentials.TRUSTED_SECONDS + 0.5):
        while await status(here, shown, f"{path}/parameters") != 401:  # noqa: ASYNC110 (5 s of trust)
            await asyncio.sleep(0.05)


async def test_a_link_beside_another_credential_is_401(here: World) -> None:
    owner, project_id, shown = await _shared(here)
    path = f"{here.url}/v1/projects/{project_id}"
    key = (await here.call(owner, "POST", "/v1/api_keys", 201, json={"name": "k", "scopes": ["platform:read"]}))["data"]
    for beside in (owner.headers, {"X-API-Key": key["key"]}):
        async with here.http.get(path, headers={**shown.headers, **beside}) as answer:
            assert (answer.status, (await answer.json())["error"]["code"]) == (401, "INVALID_TOKEN")
            assert "WWW-Authenticate" in answer.headers
    for damaged in (shown.token[:-1], shown.token + "x", "cat_share_" + "x" * 43, key["key"]):
        async with here.http.get(path, headers={"X-Share-Token": damaged}) as answer:
            assert answer.status == 401
            assert damaged not in await answer.text()
    # The token is none of the other kinds.
    for other in ({"Authorization": f"Bearer {shown.token}"}, {"X-API-Key": shown.token}):
        async with here.http.get(path, headers=other) as answer:
            assert answer.status == 401


async def test_a_token_in_a_query_is_refused_and_reaches_no_log(here: World, capfd: pytest.CaptureFixture[str]) -> None:
    _, project_id, shown = await _shared(here)
    path = f"/v1/projects/{project_id}"
    for name in ("share", "share_token", "X-Share-Token", "x-share-token"):
        assert await status(here, None, f"{path}?{name}={shown.token}") == 401
        async with here.http.get(f"{here.url}{path}?{name}={shown.token}", headers=shown.headers) as answer:
            assert answer.status == 400
            assert shown.token not in await answer.text()
    assert await status(here, shown, path) == 200
    told = capfd.readouterr()
    assert path in told.out + told.err or "GetProject" in told.out + told.err
    assert shown.token not in told.out + told.err


async def test_a_page_of_another_origin_reads_with_a_link(here: World) -> None:
    owner, project_id, shown = await _shared(here)
    url, origin = f"{here.url}/v1/projects/{project_id}/variants", {"Origin": "https://elsewhere.example"}
    async with here.http.get(url, headers={**shown.headers, **origin}) as answer:
        tag = answer.headers["ETag"]
    sent = {**shown.headers, **origin}
    for path, headers, status_ in (
        (url, sent, 200),
        (url, {**sent, "If-None-Match": tag}, 304),
        (f"{here.url}/v1/projects/{project_id}/members", sent, 404),
        (url, {**sent, "X-Share-Token": "damaged"}, 401),
    ):
        async with here.http.get(path, headers=headers) as answer:
            assert (answer.status, answer.headers.get("Access-Control-Allow-Origin")) == (status_, "*")
            assert "X-Share-Token" in answer.headers["Vary"]
    asked = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "x-share-token"}
    async with here.http.options(url, headers={**origin, **asked}) as answer:
        assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (204, "*")
    for headers in (owner.headers, {}):
        async with here.http.get(url, headers={**headers, **origin}) as answer:
            assert "Access-Control-Allow-Origin" not in answer.headers
    async with here.http.options(
        url, headers={**origin, **asked, "Access-Control-Request-Headers": "authorization"}
    ) as answer:
        assert "Access-Control-Allow-Origin" not in answer.headers


async def test_a_link_has_requests_of_its_own(started_dsn: str, tmp_path: Path) -> None:
    async with world(started_dsn, tmp_path, requests_per_hour=20) as here:
        owner, project_id, shown = await _shared(here)
        other = await link(here, owner, project_id)
        path = f"/v1/projects/{project_id}/batches"
        found = [await status(here, shown, path) for _ in range(21)]
        assert found == [200] * 20 + [429]
        assert (await status(here, other, path), await status(here, owner, path)) == (200, 200)


async def test_a_link_calls_over_grpc_too(here: World) -> None:
    _, project_id, shown = await _shared(here)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{here.node.grpc_port}") as channel:
        stub = project_service_pb2_grpc.ProjectServiceStub(channel)
        sent = (("x-share-token", shown.token),)
        answer = await stub.GetProject(project_service_pb2.GetProjectRequest(project_id=project_id), metadata=sent)
        assert (answer.project.project_id, answer.project.HasField("owner_user_id")) == (project_id, False)
        for method, request, code in (
            ("ListProjects", project_service_pb2.ListProjectsRequest(), grpc.StatusCode.NOT_FOUND),
            ("CreateProject", project_service_pb2.CreateProjectRequest(name="P"), grpc.StatusCode.PERMISSION_DENIED),
        ):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await getattr(stub, method)(request, metadata=sent)
            assert caught.value.code() == code


async def test_a_variants_link_downloads_its_geometry_alone(
    started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(started_dsn, tmp_path) as here:
        owner, project_id, whole = await _shared(here)
        await deployed(here, monkeypatch, project_id)
        async with working(here.node):
            saved = []
            for span in (10, 20):
                body = {"name": "V", "parameters": {"span": span}}
                path = f"/v1/projects/{project_id}/variants"
                saved.append((await here.call(owner, "POST", path, 202, json=body))["data"]["variant"]["variant_id"])
            found = [await _ready(here, owner, variant_id) for variant_id in saved]
        shown = await link(here, owner, project_id, variant_id=saved[0])
        first, second = [one["evaluation"]["geometry"][0]["url"] for one in found]
        assert await status(here, shown, first) == 200
        assert await status(here, shown, second) == 404
        assert await status(here, shown, second.replace(".glb", ".stl")) == 404
        assert await status(here, whole, second) == 200


async def test_a_link_can_not_pass_for_a_user(here: World) -> None:
    """Its identity has no user: code that would take it for one fails instead of doing something for somebody."""
    _, project_id, shown = await _shared(here)
    dispatch: Dispatch = here.core.dispatch
    identity = await dispatch._authenticator.authenticate({"x-share-token": shown.token})
    assert (identity.kind, identity.is_user, identity.admin) == ("link", False, False)
    assert identity.shown is not None
    assert identity.shown.project_id == project_id
    with pytest.raises(RuntimeError, match="has no user"):
        _ = identity.user_id
    assert not identity.made({"created_by": {"user_id": identity.principal_id}})


async def test_open_streams_learn_that_a_link_has_ended(here: World) -> None:
    owner, project_id, shown = await _shared(here)
    other, person = await link(here, owner, project_id), {"authorization": f"Bearer {owner.token}"}
    check: Any = here.core.dispatch._authenticator
    sent = [{"x-share-token": shown.token}, person, {"x-share-token": other.token}]
    identities = [await check.authenticate(one) for one in sent]
    assert await check.recheck(identities) == identities
    await here.call(owner, "DELETE", f"/v1/projects/{project_id}/shares/{shown.share_id}")
    assert await check.recheck(identities) == [None, *identities[1:]]


@pytest.mark.slow
async def test_a_link_reads_through_an_edge_behind_grpc(started_dsn: str, tmp_path: Path) -> None:
    async with world(started_dsn, tmp_path, remote=True) as here:
        owner, project_id, shown = await _shared(here)
        assert (await read(here, shown, f"/v1/projects/{project_id}"))["project"]["owner_user_id"] is None
        assert await status(here, shown, f"/v1/projects/{project_id}/members") == 404
        assert await status(here, shown, f"/v1/projects/{project_id}", "DELETE") == 403
        await here.call(owner, "DELETE", f"/v1/projects/{project_id}/shares/{shown.share_id}")
        async with asyncio.timeout(credentials.TRUSTED_SECONDS + 0.5):
            while await status(here, shown, f"/v1/projects/{project_id}") != 401:  # noqa: ASYNC110 (5 s of trust)
                await asyncio.sleep(0.05)
