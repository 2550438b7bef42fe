"""GET /v1/audit: which entries each filter finds, in which order and pages, for whom, as JSON and as a table."""

from __future__ import annotations

import asyncio
import csv
import io
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import httpx
import psycopg
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from catenary.platform.v1.audit_service_pb2 import ListAuditEntriesRequest
from catenary.platform.v1.audit_service_pb2_grpc import AuditServiceStub
from catenary_cli.installation import clients
from catenary_core.access.policy import Policy
from catenary_edge.settings import EdgeSettings
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import PUBLIC_URL, SECRET, Serving, serving

pytestmark = pytest.mark.sampled

NOBODY = "0199aaaa-0000-7000-8000-00000000dead"
PROJECT = "0199aaaa-0000-7000-8000-00000000aaaa"
ACTIONS = ("test.made", "test.changed")
SUBJECTS = (
    None,
    f"/v1/projects/{PROJECT}",
    f"/v1/projects/{PROJECT}/members/{NOBODY}",
    f"/v1/projects/{PROJECT}-other",
    f"/parameter/v1/assets/{PROJECT}",
    "/v1/events",
)
OUTCOMES = ("ok", "PERMISSION_DENIED", "RATE_LIMIT_EXCEEDED")
MADE = {"from": "2020-01-01T00:00:00Z", "to": "2020-02-01T00:00:00Z"}
"""The time of the entries that the tests make, before all that the platform itself adds."""
INSERT = """
    INSERT INTO audit.entry (occurred_at, actor_id, action, subject, outcome, request_id, count, details)
    VALUES (%(occurred_at)s, %(actor_id)s, %(action)s, %(subject)s, %(outcome)s, %(request_id)s, 1, %(details)s)
    RETURNING sequence
"""


@dataclass
class Trail:
    """A node with entries of each kind, and the clients of an Admin and of another user."""

    node: Serving
    http: httpx.AsyncClient
    admin: dict[str, str]
    headers: dict[str, dict[str, str]]
    entries: list[dict[str, Any]]

    async def get(self, path: str = "/v1/audit", who: str = "admin", accept: str = "", **params: str) -> httpx.Response:
        """Ask as a principal, by default for the entries of the test."""
        headers = self.headers[who] | ({"Accept": accept} if accept else {})
        return await self.http.get(path, params=MADE | params, headers=headers)

    async def listed(self, **params: str) -> list[int]:
        """Return the numbers of all entries on all pages."""
        found: list[int] = []
        cursor: dict[str, str] = {}
        while True:
            answer = await self.get(**params, **cursor)
            assert answer.status_code == 200, answer.text
            found += [entry["sequence"] for entry in answer.json()["data"]["entries"]]
            following = answer.json()["metadata"]["next_cursor"]
            if following is None:
                return found
            cursor = {"cursor": following}


def _insert(dsn: str, actors: tuple[str | None, ...]) -> list[dict[str, Any]]:
    entries = []
    with psycopg.connect(dsn) as connection:
        for number, (actor, action, subject, outcome) in enumerate(
            itertools.product(actors, ACTIONS, SUBJECTS, OUTCOMES)
        ):
            entry = {
                # Several have one time, and the order of insertion isn't that of time.
                "occurred_at": f"2020-01-{1 + number * 7 % 25:02}T12:00:00Z",
                "actor_id": actor,
                "action": action,
                "subject": subject,
                "outcome": outcome,
                "request_id": f"r{number}",
                "details": '{"b": 1, "a": ["x"]}' if number == 0 else None,
            }
            row = connection.execute(INSERT, entry).fetchone()
            assert row is not None
            entries.append({"sequence": row[0], **entry})
        connection.execute("INSERT INTO audit.address VALUES (%s, '2001:db8::7')", [entries[0]["sequence"]])
    return entries


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["one process", "over gRPC"])
async def trail(started_dsn: str, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Trail]:
    made = {
        name: await clients.create(started_dsn, SECRET, text, admin=name == "admin")
        for name, text in (("admin", '=HYPERLINK("https://x.example")'), ("user", "User"))
    }
    edge = EdgeSettings(dev=True, public_url=PUBLIC_URL)
    async with (
        serving(started_dsn, tmp_path, remote=request.param, edge=edge, public_url=PUBLIC_URL) as node,
        httpx.AsyncClient(base_url=node.url, timeout=ANSWER_SECONDS) as http,
    ):
        headers: dict[str, dict[str, str]] = {"stranger": {}}
        for name, secret in made.items():
            body = {"grant_type": "client_credentials", **secret}
            token = (await http.post("/v1/auth/token", json=body)).json()["access_token"]
            headers[name] = {"Authorization": f"Bearer {token}"}
        me = (await http.get("/v1/users/me", headers=headers["admin"])).json()["data"]["user"]
        key = await http.post("/v1/api_keys", json={"name": "k", "scopes": ["platform:read"]}, headers=headers["admin"])
        headers["key"] = {"X-API-Key": key.json()["data"]["key"]}
        yield Trail(node, http, me, headers, _insert(started_dsn, (None, me["user_id"], NOBODY)))


