"""Traces, as the core sees them: whoever starts it may give it something that begins spans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol


class Span(Protocol):
    """What happens in the core for one call."""

    @property
    def traceparent(self) -> str:
        """What a job tells its worker (W3C Trace Context)."""

    def end(self, name: str, attributes: Mapping[str, str | int], *, failed: bool) -> None:
        """Ends it under its name."""


Begin = Callable[[str], Span]
"""Begins a span under a `traceparent`; empty: a trace of its own."""
