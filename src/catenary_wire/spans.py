"""The span protocol of core, edge and worker: the embedding process may supply a span factory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol


class Span(Protocol):
    """The trace span of one request in the edge, one call in the core or one job in the worker."""

    @property
    def traceparent(self) -> str:
        """The span's id in the trace (W3C Trace Context), for the calls below the span."""

    def end(self, name: str, attributes: Mapping[str, str | int], *, failed: bool) -> None:
        """End the span under its final name."""


Begin = Callable[[str], Span]
"""Starts a span below a `traceparent`; with an empty one, a new trace."""
