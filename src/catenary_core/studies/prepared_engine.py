"""The process of an engine that has loaded its libraries before a study needs it."""

from __future__ import annotations

import asyncio
from typing import Self

from catenary_core.background.failures import end, run_step
from catenary_core.studies import engine_process

PAUSE_SECONDS = 2.0
"""Time between the end of a study and the start of the process."""
KEPT_SECONDS = 3_600.0
"""Time for which a process waits for a study."""


class PreparedEngine:
    """At most one process, started after each study for the next one; it ends with the block of `async with`.

    So an installation on which nobody runs studies has none, and others need no more memory than their study did.
    """

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._keeping: asyncio.Task[bool] | None = None

    async def __aenter__(self) -> Self:
        """Return this object, without a process."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the process."""
        await end(self._keeping)

    def renew(self) -> None:
        """Have a process started, unless one waits or is about to be started."""
        if self._keeping is None or self._keeping.done():
            self._keeping = asyncio.create_task(run_step("preparing an engine", self._keep), name="prepared engine")

    def take(self) -> asyncio.subprocess.Process | None:
        """Return the process that waits, which is the caller's then; None if there is none."""
        process, self._process = self._process, None
        if process is not None and self._keeping is not None:
            self._keeping.cancel()
        return process if process is not None and process.returncode is None else None

    async def _keep(self) -> None:
        await asyncio.sleep(PAUSE_SECONDS)
        self._process = process = await engine_process.start("--prepared")
        try:
            async with asyncio.timeout(KEPT_SECONDS):
                await process.wait()
        except TimeoutError:
            pass
        finally:
            if self._process is process:
                self._process = None
                if process.returncode is None:
                    process.kill()
                    await process.wait()
