"""The readiness of a part that runs as a separate process, shown at its admin port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from catenary_cli.server import admin, metrics
from catenary_cli.server.reachability import Reach


class Readiness:
    """A part's own state, and its needs."""

    def __init__(self, name: str) -> None:
        """Begin in the state `starting`."""
        self._name = name
        self._state = "starting"
        self._needs: Mapping[str, Reach] = {}
        self._notes: admin.Notes = dict

    def mark_running(self, needs: Mapping[str, Reach], notes: admin.Notes = dict) -> None:
        """Mark the process running; readiness then follows `needs`, and `notes` stand beside it."""
        self._state, self._needs, self._notes = "ok", needs, notes

    def mark_stopping(self) -> None:
        """Mark the process stopping, so that callers send it no more requests."""
        self._state, self._needs = "stopping", {}

    @asynccontextmanager
    async def serving(self, address: admin.AdminAddress) -> AsyncIterator[int]:
        """Serve the admin port until the block ends; yield its number.

        Raises:
            AddressError: The port is taken.
        """
        counts = metrics.of_part(self._name, lambda: self._state)
        async with admin.serving(address, self._checks, lambda: self._notes(), counts) as port:
            yield port

    async def _checks(self) -> dict[str, str]:
        needs = self._needs
        found = await asyncio.gather(*(reach() for reach in needs.values()))
        return {self._name: self._state, **dict(zip(needs, found, strict=True))}
