"""The erasure of a person: nothing of the person is left in the database, and nothing of the person's lets anybody in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
import uuid_utils
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from catenary.platform.v1 import user_service_pb2, user_service_pb2_grpc
from catenary_core.audit.verification import verify
from catenary_core.call.call import Call
from catenary_core.database.statements import metadata
from catenary_core.database.transactions import Transaction
from catenary_core.services.identity.people import rules
from catenary_core.services.identity.people.erasure import Erasure
from factories.events.world import SECONDS, Caller, Socket, World, world
from factories.services.evaluations import deploy, run_sql
from factories.services.invited import Browser, invite
from factories.services.shares import Link, link, status

pytestmark = pytest.mark.sampled

MARKER = "Zz-Marker-7f3a"
EMAIL = f"{MARKER}@example.com"
END_SECONDS = 5.0
_FIELDS = {
    "location_name": MARKER,
    "company_centre_unit": MARKER,
    "my_people_page_url": f"https://example.com/{MARKER}",
}
_PROJECT_PEOPLE = {
    f"project_{who}_{what}": value
    for who in ("director", "manager")
    for what, value in (("name", MARKER), ("email", EMAIL))
}


@pytest.fixture
async def here(started_dsn: str, tmp_path: Path) -> AsyncIterator[World]:
    async with world(started_dsn, tmp_path) as made:
        yield made


@dataclass
class Spread:
    """A person whose marked fields have gone wherever they go."""

    admin: Caller
    owner: Caller
    person: Caller
    project_id: str
    key: dict[str, str]
    links: list[Link]
    sockets: list[Socket]
    reads: list[str]

    async def seen(self, here: World) -> str:
        """Return what the owner reads, and what a repeated call of the owner's answers."""
        text = ""
        for path in self.reads:
            text += str(await here.call(self.owner, "GET", path))
        return text + await self.repeated(here)

    async def repeated(self, here: World) -> str:
        """Add the person to a project, or get the stored response of having done so."""
        body, key = {"user_id": self.person.user_id, "role": "owner"}, {"Idempotency-Key": "once"}
        path = f"{here.url}/v1/projects/{self.project_id}/members"
        async with here.http.post(path, json=body, headers={**self.owner.headers, **key}) as answer:
            assert answer.status == 201
            return await answer.text()


async def _spread(here: World) -> Spread:
    """Make a person with a marker in every personal field, and everything that could carry it elsewhere."""
    admin, owner = await here.caller("admin", admin=True), await here.caller("owner")
    person = await here.caller(MARKER)
    db = here.core.frame.db
    update = "UPDATE identity.\"user\" SET issuer = 'https://idp.example', subject = :m, email = :e, grade_level = 7"
    await run_sql(db, f"{update} WHERE id = :id", m=f"{MARKER}-subject", e=EMAIL, id=person.user_id)
    await here.call(person, "PATCH", "/v1/users/me", json=_FIELDS)
    project_id = await here.project(owner)
    spread = Spread(admin, owner, person, project_id, {}, [], [], [])
    await spread.repeated(here)
    asked = {"name": f"{MARKER} laptop", "scopes": ["platform:read", "platform:write"]}
    made = (await here.call(person, "POST", "/v1/api_keys", 201, json=asked))["data"]
    spread.key = {"X-API-Key": made["key"]}
    path = f"/v1/projects/{project_id}"
    await deploy(db, here.core.frame.objects, project_id=project_id)
    body = {"name": "V", "parameters": {"span": 30}}
    variant_id = (await here.call(person, "POST", f"{path}/variants", 202, json=body))["data"]["variant"]["variant_id"]
    said = {"content": "Round?", "variant_id": variant_id, "mentions": [owner.user_id]}
    await here.call(person, "POST", f"{path}/comments", 201, json=said)
    await here.call(owner, "POST", f"{path}/comments", 201, json={"content": "Yes", "mentions": [person.user_id]})
    team = (await here.call(person, "POST", "/v1/teams", 201, json={"name": "T"}))["data"]["team"]["team_id"]
    hook = {"url": "https://example.com/hook", "events": ["*"]}
    await here.call(person, "POST", "/v1/webhooks", 201, json=hook)
    unrelated = {**_PROJECT_PEOPLE, "project_manager_name": "Robin", "project_manager_email": "robin@example.com"}
    for number, people in (("E-1", _PROJECT_PEOPLE), ("E-2", unrelated)):
        fields = {"number": number, **people}
        kept = {**owner.headers, "Idempotency-Key": number}
        async with here.http.post(f"{here.url}/environment/v2/projects", json=fields, headers=kept) as answer:
            assert answer.status == 201, await answer.text()
    remark = {"reference_id": str(uuid_utils.uuid7()), "reference_table": "t", "reference_url": "https://example.com"}
    await here.call(person, "POST", "/comments/v2/comments", 201, json=[{**remark, "content": "Seen"}])
    await here.call(person, "GET", path)
    spread.links = [
        await link(here, person, project_id),
        await link(here, person, project_id, variant_id=variant_id),
        await link(here, owner, project_id),
    ]
    spread.sockets = [await here.socket(person), await here.connect(spread.key)]
    spread.sockets.append(await here.connect(spread.links[0].headers))
    spread.reads = [
        f"{path}/members",
        f"{path}/comments",
        f"{path}/variants",
        f"/v1/variants/{variant_id}",
        "/v1/notifications",
        "/environment/v2/projects",
        "/comments/v2/comments",
    ]
    async with asyncio.timeout(SECONDS):
        while not (await here.call(owner, "GET", "/v1/notifications"))["data"]["notifications"]:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert team
    return spread


