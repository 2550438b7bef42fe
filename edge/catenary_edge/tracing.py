"""Traces, as the edge sees them: whoever starts it may give it something that begins spans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol


class Span(Protocol):
    """What happens in the edge for one request."""

    @property
    def traceparent(self) -> str:
        """What the core is told (W3C Trace Context)."""

    def end(self, name: str, attributes: Mapping[str, str | int], *, failed: bool) -> None:
        """Ends it under its name."""


Begin = Callable[[str], Span]
"""Begins a span under a `traceparent`; empty: a trace of its own."""
