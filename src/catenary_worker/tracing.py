"""Traces, as the worker sees them: whoever starts it may give it something that begins spans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol


class Span(Protocol):
    """What happens in the worker for one job."""

    @property
    def traceparent(self) -> str:
        """Its own id in the trace (W3C Trace Context)."""

    def end(self, name: str, attributes: Mapping[str, str | int], *, failed: bool) -> None:
        """Ends it under its name."""


Begin = Callable[[str], Span]
"""Begins a span under a `traceparent`; empty: a trace of its own."""
