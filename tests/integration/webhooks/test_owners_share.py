"""One user whose addresses all hang, beside another; and what would happen without the cap of an owner."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from aiohttp import web

from catenary_core.services.webhooks import deliverer
from catenary_core.services.webhooks.sender import Sender
from factories.following import until
from factories.webhook_world import Hooks, Request, hooks

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


async def test_a_user_whose_addresses_hang_delays_no_other(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with _beside_dead_addresses(dsn, tmp_path, monkeypatch, PER_OWNER) as here:
        await here.receiver.got(1, "/alive")
        assert here.receiver.most_at_once == PER_OWNER


async def test_without_the_cap_of_an_owner_it_would(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with _beside_dead_addresses(dsn, tmp_path, monkeypatch, 1000) as here:
        await here.passed()
        await asyncio.sleep(2)
        assert here.receiver.most_at_once == SLOTS
        assert here.receiver.of("/alive") == []
