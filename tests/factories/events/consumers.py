"""A consumer whose effects are rows, here or in a process of its own. A module that a new process can import by this name."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import sqlalchemy as sa

from catenary_core.bootstrap import CHANNELS
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Database, Transaction
from catenary_core.database.wakeups import Wakeups
from catenary_core.event_log import reader
from catenary_core.event_log.consumer import Consumer, Handle
from catenary_core.event_log.events import event
from catenary_core.services.events.sequencer import Sequencer
from factories.events.sequencers import frame_of
from factories.events.world import write

NAME = "test"
DEADLY = "project.deleted"
"""An event of this type kills the process between the effect and the commit, when the process is to die."""
EFFECTS = "CREATE TABLE public.effect (subject text NOT NULL, type text NOT NULL, process integer NOT NULL)"
WANTED = event.c.type != "project.created"
_EFFECT = Statement(
    sa.text(
        "INSERT INTO public.effect (subject, type, process) VALUES (CAST(:subject AS text), CAST(:type AS text),"
        " CAST(:process AS integer))"
    )
)
_UNREAD = Statement(sa.text("SELECT count(*) AS count FROM events.event WHERE sequence IS NULL"))


async def effect(tx: Transaction, rows: Sequence[Row]) -> None:
    """Write a row for each event."""
    for row in rows:
        await tx.execute(_EFFECT, subject=row["id"], type=row["type"], process=os.getpid())


async def deadly(tx: Transaction, rows: Sequence[Row]) -> None:
    """Write a row as `effect` does, and end the process when the event says so."""
    await effect(tx, rows)
    if any(row["type"] == DEADLY for row in rows):
        os.kill(os.getpid(), signal.SIGKILL)


@asynccontextmanager
async def following(
    dsn: str, db: Database, handle: Handle = effect, wanted: sa.ColumnElement[bool] = WANTED
) -> AsyncIterator[Consumer]:
    """Run a node's sequencer and consumer until the block ends."""
    wakeups = Wakeups(dsn, CHANNELS)
    frame = frame_of(dsn, db, wakeups)
    sequencer, running = Sequencer(frame), Consumer(db, wakeups, NAME, wanted, handle)
    await wakeups.start()
    await sequencer.start()
    await running.start()
    try:
        yield running
    finally:
        await running.stop()
        await sequencer.stop()
        await wakeups.stop()


async def ordered(db: Database) -> int:
    """Wait until every event has its sequence number; return the last one."""
    async with asyncio.timeout(60):
        while True:
            async with db.read() as tx:
                if not (await tx.one(_UNREAD))["count"]:
                    return (await reader.end(tx))[0]
            await asyncio.sleep(0.02)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 (what is waited for is another process, or a row)
            await asyncio.sleep(0.02)


async def written(db: Database, count: int, type_: str = "project.updated") -> None:
    """Write events, each in a transaction of its own."""
    for _ in range(count):
        await write(db, type_)


def follow(started: Any, holds: Any, dsn: str, dies: bool) -> None:
    """Run a node as a process: `started` is set when it runs, `holds` when it is the leader."""

    async def run() -> None:
        db = Database(dsn, max_connections=2)
        await db.open()
        async with following(dsn, db, deadly if dies else effect) as running:
            started.set()
            await until(lambda: running.holds)
            holds.set()
            await asyncio.sleep(600)

    asyncio.run(run())
