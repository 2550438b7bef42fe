"""Caps on the connections of a port, and the rare report of refusals, for edge and core alike."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

REPORT_SECONDS = 60.0
"""Least seconds between two reports of refusals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionCaps:
    """The largest numbers of open connections of one port in one process."""

    total: int = 10_000
    """Largest number of all callers together."""
    per_address: int = 2_500
    """Largest number of one address; trusted proxies and edges have no such share."""


class RefusalReport:
    """Counts refusals by reason, and reports the counts at once and then at most every `REPORT_SECONDS`."""

    def __init__(self, report: Callable[[Mapping[str, int]], None]) -> None:
        """Begin without refusals.

        Args:
            report: Tells the operator the number of refusals by reason since the last report.
        """
        self._report = report
        self._counts: Counter[str] = Counter()
        self._pause: asyncio.TimerHandle | None = None

    def add(self, reason: str) -> None:
        """Count a refusal."""
        self._counts[reason] += 1
        if self._pause is None:
            self._tell()

    def close(self) -> None:
        """Report what is counted, and end."""
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
        if self._counts:
            self._report(dict(self._counts))
            self._counts.clear()

    def _tell(self) -> None:
        self._pause = None
        if self._counts:
            self._report(dict(self._counts))
            self._counts.clear()
            self._pause = asyncio.get_running_loop().call_later(REPORT_SECONDS, self._tell)
