"""One user whose addresses all hang, beside another; and what would happen without the cap of an owner."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import psycopg
import pytest
from aiohttp import web

from catenary_core.database import wakeups
from catenary_core.database.transactions import Database
from catenary_core.services.webhooks.deliveries import deliverer, queries
from catenary_core.services.webhooks.deliveries.sender import Sender
from factories.events.consumers import until
from factories.webhooks.world import Hooks, Request, hooks

SLOTS, PER_OWNER = 4, 3


@asynccontextmanager
async def _beside_dead_addresses(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch, per_owner: int
) -> AsyncIterator[Hooks]:
    """Six webhooks of a user whose addresses hang without end, each with an event; then an event for another user's."""
    monkeypatch.setattr(deliverer, "SLOTS", SLOTS)
    monkeypatch.setattr(deliverer, "PER_OWNER", per_owner)
    monkeypatch.setattr(deliverer, "LEASE_SECONDS", 1200)
    monkeypatch.setattr(deliverer, "Sender", partial(Sender, total=600))
    monkeypatch.setattr(deliverer, "STOP_SECONDS", 0.1)
    async with hooks(dsn, folder) as here:
        first, second = await here.world.caller("first"), await here.world.caller("second")
        for number in range(6):
            here.receiver.answers[f"/dead{number}"] = _hang
            await here.webhook(first, f"/dead{number}", "project.created")
        await here.webhook(second, "/alive", "project.created")
        await here.happen(first)
        await until(lambda: len(here.receiver.requests) >= min(SLOTS, per_owner))
        await here.happen(second)
        yield here


async def _hang(_: Request) -> web.Response:
    await asyncio.Event().wait()
    raise AssertionError("nothing ends it")


@pytest.mark.slow
async def test_a_user_whose_addresses_hang_delays_no_other(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with _beside_dead_addresses(dsn, tmp_path, monkeypatch, PER_OWNER) as here:
        await here.receiver.got(1, "/alive")
        assert here.receiver.most_at_once == PER_OWNER


@pytest.mark.slow
async def test_without_the_cap_of_an_owner_it_would(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with _beside_dead_addresses(dsn, tmp_path, monkeypatch, 1000) as here:
        await here.passed()
        await asyncio.sleep(2)
        assert here.receiver.most_at_once == SLOTS
        assert here.receiver.of("/alive") == []


# Of one user: five webhooks with five deliveries each that have long been due, and a sixth that has one since a moment ago.
_FILL = """
    WITH owner AS (SELECT gen_random_uuid() AS id), made AS (
        INSERT INTO webhooks.webhook (webhook_id, url, events, user_id, after_sequence)
        SELECT gen_random_uuid(), 'https://example.com/' || n, '{*}', owner.id, 0 FROM owner, generate_series(1, 6) n
        RETURNING webhook_id, url
    )
    INSERT INTO webhooks.delivery (delivery_id, webhook_id, event_id, event_type, next_at)
    SELECT gen_random_uuid(), webhook_id, gen_random_uuid(), 'project.created',
           CASE WHEN url LIKE '%/6' THEN clock_timestamp() ELSE timestamptz '2026-01-01' END
      FROM made, generate_series(1, 5) n
     WHERE n = 1 OR url NOT LIKE '%/6'
"""
_END_ONE = """
    DELETE FROM webhooks.delivery WHERE delivery_id = (
        SELECT delivery_id FROM webhooks.delivery JOIN webhooks.webhook USING (webhook_id)
         WHERE lease_until IS NOT NULL AND url = %s LIMIT 1)
"""


_POSTPONE = """
    UPDATE webhooks.delivery d SET next_at = clock_timestamp() + interval '1 hour'
      FROM webhooks.webhook w
     WHERE w.webhook_id = d.webhook_id AND w.url = 'https://example.com/1' AND d.lease_until IS NULL
"""


async def test_of_a_users_webhooks_the_one_with_the_fewest_on_their_way_is_next(db: Database, dsn: str) -> None:
    async def lease() -> list[str]:
        given = {"most": 100, "per_webhook": 8, "per_owner": 5, "seconds": 60.0, "token": str(uuid.uuid4())}
        async with db.read() as tx:
            rows = await tx.all(queries.LEASE, **given)
        return sorted(row["url"].rpartition("/")[2] for row in rows)

    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(_FILL)
        assert await lease() == ["1", "2", "3", "4", "5"], "one of each, of what waited longest"
        assert await lease() == [], "as many as may be"
        connection.execute(_END_ONE, ["https://example.com/1"])
        # The first has none on its way either, and has waited longer.
        assert await lease() == ["1"]
        connection.execute(_POSTPONE)
        connection.execute(_END_ONE, ["https://example.com/1"])
        assert await lease() == ["6"], "the others have one on its way each, though more of theirs waited longer"


async def test_what_waits_for_a_place_is_sent_when_one_is_free_though_nobody_looks_by_himself(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliverer, "PER_OWNER", 2)
    monkeypatch.setattr(deliverer, "POLL_SECONDS", 600.0)
    monkeypatch.setattr(wakeups, "POLL_SECONDS", 600.0)
    async with hooks(dsn, tmp_path) as here:
        owner = await here.world.caller("o")
        for number in range(7):
            await here.webhook(owner, f"/{number}", "project.created")
        await here.happen(owner)
        await until(lambda: len(here.receiver.requests) == 7)
