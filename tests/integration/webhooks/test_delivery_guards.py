"""The guards of deliveries when receivers hang, leases end and people lose their roles; and the faults without them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from aiohttp import web

from catenary_core.database.statements import Statement
from catenary_core.services.webhooks.deliveries import deliverer, queries
from catenary_core.services.webhooks.tables import delivery
from factories.events.world import Caller
from factories.webhooks.world import Hooks, Request, hooks

pytestmark = pytest.mark.sampled


@pytest.fixture
async def here(dsn: str, tmp_path: Path) -> AsyncIterator[Hooks]:
    async with hooks(dsn, tmp_path) as made:
        yield made


async def _hang(_: Request) -> web.Response:
    await asyncio.Event().wait()
    raise AssertionError("nothing ends it")


@asynccontextmanager
async def _with_a_dead_address(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch, per_webhook: int
) -> AsyncIterator[Hooks]:
    """Four slots, six events for an address that hangs without end, and one for another address."""
    monkeypatch.setattr(deliverer, "SLOTS", 4)
    monkeypatch.setattr(deliverer, "PER_WEBHOOK", per_webhook)
    monkeypatch.setattr(deliverer, "STOP_SECONDS", 0.1)
    async with hooks(dsn, folder) as here:
        owner = await here.world.caller("o")
        here.receiver.answers["/dead"] = _hang
        await here.webhook(owner, "/dead", "project.created")
        for _ in range(6):
            await here.happen(owner)
        await here.receiver.got(min(4, per_webhook), "/dead")
        await here.webhook(owner, "/alive", "project.updated")
        project = await here.happen(owner)
        await here.world.call(owner, "PATCH", f"/v1/projects/{project}", json={"name": "Seen"})
        yield here


async def test_an_address_that_hangs_delays_no_other(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with _with_a_dead_address(dsn, tmp_path, monkeypatch, 2) as here:
        await here.receiver.got(1, "/alive")
        assert here.receiver.most_at_once == 2


@pytest.mark.slow
async def test_without_the_cap_of_a_webhook_it_would(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with _with_a_dead_address(dsn, tmp_path, monkeypatch, 1000) as here:
        await here.passed()
        await asyncio.sleep(2)
        assert here.receiver.most_at_once == 4
        assert here.receiver.of("/alive") == []


async def _overtaken(here: Hooks) -> tuple[Caller, dict[str, Any]]:
    """Return the owner and the webhook of a delivery that was sent twice.

    The first attempt goes on beyond its lease, and is answered with 410 now, after a second one was accepted.
    """
    go = asyncio.Event()
    count = 0

    async def first_waits(_: Request) -> web.Response:
        nonlocal count
        count += 1
        if count > 1:
            return web.Response()
        await go.wait()
        return web.Response(status=410)

    owner = await here.world.caller("o")
    here.receiver.answers["/slow"] = first_waits
    webhook = await here.webhook(owner, "/slow", "project.created")
    await here.happen(owner)
    await here.receiver.got(1, "/slow")
    here.sql("UPDATE webhooks.delivery SET lease_until = clock_timestamp()")
    first, second = await here.receiver.got(2, "/slow")
    assert (first.id, first.body) == (second.id, second.body)
    assert (await here.ended(owner, webhook))["status"] == "delivered"
    go.set()
    return owner, webhook


async def test_an_attempt_whose_lease_has_ended_does_not_count(here: Hooks) -> None:
    owner, webhook = await _overtaken(here)
    await asyncio.sleep(0.5)
    (found,) = await here.deliveries(owner, webhook)
    assert (found["status"], len(found["attempts"])) == ("delivered", 1)
    assert (await here.state(owner, webhook))["status"] == "enabled"


@pytest.mark.slow
async def test_without_the_token_it_would(here: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    anyone = Statement(
        sa.update(delivery)
        .where(
            delivery.c.delivery_id == sa.bindparam("held_id", type_=delivery.c.delivery_id.type),
            sa.cast(sa.bindparam("token", type_=sa.Text), sa.Text).is_not(None),
        )
        .values(
            log=sa.bindparam("new_log", type_=delivery.c.log.type),
            request_excerpt=sa.bindparam("sent", type_=sa.Text),
            status=sa.bindparam("new_status", type_=sa.Text),
            completed_at=sa.func.statement_timestamp(),
            lease_until=None,
            lease_token=None,
        )
    )
    monkeypatch.setattr(queries, "END", anyone)
    owner, webhook = await _overtaken(here)
    await here.disabled(owner, webhook)
    (found,) = await here.deliveries(owner, webhook)
    assert found["status"] == "failed"


async def _retried_after(here: Hooks, loss: Any) -> tuple[int, str]:
    """Return the number of requests to a member's webhook, and the delivery's status after `loss`.

    The first attempt fails, and then `loss` comes.
    """
    owner, member, other = await here.world.caller("o"), await here.world.caller("m"), await here.world.caller("x")
    here.receiver.answers["/member"] = 500
    project_id = await here.world.project(owner, viewer=member)
    webhook = await here.webhook(member, "/member", "project.updated")
    stranger = await here.webhook(other, "/stranger", "*")
    await here.world.call(owner, "PATCH", f"/v1/projects/{project_id}", json={"name": "Seen by members"})
    delivery = await here.ended(member, webhook)
    assert delivery["status"] == "pending"
    assert (
        here.sql(
            "SELECT delivery_id FROM webhooks.delivery WHERE webhook_id = $1::uuid".replace("$1", "%s"),
            stranger["webhook_id"],
        )
        == []
    )
    await loss(owner, member, project_id)
    here.receiver.answers["/member"] = 200
    here.hurry()
    async with asyncio.timeout(60):
        while True:
            (row,) = here.sql("SELECT status FROM webhooks.delivery")
            if row["status"] != "pending":
                return len(here.receiver.of("/member")), row["status"]
            await asyncio.sleep(0.05)


async def test_who_has_lost_the_role_is_sent_nothing_more(here: Hooks) -> None:
    async def loses_role(owner: Caller, member: Caller, project_id: str) -> None:
        await here.world.call(owner, "DELETE", f"/v1/projects/{project_id}/members/{member.user_id}")

    assert await _retried_after(here, loses_role) == (1, "cancelled")
    assert here.receiver.of("/stranger") == []


async def test_a_disabled_user_is_sent_nothing_more(here: Hooks) -> None:
    admin = await here.world.caller("admin", admin=True)

    async def is_disabled(_: Caller, member: Caller, __: str) -> None:
        await here.world.call(admin, "PATCH", f"/v1/users/{member.user_id}", json={"disabled": True})

    assert await _retried_after(here, is_disabled) == (1, "cancelled")


@pytest.mark.slow
async def test_without_the_look_at_delivery_time_who_has_lost_the_role_would_get_it(
    here: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def loses_role(owner: Caller, member: Caller, project_id: str) -> None:
        await here.world.call(owner, "DELETE", f"/v1/projects/{project_id}/members/{member.user_id}")
        monkeypatch.setattr(deliverer, "may_see", lambda *_: True)

    assert await _retried_after(here, loses_role) == (2, "delivered")


async def test_a_webhook_of_an_api_key_sees_what_the_key_may_see(here: Hooks) -> None:
    """Neither the other surfaces' events, nor, when its maker is an Admin, other people's."""
    admin, other = await here.world.caller("admin", admin=True), await here.world.caller("o")
    body = {"name": "k", "scopes": ["platform:write"]}
    key = (await here.world.call(admin, "POST", "/v1/api_keys", 201, json=body))["data"]["key"]
    assert (await _made_with(here, "/key", {"X-API-Key": key}))["scopes"] == ["platform:write"]
    whole = await here.webhook(admin, "/token")
    await here.happen(other, "Of others")
    await here.world.call(admin, "POST", "/qa/v2/record_types", 201, json={"name": "Another surface's"})
    await here.happen(admin, "Own")
    await here.receiver.got(3, "/token")
    await here.receiver.got(1, "/key")
    assert [one.event["data"]["project"]["name"] for one in here.receiver.of("/key")] == ["Own"]
    # The key can't turn the webhook that sees more to itself, nor read what that was sent.
    path = f"{here.world.url}/v1/webhooks/{whole['webhook_id']}"
    for method, end, sent in (
        ("PATCH", "", {"url": here.receiver.url("/key")}),
        ("POST", "/rotate_secret", {}),
        ("GET", "/deliveries", None),
        ("DELETE", "", None),
    ):
        async with here.world.http.request(method, path + end, json=sent, headers={"X-API-Key": key}) as answer:
            assert (answer.status, (await answer.json())["error"]["code"]) == (403, "PERMISSION_DENIED")


async def _made_with(here: Hooks, path: str, headers: dict[str, str]) -> dict[str, Any]:
    """Create a webhook by credentials, which sees nothing from before."""
    await here.passed()
    given = {"url": here.receiver.url(path), "events": ["*"]}
    async with here.world.http.post(f"{here.world.url}/v1/webhooks", json=given, headers=headers) as answer:
        assert answer.status == 201, await answer.text()
        made: dict[str, Any] = (await answer.json())["data"]["webhook"]
    return made


async def test_a_webhook_and_a_stream_of_a_narrowed_token_see_its_surfaces_only(here: Hooks) -> None:
    admin = await here.world.caller("admin", admin=True)
    sent = {"grant_type": "client_credentials", "client_id": admin.client_id, "client_secret": admin.client_secret}
    async with here.world.http.post(
        f"{here.world.url}/v1/auth/token", json={**sent, "scope": "platform:write"}
    ) as answer:
        narrow = {"Authorization": f"Bearer {(await answer.json())['access_token']}"}
    assert (await _made_with(here, "/narrow", narrow))["scopes"] == ["platform:write"]
    socket = await here.world.connect(narrow)
    whole = await here.webhook(admin, "/token")
    await here.world.call(admin, "POST", "/qa/v2/record_types", 201, json={"name": "Another surface's"})
    await here.happen(admin, "Own")
    await here.receiver.got(2, "/token")
    await here.receiver.got(1, "/narrow")
    assert [one.event["type"] for one in here.receiver.of("/narrow")] == ["project.created"]
    assert (await socket.event())["type"] == "project.created"
    path = f"{here.world.url}/v1/webhooks/{whole['webhook_id']}"
    async with here.world.http.patch(path, json={"url": here.receiver.url("/narrow")}, headers=narrow) as answer:
        assert answer.status == 403, "else it could turn a webhook that sees more to itself"


async def test_a_webhook_ends_with_the_api_key_that_made_it(here: Hooks) -> None:
    owner = await here.world.caller("o")
    body = {"name": "k", "scopes": ["platform:write"]}
    made = (await here.world.call(owner, "POST", "/v1/api_keys", 201, json=body))["data"]
    await _made_with(here, "/key", {"X-API-Key": made["key"]})
    await here.webhook(owner, "/token")
    await here.happen(owner, "Before")
    await here.receiver.got(1, "/key")
    await here.world.call(owner, "DELETE", f"/v1/api_keys/{made['api_key']['api_key_id']}")
    await here.happen(owner, "After")
    await here.receiver.got(2, "/token")
    await here.passed()
    assert [one.event["data"]["project"]["name"] for one in here.receiver.of("/key")] == ["Before"]
