"""A node's sequencer, in a process of its own. A module that a new process can import by this name."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from catenary_core.bootstrap import CHANNELS
from catenary_core.db import Database
from catenary_core.frame import Frame
from catenary_core.secrets import Secrets
from catenary_core.services.events.sequencer import Sequencer
from catenary_core.settings import CoreSettings
from catenary_core.wakeups import Wakeups


def frame_of(dsn: str, db: Database, wakeups: Wakeups) -> Frame:
    """As much of a frame as a sequencer uses."""
    folder = Path("/nonexistent")
    settings = CoreSettings(data_dir=folder)
    return Frame(settings=settings, db=db, secrets=Secrets(bytes(32)), objects=None, wakeups=wakeups)  # type: ignore[arg-type]


def sequence(dsn: str, started: Any, ready: Any) -> None:
    """A node's sequencer, in a process of its own."""

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