def _matches(entry: dict[str, Any], given: dict[str, str]) -> bool:
    subject = given.get("subject")
    below = subject is not None and subject.count("/") == 3 and not subject.startswith("/v1/events")
    found = subject is None or entry["subject"] == subject
    if below and entry["subject"] is not None:
        found = found or entry["subject"].startswith(f"{subject}/")
    plain = all(entry[name] == given[name] for name in ("actor_id", "action", "outcome") if name in given)
    return found and plain and given.get("from", "") <= entry["occurred_at"] < given.get("to", "9")


async def test_each_filter_finds_its_entries_newest_first_on_pages_without_a_gap(trail: Trail) -> None:
    filters: list[dict[str, str]] = [
        {},
        *({"actor_id": actor} for actor in (trail.admin["user_id"], NOBODY, PROJECT)),
        *({"action": action} for action in (*ACTIONS, "test", "none")),
        *({"subject": subject} for subject in SUBJECTS if subject is not None),
        {"subject": f"/v1/projects/{PROJECT}/members"},
        {"subject": "/v1/projects"},
        *({"outcome": outcome} for outcome in (*OUTCOMES, "NONE")),
        {"from": "2020-01-08T12:00:00Z"},
        {"from": "2020-01-08T14:00:00+02:00", "to": "2020-01-09T12:00:00Z"},
        {"actor_id": NOBODY, "action": ACTIONS[0], "subject": f"/v1/projects/{PROJECT}", "outcome": "ok"},
    ]
    ordered = sorted(trail.entries, key=lambda one: (one["occurred_at"], one["sequence"]), reverse=True)
    for given in filters:
        shown = given | ({"from": "2020-01-08T12:00:00Z"} if "+02:00" in given.get("from", "") else {})
        expected = [entry["sequence"] for entry in ordered if _matches(entry, shown)]
        for limit in ("7", "200"):
            assert await trail.listed(**given, limit=limit) == expected, given
    sizes = [len(await trail.listed(**given)) for given in filters]
    assert sizes.count(0) == 6
    assert len(trail.entries) in sizes


async def test_an_entry_shows_its_actor_its_address_while_kept_and_what_it_is_about(trail: Trail) -> None:
    shown = {
        entry["request_id"]: entry
        for entry in (await trail.get(limit="200", action=ACTIONS[0])).json()["data"]["entries"]
    }
    first = trail.entries[0]
    assert shown["r0"] == {
        "sequence": first["sequence"],
        "occurred_at": "2020-01-01T12:00:00.000000Z",
        "actor": None,
        "credential_id": None,
        "address": "2001:db8::7",
        "action": ACTIONS[0],
        "subject": None,
        "outcome": "ok",
        "count": 1,
        "request_id": "r0",
        "details": {"b": 1, "a": ["x"]},
        "chain_sequence": shown["r0"]["chain_sequence"],
    }
    others = [entry for name, entry in shown.items() if name != "r0"]
    assert {entry["address"] for entry in others} == {None}
    actors = [entry["actor"] for entry in others if entry["actor"] is not None]
    admin = {"user_id": trail.admin["user_id"], "staff_name": trail.admin["staff_name"]}
    assert [one for one in actors if one not in (admin, {"user_id": NOBODY, "staff_name": ""})] == []
    assert admin in actors


