"""How a part stands that runs apart, told at its admin port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from catenary_cli.server import admin, metrics

Reach = Callable[[], Awaitable[str]]
"""Whether something that the part needs can be reached: `ok`, or what is wrong."""


class Readiness:
    """A part's own state, and what it needs to be ready."""

    def __init__(self, name: str) -> None:
        """It starts."""
        self._name = name
        self._state = "starting"
        self._needs: Mapping[str, Reach] = {}

    def works(self, needs: Mapping[str, Reach]) -> None:
        """From now on it works, and is ready while what it needs can be reached."""
        self._state, self._needs = "ok", needs

    def stops(self) -> None:
        """It is about to end, so that nobody should send it more."""
        self._state, self._needs = "stopping", {}

    @asynccontextmanager
    async def told(self, place: admin.AdminAddress) -> AsyncIterator[int]:
        """Serves the admin port, whose number it gives, until the block ends; AddressError when it is taken."""
        counts = metrics.of_part(self._name, lambda: self._state)
        async with admin.serving(place, self._checks, dict, counts) as port:
            yield port

    async def _checks(self) -> dict[str, str]:
        needs = self._needs
        found = await asyncio.gather(*(reach() for reach in needs.values()))
        return {self._name: self._state, **dict(zip(needs, found, strict=True))}
