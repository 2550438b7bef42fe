"""Periodic background work of a process."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

from catenary_core.background.failures import end, run_step


class Periodic:
    """Repeats a step every `seconds` (±20 %) until stopped; a failed step is logged and repeated after the pause."""

    def __init__(
        self, name: str, seconds: float, step: Callable[[], Awaitable[object]], *, at_once: bool = False
    ) -> None:
        """Set up the work without starting it.

        Args:
            name: name of the work in log lines.
            seconds: mean pause between two steps.
            step: the work of one step.
            at_once: whether the first step runs before the first pause.
        """
        self._name = name
        self._seconds = seconds
        self._step = step
        self._at_once = at_once
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start to run the steps in a task of their own."""
        self._task = asyncio.create_task(self._run(), name=self._name)

    async def stop(self) -> None:
        """Cancel the work, also in the middle of a step, and wait for its end."""
        await end(self._task)

    async def _run(self) -> None:
        if self._at_once:
            await run_step(self._name, self._step)
        while True:
            # A random pause spreads the steps of nodes that started together.
            await asyncio.sleep(self._seconds * random.uniform(0.8, 1.2))  # noqa: S311 (no secret)
            await run_step(self._name, self._step)
