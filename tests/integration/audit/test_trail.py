"""Entries of the audit trail: what callers change, read and are refused, through both doors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
import sqlalchemy as sa

from catenary.platform.v1 import project_service_pb2, project_service_pb2_grpc
from catenary_core.database.statements import Statement
from catenary_core.services.identity.clients.creation import create_client
from catenary_edge.settings import EdgeSettings
from factories.audit import trail_of
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import Serving, serving

_SENT_REQUEST_ID = "the-request"


class Person:
    """A client of the node with a token."""

    def __init__(self, row: dict[str, Any], secret: str, http: httpx.AsyncClient) -> None:
        self.user_id, self.client_id, self.secret, self.http = row["user_id"], row["client_id"], secret, http

    async def log_in(self) -> None:
        """Get a token for the later calls."""
        given = {"grant_type": "client_credentials", "client_id": self.client_id, "client_secret": self.secret}
        answer = await self.http.post("/v1/auth/token", json=given)
        self.http.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"

    async def call(self, verb: str, path: str, **given: Any) -> dict[str, Any]:
        """Call with a known request id; return the response's data."""
        answer = await self.http.request(verb, path, headers={"X-Request-Id": _SENT_REQUEST_ID}, **given)
        assert answer.is_success, answer.text
        body = answer.json() if answer.content else {}
        return dict(body.get("data", body)) if isinstance(body, dict) else {"items": body}


@asynccontextmanager
async def _person(node: Serving, *, admin: bool = False) -> AsyncIterator[Person]:
    async with node.core.frame.db.transaction() as tx:
        row, secret = await create_client(tx, node.core.frame.secrets, "c", admin)
        user = await tx.one(_USER_OF, client_id=row["client_id"])
    async with httpx.AsyncClient(base_url=node.url, timeout=ANSWER_SECONDS) as http:
        person = Person({**row, **user}, secret, http)
        await person.log_in()
        yield person


_USER_OF = Statement(
    sa.text("SELECT user_id FROM identity.client WHERE id = :client_id").bindparams(
        sa.bindparam("client_id", type_=sa.UUID(as_uuid=False))
    )
)


async def _found(node: Serving, *actions: str) -> list[dict[str, Any]]:
    return [entry for entry in await trail_of(node.core.frame.db) if entry["action"] in actions]


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["one process", "edge apart"])
async def node(request: pytest.FixtureRequest, started_dsn: str, tmp_path: Path) -> AsyncIterator[Serving]:
    async with serving(started_dsn, tmp_path, remote=request.param, requests_per_hour=10**9) as running:
        yield running


async def test_a_change_is_an_entry_with_caller_subject_request_and_address(node: Serving) -> None:
    async with _person(node) as ada:
        project = (await ada.call("POST", "/v1/projects", json={"name": "P"}))["project"]
        path = f"/v1/projects/{project['project_id']}"
        await ada.call("PATCH", path, json={"name": "Q"})
        await ada.call("PUT", f"{path}/members/{ada.user_id}", json={"role": "owner"})
        await ada.call("DELETE", path)
        login, *changes = await trail_of(node.core.frame.db)
        while login["action"] == "node.started":
            login, *changes = changes
    assert (login["action"], login["actor_id"], login["credential_id"]) == ("login", ada.user_id, ada.client_id)
    assert [(one["action"], one["subject"]) for one in changes] == [
        ("CreateProject", path),
        ("UpdateProject", path),
        ("PutProjectMember", f"{path}/members/{ada.user_id}"),
        ("DeleteProject", path),
    ]
    for one in changes:
        told = {name: one[name] for name in ("actor_id", "outcome", "request_id", "count", "address")}
        assert told == {
            "actor_id": ada.user_id,
            "outcome": "ok",
            "request_id": _SENT_REQUEST_ID,
            "count": 1,
            "address": "127.0.0.1",
        }
        assert one["credential_id"]


async def test_a_list_of_items_is_an_entry_with_their_ids(node: Serving) -> None:
    about = {"reference_table": "t", "reference_url": "https://example.com/"}
    comments = [
        {"content": text, "reference_id": f"019a8f00-0000-7000-8000-{number:012}", **about}
        for number, text in enumerate(("a secret thought", "another"))
    ]
    async with _person(node) as ada:
        await ada.call("POST", "/comments/v2/comments", json=comments)
        await ada.call("POST", "/comments/v2/comments", json=comments[:1])
        both, single = await _found(node, "CreateComments")
    assert (both["subject"], len(both["details"]["ids"])) == ("/comments/v2/comments", 2)
    assert single["subject"].startswith("/comments/v2/comments/")
    assert single["details"] is None
    assert "secret thought" not in str(both) + str(single)


