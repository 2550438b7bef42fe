"""The progress of something that runs at the server, shown while the command waits for its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import typer

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
    below: Sequence[Sequence[str]] = ()
    """Rows of a table that a terminal shows too."""


@dataclass(frozen=True)
class WayOn:
    """The choice of somebody who ends the command by Ctrl-C while the work goes on."""

    sentence: str
    """The sentence that says how to go on."""
    question: str
    """The question about cancelling the work too."""
    cancel: Callable[[], Awaitable[None]]
    """Cancels it."""


@asynccontextmanager
async def reported(text: str, total: int, way_on: WayOn) -> AsyncIterator[Reached]:
    """Show how far something is until the end of the block, also while nothing changes.

    A Ctrl-C at a terminal asks whether to cancel the work; another one, or without a terminal, leaves it.

    Args:
        text: What is done.
        total: Number in all.
        way_on: For who ends the command by Ctrl-C.
    """
    try:
        async with _shown(Reached(text, 0, total)) as reached:
            yield reached
    except asyncio.CancelledError:
        if show.can_ask() and _is_confirmed(way_on.question):
            await way_on.cancel()
        else:
            show.note(way_on.sentence)
        raise


def _is_confirmed(question: str) -> bool:
    try:
        return show.confirmed(question)
    except typer.Abort:  # another Ctrl-C, or the end of the input
        return False


@asynccontextmanager
async def _shown(reached: Reached) -> AsyncIterator[Reached]:
    with show.following(reached.text) as say:

        async def tell() -> None:
            while True:
                say(reached.done, reached.total, reached.text, reached.below)
                await asyncio.sleep(_TICK_SECONDS)

        telling = asyncio.create_task(tell())
        try:
            yield reached
        finally:
            telling.cancel()
