"""Background work of a process that is done again and again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

from catenary_core.faults import end, survived


class Periodic:
    """Does a step about every so many seconds until it is stopped; a step that fails is logged and tried again."""

    def __init__(self, name: str, seconds: float, step: Callable[[], Awaitable[object]]) -> None:
        """`name` says in the log what is done."""
        self._name = name
        self._seconds = seconds
        self._step = step
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begins, with a pause."""
        self._task = asyncio.create_task(self._run(), name=self._name)

    async def stop(self) -> None:
        """Ends, also in the middle of a step."""
        await end(self._task)

    async def _run(self) -> None:
        while True:
            # Nodes started together drift apart.
            await asyncio.sleep(self._seconds * random.uniform(0.8, 1.2))  # noqa: S311 (no secret)
            await survived(self._name, self._step)
