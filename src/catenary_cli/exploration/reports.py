"""The progress of something that runs at the server, shown while the command waits for its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from catenary_cli import show

_TICK_SECONDS = 0.5


@dataclass
class Reached:
    """The state of something that runs; whoever follows it keeps it up to date."""

    text: str
    """Name of the work."""
    done: int = 0
    """Number that ended."""
    total: int = 0
    """Number in all."""


@asynccontextmanager
async def reported(text: str, total: int, way_on: str) -> AsyncIterator[Reached]:
    """Show how far something is until the end of the block, also while nothing changes.

    Args:
        text: What is done.
        total: Number in all.
        way_on: Sentence for who ends the command by Ctrl-C.
    """
    reached = Reached(text, 0, total)
    with show.following(text) as say:

        async def tell() -> None:
            while True:
                say(reached.done, reached.total, reached.text)
                await asyncio.sleep(_TICK_SECONDS)

        telling = asyncio.create_task(tell())
        try:
            yield reached
        except asyncio.CancelledError:
            show.note(way_on)
            raise
        finally:
            telling.cancel()