async def _tables_with_marker(here: World) -> set[str]:
    """Return the tables that have the marker in any text, JSON or bytes."""
    found = set()
    for table in metadata.sorted_tables:
        name = f'{table.schema}."{table.name}"'
        select = (
            f"SELECT count(*) AS n FROM {name} t WHERE to_jsonb(t)::text ILIKE :text OR to_jsonb(t)::text ILIKE :hex"
        )
        ((row),) = await run_sql(here.core.frame.db, select, text=f"%{MARKER}%", hex=f"%{MARKER.encode().hex()}%")
        if row["n"]:
            found.add(table.fullname)
    return found


async def _erase(here: World, spread: Spread) -> dict[str, Any]:
    other = await here.caller("second owner")
    path = f"/v1/projects/{spread.project_id}/members/{other.user_id}"
    await here.call(spread.owner, "PUT", path, json={"role": "owner"})
    erased = await here.call(spread.admin, "DELETE", f"/v1/users/{spread.person.user_id}")
    user: dict[str, Any] = erased["data"]["user"]
    return user


async def test_nothing_of_an_erased_person_is_left_but_ids(here: World) -> None:
    spread = await _spread(here)
    assert await _tables_with_marker(here) == {"identity.user", "identity.api_key", "environment.project"}
    before = await spread.seen(here)
    assert before.count(MARKER) > 10
    user = await _erase(here, spread)
    assert (user["user_id"], user["staff_name"], user["email"], user["grade_level"]) == (
        spread.person.user_id,
        "",
        "",
        None,
    )
    assert user["deleted_at"]
    assert await _tables_with_marker(here) == set()
    after = await spread.seen(here)
    assert MARKER.lower() not in after.lower()
    assert "robin@example.com" in after, "another person of the same project stays"
    assert spread.person.user_id in after, "ids stay"
    actions = [row["action"] for row in await run_sql(here.core.frame.db, "SELECT action FROM audit.entry")]
    assert "/catenary.platform.v1.UserService/DeleteUser" in actions
    types = [row["type"] for row in await run_sql(here.core.frame.db, "SELECT type FROM events.event")]
    assert types.count("environment.project.updated") == 2
    assert types.count("project.permission.changed") == 2, "of the two links that the person made"


@pytest.mark.slow
async def test_what_lets_an_erased_person_in_ends_soon(here: World) -> None:
    spread = await _spread(here)
    path = f"/v1/projects/{spread.project_id}/variants"
    await _erase(here, spread)
    async with asyncio.timeout(END_SECONDS + 1):
        for socket in spread.sockets:
            assert await socket.closed() == 1008
        for headers in (spread.person.headers, spread.key, *(one.headers for one in spread.links[:2])):
            while True:
                async with here.http.get(
                    f"{here.url}/v1/projects/{spread.project_id}/parameters", headers=headers
                ) as got:
                    if got.status == 401:
                        break
                await asyncio.sleep(0.1)
    assert await status(here, spread.links[2], path) == 200, "the link of somebody else"
    grant = {"grant_type": "client_credentials", "client_id": spread.person.client_id}
    sent = {**grant, "client_secret": spread.person.client_secret}
    async with here.http.post(f"{here.url}/v1/auth/token", json=sent) as answer:
        assert answer.status == 401


