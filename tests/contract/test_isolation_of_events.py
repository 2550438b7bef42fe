"""No event of what is hidden reaches an outsider: from the log nor live, whatever write it is of.

See guide/conventions.md, "Events".
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from catenary.options.v1 import options_pb2
from factories.isolation.operations import HIDDEN_KINDS, all_operations
from factories.isolation.principals import OUTSIDERS
from factories.isolation.world import CANARY, World, new_id, running_world
from factories.services.evaluations import run_sql

WRITES = [
    operation
    for operation in all_operations()
    if not operation.reads and any(place.hidden for place in operation.places)
]


REFUSED = {"POST /v1/studies/{study_id}/resume", "POST /v1/users/{user_id}/sign_in_links"}
"""Writes that no state of the world allows: its studies have not ended, and its users are clients."""


async def _write_everything(world: World) -> set[str]:
    """Each write on the hidden side, by who may do it; the ids that its events may name."""
    ids = {id_ for kind in HIDDEN_KINDS for id_ in world.hidden_ones(kind)}
    for operation in WRITES:
        admin = operation.privilege == options_pb2.PRIVILEGE_ADMIN
        given = await world.fresh(operation)
        ids |= {id_ for name, found in given.items() if operation.place(name).hidden for id_ in found}
        request = operation.request(world.ids("hidden", given))
        answer = await world.call("admin" if admin else "owner", request)
        assert answer.status < 300 or operation.name in REFUSED, (operation.name, answer)
    return ids


async def test_no_event_of_what_is_hidden_reaches_an_outsider(started_dsn: str, tmp_path: Path) -> None:
    async with running_world(started_dsn, tmp_path) as world:
        await world.add_common()
        await world.add_side("open")
        last = "SELECT id FROM events.event WHERE sequence IS NOT NULL ORDER BY sequence DESC LIMIT 1"
        (row,) = await run_sql(world.core.frame.db, last)
        marker = new_id()
        seeing = (*OUTSIDERS, "owner", "admin")
        live = {name: asyncio.create_task(world.events(name, row["id"], marker)) for name in seeing}
        await asyncio.sleep(0)
        await world.add_side("hidden")
        await world.add_deleted("hidden")
        ids = await _write_everything(world)
        # Seen by everybody, so that each stream is known to have come so far.
        comment = {
            "reference_id": marker,
            "reference_table": "x",
            "reference_url": "https://example.com",
            "content": "Seen",
        }
        await world.ok("outsider", "POST", "/comments/v2/comments", [comment])
        told = {(name, "live"): await task for name, task in live.items()}
        told |= {(name, "log"): await world.events(name, row["id"], marker) for name in seeing}
        for (name, way), text in told.items():
            named = {id_ for id_ in ids if id_ in text}
            if name in OUTSIDERS:
                assert (named, CANARY in text) == (set(), False), (name, way)
            else:
                assert len(named) > len(HIDDEN_KINDS) / 2, (name, way)
        async with world.guard_off():
            await asyncio.sleep(1.1)  # who sees a project is remembered for a second
            unguarded = await world.events("outsider", row["id"], marker)
        assert {id_ for id_ in ids if id_ in unguarded} >= {
            world.things["hidden"]["asset"],
            world.things["hidden"]["tag"],
        }
