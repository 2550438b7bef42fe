"""Traces: the embedding process may supply a span factory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol


class Span(Protocol):
    """The trace span of one call in the core."""

    @property
    def traceparent(self) -> str:
        """Identifies the span for a job's worker (W3C Trace Context)."""

    def end(self, name: str, attributes: Mapping[str, str | int], *, failed: bool) -> None:
        """End the span under its final name."""


Begin = Callable[[str], Span]
"""Starts a span below a `traceparent`; with an empty one, a new trace."""