@pytest.mark.slow
async def test_an_invited_person_is_erased_from_the_invitation_too(here: World) -> None:
    admin, owner = await here.caller("admin", admin=True), await here.caller("owner")
    token, _ = await invite(here, owner, await here.project(owner), email=EMAIL, staff_name=MARKER)
    browser = Browser(here)
    await browser.sign_in(invitation=token)
    assert await _tables_with_marker(here) == {"identity.user", "projects.invitation"}
    person = (await browser.me())["user_id"]
    await here.call(admin, "DELETE", f"/v1/users/{person}")
    assert await _tables_with_marker(here) == set()
    await browser.refresh(401)
    async with asyncio.timeout(END_SECONDS + 1):
        while await browser.status("/v1/users/me") != 401:  # noqa: ASYNC110 (another task ends it)
            await asyncio.sleep(0.1)


async def test_the_trail_stays_whole_without_the_persons_addresses(here: World) -> None:
    spread = await _spread(here)
    addresses = (
        "SELECT count(*) AS n FROM audit.entry e LEFT JOIN audit.address a USING (sequence)"
        " WHERE e.actor_id = :id AND coalesce(e.address, a.address) IS NOT NULL"
    )
    waiting = "SELECT count(*) AS n FROM audit.entry WHERE chain_sequence IS NULL AND open_until IS NULL"
    db, id_ = here.core.frame.db, spread.person.user_id
    async with asyncio.timeout(SECONDS):
        while (await run_sql(db, waiting))[0]["n"]:  # noqa: ASYNC110 (the chain follows)
            await asyncio.sleep(0.05)
    assert (await run_sql(db, addresses, id=id_))[0]["n"] > 3
    await _erase(here, spread)
    assert (await run_sql(db, addresses, id=id_))[0]["n"] == 0
    assert (await run_sql(db, "SELECT count(*) AS n FROM audit.address"))[0]["n"] > 0, "those of others stay"
    async with db.read() as tx:
        assert (await verify(tx, here.core.frame.secrets)).break_ is None


async def test_the_last_owner_is_refused_with_the_projects_ids(here: World) -> None:
    admin, person, other = await here.caller("admin", admin=True), await here.caller("p"), await here.caller("o")
    alone = [await here.project(person) for _ in range(2)]
    shared = await here.project(person)
    await here.call(person, "PUT", f"/v1/projects/{shared}/members/{other.user_id}", json={"role": "owner"})
    for version in ("v1", "v2"):
        refused = await here.call(admin, "DELETE", f"/{version}/users/{person.user_id}", 409)
        assert (refused["error"]["code"], refused["error"]["details"]["project_ids"]) == ("CONFLICT", sorted(alone))
    async with grpc.aio.insecure_channel(f"127.0.0.1:{here.node.grpc_port}") as channel:
        stub = user_service_pb2_grpc.UserServiceStub(channel)
        request = user_service_pb2.DeleteUserRequest(user_id=person.user_id)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.DeleteUser(request, metadata=(("authorization", f"Bearer {admin.token}"),))
        found = rpc_status.from_call(caught.value)
        assert found is not None
        info = error_details_pb2.ErrorInfo()
        found.details[0].Unpack(info)
        assert all(id_ in info.metadata["project_ids"] for id_ in alone)
        for project_id in alone:
            await here.call(person, "DELETE", f"/v1/projects/{project_id}")
        answer = await stub.DeleteUser(request, metadata=(("authorization", f"Bearer {admin.token}"),))
    assert (answer.user.user_id, answer.user.staff_name) == (person.user_id, "")
    await here.call(admin, "DELETE", f"/v1/users/{person.user_id}", 404)
    await here.call(other, "DELETE", f"/v1/users/{other.user_id}", 403)
    await here.call(admin, "DELETE", "/v1/users/nobody", 400)


async def test_every_admin_but_the_last_may_erase_themselves(here: World) -> None:
    admin = await here.caller("admin", admin=True)
    await here.call(admin, "DELETE", f"/v1/users/{admin.user_id}", 409)
    await here.caller("second", admin=True)
    gone = (await here.call(admin, "DELETE", f"/v1/users/{admin.user_id}"))["data"]["user"]
    assert (gone["user_id"], gone["staff_name"]) == (admin.user_id, "")


# What the guard does: a deletion alone leaves the person.


@pytest.mark.slow
async def test_a_deletion_without_the_erasure_leaves_the_person(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ended(self: Erasure, tx: Transaction, call: Call, user_id: str) -> Any:
        return await rules.end_user(tx, user_id)

    monkeypatch.setattr(Erasure, "erase", ended)
    spread = await _spread(here)
    await _erase(here, spread)
    assert await _tables_with_marker(here) == {"identity.user", "identity.api_key", "environment.project"}
    assert MARKER in await spread.repeated(here)
    path = f"/v1/projects/{spread.project_id}/parameters"
    assert await status(here, spread.links[0], path) == 200
