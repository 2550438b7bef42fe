"""`notification.created` at webhooks: once, at those of its user, and never around in a circle."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from factories.webhooks.world import Hooks, hooks

TOLD = "notification.created"


@pytest.fixture
async def here(dsn: str, tmp_path: Path) -> AsyncIterator[Hooks]:
    async with hooks(dsn, tmp_path) as made:
        yield made


def _told(here: Hooks, path: str) -> list[str]:
    """Return the kinds of the notifications that a path was told of."""
    events = [request.event for request in here.receiver.of(path)]
    return [event["data"]["notification"]["kind"] for event in events if event["type"] == TOLD]


async def test_its_users_webhooks_get_it_once_and_no_others(here: Hooks) -> None:
    world = here.world
    owner, friend, admin = await world.caller("o"), await world.caller("f"), await world.caller("ada", admin=True)
    await here.webhook(friend, "/all")
    await here.webhook(friend, "/category", "notification.*")
    await here.webhook(owner, "/owner")
    await here.webhook(admin, "/admin")
    await world.project(owner, viewer=friend)
    await here.receiver.got(1, "/category")
    end = {"type": "system.maintenance", "message": "The end."}
    await world.call(admin, "POST", "/v1/system_events", 201, json=end)

    def ended(path: str) -> bool:
        return any(request.event["type"] == end["type"] for request in here.receiver.of(path))

    async with asyncio.timeout(60):
        while not all(ended(path) for path in ("/all", "/owner", "/admin")):  # noqa: ASYNC110 (another task receives)
            await asyncio.sleep(0.05)
    assert (_told(here, "/all"), _told(here, "/category")) == (["share"], ["share"])
    assert _told(here, "/owner") == _told(here, "/admin") == []


async def test_a_disabled_webhook_is_told_to_the_others_and_ends_there(here: Hooks) -> None:
    owner, friend = await here.world.caller("o"), await here.world.caller("f")
    here.receiver.answers |= {"/gone": 410, "/gone_too": 410}
    gone = [await here.webhook(friend, path, "notification.*") for path in ("/gone", "/gone_too")]
    await here.webhook(friend, "/all", "notification.*")
    await here.world.project(owner, viewer=friend)
    for webhook in gone:
        await here.disabled(friend, webhook)
    await here.receiver.got(3, "/all")
    await here.passed()
    await asyncio.sleep(1)
    assert sorted(_told(here, "/all")) == ["share", "webhook_disabled", "webhook_disabled"]
    assert len(here.sql("SELECT 1 FROM notifications.notification WHERE user_id = %s", friend.user_id)) == 3
    assert max(len(_told(here, path)) for path in ("/gone", "/gone_too")) <= 2
    assert not here.sql("SELECT 1 FROM webhooks.delivery WHERE status = 'pending'")
