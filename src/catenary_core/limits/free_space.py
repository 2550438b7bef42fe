"""The floor of free disk space: below it nothing new is stored, so that a full disk neither stops the database nor reads."""

from __future__ import annotations

import os
from pathlib import Path

import structlog

from catenary_core.call.errors import DomainError
from catenary_core.call.methods import Binding

WARN_SECONDS = 60.0
"""Seconds between two warnings."""
RETRY_SECONDS = 60.0
"""Seconds after which a refused write may be sent again."""
_MIB = 1024 * 1024
_log = structlog.get_logger(__name__)


class FreeSpace:
    """The free space of the file system with the data directory."""

    def __init__(self, folder: Path | None = None, floor: int = 0) -> None:
        """Set the floor.

        Args:
            folder: the data directory; None where all is stored elsewhere, which has no floor.
            floor: bytes that must be free.
        """
        self._folder = folder
        self._floor = floor

    @property
    def problem(self) -> str | None:
        """The space that is free and that is needed, for the operator; None while enough is free."""
        if self._folder is None or (free := _free(self._folder)) >= self._floor:
            return None
        return f"{free // _MIB} MiB are free of the {-(-self._floor // _MIB)} MiB needed (CATENARY_FREE_SPACE)"

    def notes(self) -> dict[str, str]:
        """Return the problem as the note `disk` of `/readyz`; no note while enough is free."""
        return {} if self.problem is None else {"disk": self.problem}

    async def warn(self) -> None:
        """Log a warning while too little space is free."""
        if self.problem is not None:
            _log.warning("nothing is stored: too little free disk space", problem=self.problem)

    def check(self, binding: Binding) -> None:
        """Check that a method may store something now.

        Reads, deletions and public methods (tokens) go on, and methods of workers and edges, which end what has begun.

        Raises UNAVAILABLE: the method stores something, and too little space is free.
        """
        removes = binding.verb == "delete" or binding.options.frees_space
        if not (binding.reads or binding.is_public or binding.verb is None or removes):
            self.require()

    def require(self) -> None:
        """Check that something may be stored now.

        Raises UNAVAILABLE: too little space is free.
        """
        if self.problem is not None:
            raise DomainError(
                "UNAVAILABLE",
                "The server has too little free disk space, and stores nothing now. Reading and deleting go on.",
                retry_after=RETRY_SECONDS,
            )


def _free(folder: Path) -> int:
    """Return the bytes that the server's account may still write; microseconds on a local file system."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize
