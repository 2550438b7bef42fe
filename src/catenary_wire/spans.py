"""The span protocol: what core, edge and worker need of a trace; the embedding process may supply a span factory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol


class Span(Protocol):
    """A span that has begun: one request in the edge, one call in the core, or one job in the worker."""

    @property
    def traceparent(self) -> str:
        """The span's own id in the trace (W3C Trace Context), which calls made under the span carry."""

    def end(self, name: str, attributes: Mapping[str, str | int], *, failed: bool) -> None:
        """End the span under a name."""


Begin = Callable[[str], Span]
"""The function that begins a span under a `traceparent`; under an empty one, a trace of its own."""
