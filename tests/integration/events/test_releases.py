"""`system.service.updated` of a new release at its first start."""

from __future__ import annotations

import asyncio

from catenary_core.database.transactions import Database
from catenary_core.services.events import releases
from factories.services.calls import events_of


async def _announce(db: Database, release: str | None) -> None:
    async with db.transaction() as tx:
        await releases.announce(tx, release)


async def test_a_release_is_told_of_once_however_many_nodes_start(db: Database) -> None:
    await asyncio.gather(*(_announce(db, "1.0") for _ in range(4)))
    await _announce(db, "1.0")
    await _announce(db, None)
    await _announce(db, "1.1")
    await _announce(db, "1.0")
    told = await events_of(db)
    assert [(event["type"], event["actor_id"]) for event in told] == [("system.service.updated", None)] * 2
    assert [event["data"]["system_event"]["release"] for event in told] == ["1.0", "1.1"]
