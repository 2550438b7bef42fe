"""A process that dies while it sends leaves nothing undelivered."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from pathlib import Path

import pytest
from aiohttp import web

from catenary_core.database.transactions import Database
from catenary_core.services.webhooks.deliveries.deliverer import LEASE_SECONDS
from catenary_core.services.webhooks.deliveries.sender import TOTAL_SECONDS
from factories.events.world import write
from factories.webhooks.world import Request, hooks, receiving, run_core


@pytest.mark.slow
async def test_what_a_killed_process_was_sending_another_one_sends(dsn: str, db: Database, tmp_path: Path) -> None:
    async def hang(_: Request) -> web.Response:
        await asyncio.Event().wait()
        raise AssertionError("nothing ends it")

    async with receiving() as receiver:
        async with hooks(dsn, tmp_path, receiver=receiver) as here:
            owner = await here.world.caller("o")
            webhook = await here.webhook(owner, "/hook", "system.*")
        receiver.answers["/hook"] = hang
        context = multiprocessing.get_context("spawn")
        started = context.Event()
        process = context.Process(target=run_core, args=(dsn, str(tmp_path), started), daemon=True)
        process.start()
        try:
            assert await asyncio.to_thread(started.wait, 60)
            await write(db, "system.maintenance")
            await receiver.got(1)
        finally:
            process.kill()
            process.join()
        (left,) = here.sql(
            "SELECT status, attempts, extract(epoch FROM lease_until)::float AS lease_until FROM webhooks.delivery"
        )
        assert (left["status"], left["attempts"]) == ("pending", 1)
        assert TOTAL_SECONDS < LEASE_SECONDS
        assert left["lease_until"] < time.time() + LEASE_SECONDS
        receiver.answers["/hook"] = 200
        here.sql("UPDATE webhooks.delivery SET lease_until = clock_timestamp()")
        async with hooks(dsn, tmp_path, receiver=receiver) as here:
            first, second = await receiver.got(2)
            assert (second.id, second.body) == (first.id, first.body)
            admin = await here.world.caller("admin", admin=True)
            assert (await here.ended(admin, webhook))["status"] == "delivered"
