"""Traces by OpenTelemetry, where the extra `otel` is installed and its own variables name an OTLP endpoint.

Edge, core and worker know nothing of it: they are given a function that begins a span under a `traceparent` (W3C Trace Context),
and pass the span's own on. Names and attributes are routes, methods, statuses and the request id: no other word of a caller.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from catenary_wire.spans import Begin

if TYPE_CHECKING:
    from opentelemetry.trace import Span

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


@dataclass(frozen=True, slots=True)
class ExportedSpan:
    """A span that OpenTelemetry exports when it ends; `traceparent` is for the calls made under the span."""

    traceparent: str
    _span: Span

    def end(self, name: str, attributes: Mapping[str, str | int], *, failed: bool) -> None:
        """End the span under a name."""
        from opentelemetry.trace import StatusCode

        self._span.update_name(name)
        self._span.set_attributes(attributes)
        if failed:
            self._span.set_status(StatusCode.ERROR)
        self._span.end()


def begin(part: str) -> Begin | None:
    """Return the function that begins spans of this process; None where traces aren't configured.

    Raises ValueError when an endpoint is configured and the extra is missing.
    """
    if not any(os.environ.get(name) for name in _ENDPOINTS):
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.trace.propagation import set_span_in_context
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
    except ImportError:
        raise ValueError(
            "an OTLP endpoint is set, but traces need more packages; install the extra: pip install -e '.[otel]'"
        ) from None
    provider = TracerProvider(resource=Resource.create({"service.name": f"catenary-{part}"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    tracer = provider.get_tracer("catenary")
    propagator = TraceContextTextMapPropagator()

    def started(traceparent: str) -> ExportedSpan:
        span = tracer.start_span(part, propagator.extract({"traceparent": traceparent}))
        carrier: dict[str, str] = {}
        propagator.inject(carrier, set_span_in_context(span))
        return ExportedSpan(carrier.get("traceparent", ""), span)

    return started