async def test_only_an_admin_reads_the_trail_and_without_the_check_anybody_would(
    trail: Trail, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = {who: (await trail.get(who=who)).status_code for who in ("stranger", "user", "key")}
    assert refused == {"stranger": 401, "user": 403, "key": 403}
    async with grpc.aio.insecure_channel(f"127.0.0.1:{trail.node.grpc_port}") as channel:
        stub: Any = AuditServiceStub(channel)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.ListAuditEntries(ListAuditEntriesRequest(), metadata=_metadata(trail, "user"))
        assert caught.value.code() == grpc.StatusCode.PERMISSION_DENIED
        found = await stub.ListAuditEntries(ListAuditEntriesRequest(), metadata=_metadata(trail, "admin"))
        assert found.entries

    async def anybody(*_: object) -> None:
        return None

    monkeypatch.setattr(Policy, "authorize", anybody)
    assert (await trail.get(who="user")).status_code == 200


def _metadata(trail: Trail, who: str) -> list[tuple[str, str]]:
    return [(name.lower(), value) for name, value in trail.headers[who].items()]


async def test_a_bad_request_is_told_by_its_field(trail: Trail) -> None:
    users = await trail.http.get("/v1/users", params={"limit": "1"}, headers=trail.headers["admin"])
    entries = await trail.get(limit="1")
    for given, parameter in (
        ({"cursor": "damaged"}, "cursor"),
        ({"cursor": users.json()["metadata"]["next_cursor"]}, "cursor"),
        ({"actor_id": "me"}, "actor_id"),
        ({"action": ""}, "action"),
        ({"subject": "x" * 501}, "subject"),
        ({"outcome": ""}, "outcome"),
        ({"from": "yesterday"}, "from"),
        ({"to": MADE["from"]}, "to"),
        ({"limit": "201"}, "limit"),
        ({"search": "x"}, "search"),
    ):
        answer = await trail.get(**given)
        assert answer.status_code == 400, (given, answer.text)
        assert answer.json()["error"]["details"]["parameter"] == parameter, answer.text
    other = {"cursor": entries.json()["metadata"]["next_cursor"]}
    answer = await trail.http.get("/v1/users", params=other, headers=trail.headers["admin"])
    assert (answer.status_code, answer.json()["error"]["details"]["parameter"]) == (400, "cursor")
    async with grpc.aio.insecure_channel(f"127.0.0.1:{trail.node.grpc_port}") as channel:
        stub: Any = AuditServiceStub(channel)
        for moment in (Timestamp(seconds=2**60), Timestamp(seconds=0, nanos=-1)):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stub.ListAuditEntries(ListAuditEntriesRequest(to=moment), metadata=_metadata(trail, "admin"))
            assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT


def _rows(answer: httpx.Response) -> list[dict[str, str]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.text, newline=""), strict=True))


@pytest.mark.slow
async def test_the_pages_of_the_table_are_those_of_the_list(trail: Trail) -> None:
    answer = await trail.get(accept="text/csv", limit="50")
    assert "Accept" in [name.strip() for name in answer.headers["Vary"].split(",")]
    rows = _rows(answer)
    while "Link" in answer.headers:
        address, relation = answer.headers["Link"].split("; ")
        assert relation == 'rel="next"'
        assert address.startswith(f"<{PUBLIC_URL}/v1/audit?")
        assert address.count("cursor=") == 1
        path = address[1:-1].removeprefix(PUBLIC_URL)
        answer = await trail.http.get(path, headers=trail.headers["admin"] | {"Accept": "text/csv"})
        rows += _rows(answer)
    assert [int(row["sequence"]) for row in rows] == await trail.listed()
    names = {row["actor.staff_name"] for row in rows}
    assert names == {"", f"'{trail.admin['staff_name']}"}
    assert trail.admin["staff_name"].startswith("=")
    assert not [text for row in rows for text in row.values() if text.startswith(("=", "+", "-", "@"))]


