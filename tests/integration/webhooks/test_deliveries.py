"""Events reach webhooks: signed, again until they are accepted, and to those alone who may see them.

See guide/webhooks.md, "What it is sent".
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
import standardwebhooks
from aiohttp import web

from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.services.webhooks.deliveries import schedule
from catenary_core.services.webhooks.deliveries.fan_out import DeliveryFanOut
from factories.webhooks.world import SECONDS, Hooks, Request, hooks


@pytest.fixture
async def here(dsn: str, tmp_path: Path) -> AsyncIterator[Hooks]:
    async with hooks(dsn, tmp_path) as made:
        yield made


async def test_an_event_arrives_signed_and_as_the_websocket_shows_it(here: Hooks) -> None:
    owner = await here.world.caller("o")
    webhook = await here.webhook(owner, "/hook", "project.*")
    socket = await here.world.socket(owner, types="project.created")
    await here.happen(owner, "Brücke")
    shown = (await socket.ws.receive(SECONDS)).data
    (request,) = await here.receiver.got(1)
    assert request.body.decode() == shown
    assert request.headers["content-type"] == "application/json"
    assert request.id == request.event["id"]
    standardwebhooks.Webhook(webhook["secret"]).verify(request.body, dict(request.headers))
    delivery = await here.ended(owner, webhook)
    assert delivery["status"] == "delivered"
    assert delivery["event_id"] == request.id
    assert delivery["event_type"] == "project.created"
    assert delivery["next_attempt_at"] is None
    assert delivery["completed_at"] is not None
    assert delivery["request_excerpt"] == shown
    (attempt,) = delivery["attempts"]
    assert (attempt["response_status"], attempt["response_excerpt"], attempt["reason"]) == (200, "seen", None)


@pytest.mark.slow
async def test_a_delivery_that_fails_is_tried_eight_times_and_then_the_webhook_is_disabled(here: Hooks) -> None:
    owner = await here.world.caller("o")
    webhook = await here.webhook(owner, "/broken", "project.created")
    here.receiver.answers["/broken"] = 500
    await here.happen(owner)
    for tried in range(1, 8):
        delivery = await here.ended(owner, webhook, tried)
        assert (delivery["status"], delivery["completed_at"]) == ("pending", None)
        pause = here.sql("SELECT extract(epoch FROM next_at - updated_at)::float AS s FROM webhooks.delivery")[0]["s"]
        assert schedule.RETRIES[tried - 1] <= pause <= schedule.RETRIES[tried - 1] * 1.2
        here.hurry()
    delivery = await here.ended(owner, webhook, 8)
    assert (delivery["status"], delivery["next_attempt_at"]) == ("failed", None)
    assert [attempt["response_status"] for attempt in delivery["attempts"]] == [500] * 8
    requests = here.receiver.of("/broken")
    assert len(requests) == 8
    assert {(request.id, request.body) for request in requests} == {(delivery["event_id"], requests[0].body)}
    for request in requests:
        standardwebhooks.Webhook(webhook["secret"]).verify(request.body, dict(request.headers))
    assert (await here.disabled(owner, webhook))["disabled_reason"] == "failed"
    (told,) = (await here.world.call(owner, "GET", "/v1/notifications"))["data"]["notifications"]
    assert (told["kind"], told["subject"]) == ("webhook_disabled", f"/v1/webhooks/{webhook['webhook_id']}")


async def test_a_longer_retry_after_is_waited_for(here: Hooks) -> None:
    async def busy(_: Request) -> web.Response:
        return web.Response(status=503, headers={"Retry-After": "1000"})

    owner = await here.world.caller("o")
    webhook = await here.webhook(owner, "/busy", "project.created")
    here.receiver.answers["/busy"] = busy
    await here.happen(owner)
    await here.ended(owner, webhook)
    pause = here.sql("SELECT extract(epoch FROM next_at - updated_at)::float AS s FROM webhooks.delivery")[0]["s"]
    assert pause == pytest.approx(1000)


async def test_410_disables_at_once_and_cancels_what_waits(here: Hooks) -> None:
    owner = await here.world.caller("o")
    webhook = await here.webhook(owner, "/moved", "project.created")
    here.receiver.answers["/moved"] = 500
    await here.happen(owner, "First")
    first = await here.ended(owner, webhook)
    here.receiver.answers["/moved"] = 410
    await here.happen(owner, "Second")
    await here.receiver.got(2, "/moved")
    assert (await here.disabled(owner, webhook))["disabled_reason"] == "gone"
    second, kept = await here.deliveries(owner, webhook)
    assert (second["status"], len(second["attempts"])) == ("failed", 1)
    assert (kept["delivery_id"], kept["status"]) == (first["delivery_id"], "cancelled")
    # What happens now goes nowhere, until the webhook is enabled again; redelivery and tests are refused.
    path = f"/v1/webhooks/{webhook['webhook_id']}"
    for action in ("test", f"deliveries/{kept['delivery_id']}/redeliver"):
        await here.world.call(owner, "POST", f"{path}/{action}", 409, json={})
    await here.happen(owner, "Unseen")
    await here.passed()
    here.receiver.answers["/moved"] = 200
    enabled = (await here.world.call(owner, "PATCH", path, json={"status": "enabled"}))["data"]["webhook"]
    assert (enabled["status"], enabled["disabled_reason"]) == ("enabled", None)
    await here.happen(owner, "Seen")
    names = [request.event["data"]["project"]["name"] for request in await here.receiver.got(3, "/moved")]
    assert names == ["First", "Second", "Seen"]


async def test_a_delivery_is_delivered_again_with_all_its_attempts(here: Hooks) -> None:
    owner = await here.world.caller("o")
    webhook = await here.webhook(owner, "/hook", "project.created")
    await here.happen(owner)
    delivery = await here.ended(owner, webhook)
    path = f"/v1/webhooks/{webhook['webhook_id']}/deliveries/{delivery['delivery_id']}/redeliver"
    here.receiver.answers["/hook"] = 500
    again = (await here.world.call(owner, "POST", path, json={}))["data"]["delivery"]
    assert (again["delivery_id"], again["status"], again["completed_at"]) == (delivery["delivery_id"], "pending", None)
    assert (await here.ended(owner, webhook, 2))["status"] == "pending"
    here.receiver.answers["/hook"] = 200
    # Before its time, which is in minutes.
    await here.world.call(owner, "POST", path, json={})
    delivery = await here.ended(owner, webhook, 3)
    assert [attempt["response_status"] for attempt in delivery["attempts"]] == [200, 500, 200]
    assert delivery["status"] == "delivered"
    assert len({request.id for request in here.receiver.of()}) == 1


async def test_what_is_being_sent_is_not_begun_anew(here: Hooks) -> None:
    asked, go = asyncio.Event(), asyncio.Event()

    async def slow(_: Request) -> web.Response:
        asked.set()
        await go.wait()
        return web.Response()

    owner = await here.world.caller("o")
    webhook = await here.webhook(owner, "/slow", "project.created")
    here.receiver.answers["/slow"] = slow
    await here.happen(owner)
    await asked.wait()
    (delivery,) = await here.deliveries(owner, webhook)
    path = f"/v1/webhooks/{webhook['webhook_id']}/deliveries/{delivery['delivery_id']}/redeliver"
    refused = await here.world.call(owner, "POST", path, 409, json={})
    assert refused["error"]["code"] == "CONFLICT"
    go.set()
    assert (await here.ended(owner, webhook))["status"] == "delivered"
    assert len(here.receiver.of("/slow")) == 1


async def test_a_test_goes_to_the_webhook_alone_and_once(here: Hooks) -> None:
    owner = await here.world.caller("o")
    webhook = await here.webhook(owner, "/hook", "model.*")
    other = await here.webhook(owner, "/other", "*")
    socket = await here.world.socket(owner)
    here.receiver.answers["/hook"] = 500
    path = f"/v1/webhooks/{webhook['webhook_id']}/test"
    made = (await here.world.call(owner, "POST", path, json={}))["data"]["delivery"]
    (request,) = await here.receiver.got(1)
    standardwebhooks.Webhook(webhook["secret"]).verify(request.body, dict(request.headers))
    assert request.id == request.event["id"] == made["event_id"]
    assert request.event.keys() == {"id", "type", "occurred_at", "project_id", "actor_id", "subject", "data"}
    assert (request.event["type"], request.event["actor_id"]) == ("webhook.test", owner.user_id)
    assert request.event["data"] == {"webhook": {key: webhook[key] for key in webhook if key != "secret"}}
    delivery = await here.ended(owner, webhook)
    assert (delivery["status"], delivery["attempts"][0]["response_status"]) == ("failed", 500)
    assert (await here.state(owner, webhook))["status"] == "enabled"
    assert await here.deliveries(owner, other) == []
    await socket.silence()


async def test_after_a_rotation_both_secrets_sign_for_24_hours(here: Hooks) -> None:
    owner = await here.world.caller("o")
    webhook = await here.webhook(owner, "/hook", "project.created")
    path = f"/v1/webhooks/{webhook['webhook_id']}/rotate_secret"
    second = (await here.world.call(owner, "POST", path, json={}))["data"]["secret"]
    given = {"secret": "correct horse battery staple"}
    third = (await here.world.call(owner, "POST", path, json=given))["data"]["secret"]
    secrets = [webhook["secret"], second, third]
    assert len(set(secrets)) == 3

    async def signed_with(count: int) -> list[bool]:
        await here.happen(owner)
        request = (await here.receiver.got(count))[-1]
        return [_verifies(secret, request) for secret in secrets]

    assert await signed_with(1) == [True, True, True]
    ends = here.sql(
        "SELECT extract(epoch FROM ends_at - clock_timestamp())::float AS s FROM webhooks.secret ORDER BY created_at"
    )
    assert [end["s"] and round(end["s"] / 3600) for end in ends] == [24, 24, None]
    here.sql("UPDATE webhooks.secret SET ends_at = ends_at - interval '24 hours'")
    assert await signed_with(2) == [False, False, True]


def _verifies(secret: str, request: Request) -> bool:
    try:
        standardwebhooks.Webhook(secret).verify(request.body, dict(request.headers))
    except standardwebhooks.WebhookVerificationError:
        return False
    return True


async def test_without_an_enabled_webhook_no_event_is_looked_at(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    make = DeliveryFanOut.make

    async def noted(self: DeliveryFanOut, tx: Transaction, events: Sequence[Row]) -> None:
        seen.extend(event["data"]["project"]["name"] for event in events)
        await make(self, tx, events)

    monkeypatch.setattr(DeliveryFanOut, "make", noted)
    async with hooks(dsn, tmp_path) as here:
        owner = await here.world.caller("o")
        await here.happen(owner, "Before")
        await here.passed()
        webhook = await here.webhook(owner, "/hook", "project.created")
        path = f"/v1/webhooks/{webhook['webhook_id']}"
        await here.world.call(owner, "PATCH", path, json={"status": "disabled"})
        await here.happen(owner, "Meanwhile")
        await here.passed()
        await here.world.call(owner, "PATCH", path, json={"status": "enabled"})
        await here.happen(owner, "Now")
        await here.receiver.got(1)
    assert seen == ["Now"]
