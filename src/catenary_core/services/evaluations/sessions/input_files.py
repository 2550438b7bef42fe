"""The files that designs of a live session may name, read again when a design names an unknown one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from catenary_core.database.transactions import Database
from catenary_core.services.evaluations.files import known
from catenary_core.services.evaluations.files.known import KnownFile

RELOAD_SECONDS = 1.0
"""Shortest time between two looks at the project's files, however many unknown ones a caller names; the next one waits."""


class SessionFiles:
    """The files of one session's project, as they were at the last look."""

    def __init__(
        self,
        db: Database,
        project_id: str,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Look at nothing yet; `clock` is monotonic, and `sleep` waits, in seconds."""
        self._db = db
        self._project_id = project_id
        self._clock = clock
        self._sleep = sleep
        self._files: Mapping[str, KnownFile] = {}
        self._looked_at: float | None = None

    def beside(self, declared: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Return declared parameters with the known files beside those that take one."""
        return known.beside(declared, self._files) if known.takes_files(declared) else declared

    async def look(self, declared: Sequence[Mapping[str, Any]]) -> bool:
        """Look at the files again if the model takes any, RELOAD_SECONDS after the last look; return whether it did."""
        if not known.takes_files(declared):
            return False
        if self._looked_at is not None and (left := self._looked_at + RELOAD_SECONDS - self._clock()) > 0:
            await self._sleep(left)
        self._looked_at = self._clock()
        async with self._db.read() as tx:
            self._files = await known.files_of(tx, self._project_id)
        return True
