"""Background work of a process that is done again and again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

from catenary_core.background.failures import end, run_step


class Periodic:
    """Does a step about every so many seconds until it is stopped; a step that fails is logged and tried again."""

    def __init__(
        self, name: str, seconds: float, step: Callable[[], Awaitable[object]], *, at_once: bool = False
    ) -> None:
        """`name` says in the log what is done. It begins with a pause, unless `at_once`."""
        self._name = name
        self._seconds = seconds
        self._step = step
        self._at_once = at_once
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begins."""
        self._task = asyncio.create_task(self._run(), name=self._name)

    async def stop(self) -> None:
        """Ends, also in the middle of a step."""
        await end(self._task)

    async def _run(self) -> None:
        if self._at_once:
            await run_step(self._name, self._step)
        while True:
            # Nodes started together drift apart.
            await asyncio.sleep(self._seconds * random.uniform(0.8, 1.2))  # noqa: S311 (no secret)
            await run_step(self._name, self._step)
