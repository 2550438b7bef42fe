"""Nodes in processes of their own, and one that has a sequencer. A module that a new process can import by this name."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from catenary_core.bootstrap import CHANNELS
from catenary_core.database.transactions import Database
from catenary_core.database.wakeups import Wakeups
from catenary_core.frame import Frame
from catenary_core.secrets import Roots, Secrets
from catenary_core.services.events.sequencer import Sequencer
from catenary_core.settings import CoreSettings


def frame_of(dsn: str, db: Database, wakeups: Wakeups) -> Frame:
    """Return the parts of a frame that a sequencer uses."""
    folder = Path("/nonexistent")
    settings = CoreSettings(data_dir=folder)
    return Frame(settings=settings, db=db, secrets=Secrets(Roots.derived(bytes(32))), objects=None, wakeups=wakeups)  # type: ignore[arg-type]


@contextmanager
def node(target: Callable[..., None], *given: Any) -> Iterator[Any]:
    """Run `target` as a process, killed at the end of the block.

    Two events come before its arguments: the process sets one when it has started, the other when it is the leader. Yields the
    process, once it has started, and the second event.
    """
    context = multiprocessing.get_context("spawn")
    started, holds = context.Event(), context.Event()
    process = context.Process(target=target, args=(started, holds, *given), daemon=True)
    process.start()
    try:
        assert started.wait(60)
        yield process, holds
    finally:
        process.kill()
        process.join()


def sequence(started: Any, ready: Any, dsn: str) -> None:
    """Run a node's sequencer; the target of a process."""

    async def run() -> None:
        db, wakeups = Database(dsn, max_connections=2), Wakeups(dsn, CHANNELS)
        await db.open()
        await wakeups.start()
        running = Sequencer(frame_of(dsn, db, wakeups))
        await running.start()
        started.set()
        while not running.holds:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        ready.set()
        await asyncio.sleep(600)

    asyncio.run(run())