@pytest.mark.slow
async def test_a_table_and_a_list_have_tags_of_their_own_and_refusals_are_json(trail: Trail) -> None:
    as_list, as_table = await trail.get(), await trail.get(accept="text/csv")
    assert as_list.headers["ETag"] != as_table.headers["ETag"]
    assert as_list.headers["Cache-Control"] == as_table.headers["Cache-Control"] == "no-store"
    again = await trail.http.get(
        "/v1/audit",
        params=MADE,
        headers=trail.headers["admin"] | {"Accept": "text/csv", "If-None-Match": as_table.headers["ETag"]},
    )
    assert (again.status_code, again.content) == (304, b"")
    head = await trail.http.head("/v1/audit", params=MADE, headers=trail.headers["admin"] | {"Accept": "text/csv"})
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Type"] == as_table.headers["Content-Type"]
    refused = await trail.get(accept="text/csv", limit="0")
    assert (refused.status_code, refused.headers["Content-Type"]) == (400, "application/json")
    other = await trail.http.get("/v1/users/me", headers=trail.headers["admin"] | {"Accept": "text/csv"})
    assert other.headers["Content-Type"] == "application/json"  # no list


@pytest.mark.parametrize("version", ["v1", "v2"])
async def test_the_beta_takes_and_shows_paths_of_its_own(trail: Trail, version: str) -> None:
    subject = f"/{version}/projects/{PROJECT}"
    found = (await trail.get("/v2/audit", subject=subject, limit="200")).json()["data"]["entries"]
    assert len(found) == len(await trail.listed(subject=f"/v1/projects/{PROJECT}")) > 0
    assert {entry["subject"] for entry in found} == {
        f"/v2/projects/{PROJECT}",
        f"/v2/projects/{PROJECT}/members/{NOBODY}",
    }
    table = _rows(await trail.get("/v2/audit", accept="text/csv", subject=subject, limit="200"))
    assert {row["subject"] for row in table} == {entry["subject"] for entry in found}


async def test_reading_the_trail_is_in_it(trail: Trail) -> None:
    asked = trail.headers["admin"] | {"X-Request-Id": "read-1"}
    assert (await trail.http.get("/v1/audit", params={"subject": "/v1/none/1"}, headers=asked)).status_code == 200
    found = await trail.http.get("/v1/audit", params={"limit": "5"}, headers=trail.headers["admin"])
    (entry,) = [one for one in found.json()["data"]["entries"] if one["request_id"] == "read-1"]
    assert entry["action"] == "/catenary.platform.v1.AuditService/ListAuditEntries"
    assert (entry["subject"], entry["outcome"], entry["count"]) == ("/v1/audit", "ok", 1)
    assert entry["actor"]["user_id"] == trail.admin["user_id"]
    assert entry["credential_id"]
    assert entry["address"] == "127.0.0.1"


async def test_a_change_and_a_refusal_are_found_by_what_they_are(trail: Trail) -> None:
    made = await trail.http.post("/v1/teams", json={"name": "Bridges"}, headers=trail.headers["user"])
    team = f"/v1/teams/{made.json()['data']['team']['team_id']}"
    member = f"{team}/members/{trail.admin['user_id']}"
    assert (await trail.http.put(member, headers=trail.headers["user"])).status_code == 200

    async def entries(**params: str) -> list[dict[str, Any]]:
        answer = await trail.http.get("/v1/audit", params=params, headers=trail.headers["admin"])
        return list(answer.json()["data"]["entries"])

    changes = await entries(subject=team)
    assert [(one["action"].rpartition("/")[2], one["subject"]) for one in changes] == [
        ("PutTeamMember", member),
        ("CreateTeam", team),
    ]
    assert [one["subject"] for one in await entries(subject=member)] == [member]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{trail.node.grpc_port}") as channel:
        stub: Any = AuditServiceStub(channel)
        for _ in range(3):
            with pytest.raises(grpc.aio.AioRpcError):
                await stub.ListAuditEntries(ListAuditEntriesRequest(), metadata=_metadata(trail, "user"))
    refused: list[dict[str, Any]] = []
    async with asyncio.timeout(ANSWER_SECONDS):
        while not refused:  # refusals are written each second
            refused = await entries(outcome="PERMISSION_DENIED", actor_id=changes[0]["actor"]["user_id"])
            await asyncio.sleep(0.1)
    assert refused[0]["action"].endswith("ListAuditEntries")