async def test_reads_and_refused_changes_are_no_entries(node: Serving) -> None:
    async with _person(node) as ada:
        await ada.call("GET", "/v1/projects")
        assert (await ada.http.post("/v1/projects", json={"name": 7})).status_code == 400
        assert (await ada.http.delete("/v1/projects/019a8f00-0000-7000-8000-000000000001")).status_code == 404
        assert await _found(node, "ListProjects", "CreateProject", "DeleteProject") == []


async def test_a_change_and_its_entry_are_one_transaction(node: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    async with _person(node) as ada:
        async with node.core.frame.db.transaction() as tx:
            await tx.execute(Statement(sa.text("ALTER TABLE audit.entry ADD CHECK (outcome <> 'ok')  NOT VALID")))
        refused = await ada.http.post("/v1/projects", json={"name": "P"})
        assert refused.status_code >= 500
        async with node.core.frame.db.read() as tx:
            rows = await tx.all(Statement(sa.text("SELECT 1 AS one FROM projects.project")))
    assert rows == []


async def test_a_repeated_call_with_a_key_has_one_entry(node: Serving) -> None:
    async with _person(node) as ada:
        for _ in range(2):
            answer = await ada.http.post("/v1/projects", json={"name": "P"}, headers={"Idempotency-Key": "k"})
            assert answer.is_success
        (entry,) = await _found(node, "CreateProject")
    assert entry["subject"] == f"/v1/projects/{answer.json()['data']['project']['project_id']}"


async def test_secrets_and_tokens_are_in_no_entry(node: Serving) -> None:
    async with _person(node, admin=True) as ada:
        made = await ada.call("POST", "/v1/clients", json={"name": "robot"})
        client_id = made["client"]["client_id"]
        again = await ada.call("POST", f"/v1/clients/{client_id}/rotate_secret")
        key = await ada.call("POST", "/v1/api_keys", json={"name": "k", "scopes": ["platform:read"]})
        token = await ada.call("POST", "/v1/worker_tokens", json={"name": "w"})
        hook = await ada.call(
            "POST", "/v1/webhooks", json={"url": "https://8.8.8.8/x?y=1", "events": ["project.created"]}
        )
        trail = await trail_of(node.core.frame.db)
    text = str(trail)
    for secret in (
        made["client_secret"],
        again["client_secret"],
        key["key"],
        token["token"],
        hook["secret"],
        "robot",
        "y=1",
        ada.http.headers["Authorization"].split()[1],
    ):
        assert secret not in text
    assert {"CreateClient", "RotateClientSecret", "CreateApiKey", "CreateWorkerToken", "CreateWebhook"} <= {
        one["action"] for one in trail
    }
    rotated = next(one for one in trail if one["action"] == "RotateClientSecret")
    assert rotated["subject"] == f"/v1/clients/{client_id}"


async def test_an_admins_reads_of_others_are_entries_however_often_they_are_made(node: Serving) -> None:
    async with _person(node) as ada, _person(node, admin=True) as root:
        for _ in range(2):  # the second isn't answered by the edge alone
            await root.call("GET", f"/v1/users/{ada.user_id}")
        await root.call("GET", f"/v1/users/{root.user_id}")
        await root.call("GET", "/v1/clients")
        await ada.call("GET", "/v1/users", params={"search": "nobody"})
        reads = await _found(node, "GetUser", "ListClients", "ListUsers")
    assert [(one["action"], one["subject"], one["actor_id"]) for one in reads] == [
        ("GetUser", f"/v1/users/{ada.user_id}", root.user_id),
        ("GetUser", f"/v1/users/{ada.user_id}", root.user_id),
        ("ListClients", "/v1/clients", root.user_id),
    ]


async def test_failed_logins_still_count_towards_their_limit(node: Serving) -> None:
    """A login is one transaction, and a refusal must not undo the count of the failure."""
    async with _person(node) as ada:
        given = {"grant_type": "client_credentials", "client_id": ada.client_id, "client_secret": "wrong"}
        statuses = [(await ada.http.post("/v1/auth/token", json=given)).status_code for _ in range(22)]
    assert statuses == [401] * 20 + [429] * 2


async def _refusals(node: Serving) -> list[tuple[Any, ...]]:
    """Return the refusals, once what is counted has been written, also by a write that is under way."""
    await node.edge.stop()
    await node.core.dispatch._trail._counts.stop()  # type: ignore[union-attr]  # there is a trail
    told = ("action", "outcome", "actor_id", "address", "count")
    return [tuple(one[name] for name in told) for one in await trail_of(node.core.frame.db) if one["outcome"] != "ok"]


async def test_refusals_of_the_edge_and_of_the_core_are_counted_by_caller_address_and_action(node: Serving) -> None:
    async with _person(node) as ada, httpx.AsyncClient(base_url=node.url, timeout=ANSWER_SECONDS) as stranger:
        for _ in range(3):
            assert (await stranger.get("/v1/projects")).status_code == 401
        bad = {"Authorization": "Bearer none"}
        assert (await stranger.get("/v1/projects", headers=bad)).status_code == 401
        assert (await stranger.get("/v1/projects", headers={"Authorization": "ä".encode()})).status_code == 401
        assert (await ada.http.get("/v1/clients")).status_code == 403
        wrong = {"grant_type": "client_credentials", "client_id": ada.client_id, "client_secret": "no"}
        assert (await stranger.post("/v1/auth/token", json=wrong)).status_code == 401
        found = await _refusals(node)
    assert {(action, outcome, actor) for action, outcome, actor, _, _ in found} == {
        ("ListProjects", "AUTHENTICATION_REQUIRED", None),
        ("ListProjects", "INVALID_TOKEN", None),
        ("ListClients", "PERMISSION_DENIED", ada.user_id),
        ("IssueToken", "INVALID_CLIENT", None),
    }
    assert {address for *_, address, _ in found} == {"127.0.0.1"}
    counts = {outcome: count for _, outcome, _, _, count in found}
    assert counts["AUTHENTICATION_REQUIRED"] == 3
    assert counts["INVALID_TOKEN"] == 2


@pytest.mark.parametrize(
    "remote", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["one process", "edge apart"]
)
async def test_a_request_beyond_the_hourly_limit_is_counted_once(
    started_dsn: str, tmp_path: Path, *, remote: bool
) -> None:
    async with serving(started_dsn, tmp_path, remote=remote, requests_per_hour=2) as node, _person(node) as ada:
        statuses = [(await ada.http.get("/v1/projects")).status_code for _ in range(5)]
        assert statuses == [200, 200, 429, 429, 429]
        assert await _refusals(node) == [("ListProjects", "RATE_LIMIT_EXCEEDED", ada.user_id, "127.0.0.1", 3)]


async def test_plain_http_is_refused_and_counted_before_its_route(started_dsn: str, tmp_path: Path) -> None:
    async with serving(started_dsn, tmp_path, edge=EdgeSettings()) as node:
        async with httpx.AsyncClient(base_url=node.url, timeout=ANSWER_SECONDS) as stranger:
            assert (await stranger.get("/v1/projects")).status_code == 403
        ((action, _, actor, address, count),) = await _refusals(node)
    assert (action, actor, address, count) == ("http", None, "127.0.0.1", 1)


async def test_refusals_over_grpc_are_counted_by_the_core(node: Serving) -> None:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{node.grpc_port}") as channel:
        stub = project_service_pb2_grpc.ProjectServiceStub(channel)
        for _ in range(2):
            with pytest.raises(grpc.aio.AioRpcError):
                await stub.ListProjects(project_service_pb2.ListProjectsRequest(), metadata=(("authorization", "x"),))
        found = await _refusals(node)
    assert found == [("ListProjects", "INVALID_TOKEN", None, "127.0.0.1", 2)]


async def test_repeated_logins_of_a_minute_are_one_row_beside_the_first(node: Serving) -> None:
    async with _person(node) as ada:
        for _ in range(3):
            await ada.log_in()
        await _refusals(node)
        logins: list[dict[str, Any]] = []
        async with asyncio.timeout(60):
            # What the process was writing by itself at that moment comes a little later.
            while sum(one["count"] for one in logins) < 4:
                logins = await _found(node, "login")
        first, *repeated = logins
    assert (first["count"], sum(one["count"] for one in repeated)) == (1, 3)
    assert {(one["actor_id"], one["credential_id"]) for one in repeated} == {(ada.user_id, ada.client_id)}
