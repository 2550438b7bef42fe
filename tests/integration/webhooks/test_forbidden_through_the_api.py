"""The forbidden targets through the API: made, changed, and delivered to when they were allowed once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import psycopg

from factories.events.world import Caller, World, world
from factories.webhooks.receivers import Canary
from factories.webhooks.targets import ROWS, ours, reaches

ALLOWED = "https://hooks.example.com/catenary"


async def test_no_webhook_is_made_with_or_changed_to_a_forbidden_url(
    started_dsn: str, tmp_path: Path, canary: Canary
) -> None:
    async with world(started_dsn, tmp_path) as here:
        owner = await here.caller("o")
        made = await here.call(owner, "POST", "/v1/webhooks", 201, json={"url": ALLOWED, "events": ["*"]})
        path = f"/v1/webhooks/{made['data']['webhook']['webhook_id']}"
        for row in (*ROWS, *ours()):
            url = row.at(canary.port)
            for method, where, body in (
                ("POST", "/v1/webhooks", {"url": url, "events": ["*"]}),
                ("PATCH", path, {"url": url}),
            ):
                refused = await here.call(owner, method, where, 400, json=body)
                assert refused["error"]["code"] == "VALIDATION_ERROR", row.name
                assert refused["error"]["details"]["parameter"] == "url", row.name
                assert "password@" not in str(refused), row.name
        listed = await here.call(owner, "GET", "/v1/webhooks")
        assert [webhook["url"] for webhook in listed["data"]["webhooks"]] == [ALLOWED]
        # What the canary saw, it would have seen by now: nothing was dialled to refuse it.
        assert await canary.touched() == 0


async def test_what_was_allowed_once_is_not_delivered_to_when_the_setting_is_gone(
    started_dsn: str, tmp_path: Path, canary: Canary
) -> None:
    rows = [row for row in ROWS if row.reached == "open" and reaches(row.host) and row.url.startswith("https://")][:8]
    assert len(rows) >= 4
    async with world(started_dsn, tmp_path, webhook_allow_private=True) as here:
        owner = await here.caller("o")
        for row in rows:
            body = {"url": row.at(canary.port), "events": ["project.created"]}
            await here.call(owner, "POST", "/v1/webhooks", 201, json=body)
        webhooks = (await here.call(owner, "GET", "/v1/webhooks"))["data"]["webhooks"]
        logs = [f"/v1/webhooks/{webhook['webhook_id']}/deliveries" for webhook in webhooks]
        await here.project(owner)
        for log in logs:
            await _tried(here, owner, log)
        assert await canary.touched() == len(rows)
    with psycopg.connect(started_dsn, autocommit=True) as connection:
        connection.execute("UPDATE webhooks.delivery SET next_at = clock_timestamp() WHERE status = 'pending'")
    async with world(started_dsn, tmp_path) as here:
        for log in logs:
            last = (await _tried(here, owner, log, 2))[-1]
            assert last["response_status"] is None
            assert last["reason"].startswith("url must go to a public address")
        assert await canary.touched() == 0


async def _tried(here: World, owner: Caller, log: str, tries: int = 1) -> list[dict[str, Any]]:
    """Return the attempts at the first delivery in a webhook's log, once there are `tries`."""
    async with asyncio.timeout(60):
        while True:
            deliveries = (await here.call(owner, "GET", log))["data"]["deliveries"]
            if deliveries and len(deliveries[-1]["attempts"]) >= tries:
                return list(deliveries[-1]["attempts"])
            await asyncio.sleep(0.1)
