"""`/docs/changes`: what is announced to go, with its dates, and what isn't settled yet. It is read from the protos' options."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from catenary.options.v1 import options_pb2
from catenary_edge.openapi import comments
from catenary_edge.pages import markup
from catenary_edge.routes import Route

_RULES = (
    "A breaking change is announced here at least 6 months before it comes. A deprecated operation goes on for at least 12 "
    "months; its answers have the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594)."
)
_UNSETTLED = (options_pb2.STAGE_BETA, options_pb2.STAGE_ALPHA)


def page(routes: Sequence[Route]) -> bytes:
    """The page."""
    body = ["<h1>Changes</h1>", markup.prose(_RULES), "<h2>Deprecated</h2>"]
    gone = [route for route in routes if route.rpc.options.stage == options_pb2.STAGE_DEPRECATED]
    if gone:
        headings = ("Operation", "Announced", "Deprecated", "Ends", "Use instead")
        body.append(markup.table(headings, [_deprecated(route) for route in _sorted(gone)]))
    else:
        body.append(markup.prose("No operation is deprecated."))
    body.append("<h2>Not settled</h2>")
    unsettled = [route for route in routes if route.rpc.options.stage in _UNSETTLED]
    if unsettled:
        body.append(markup.table(("Operation", "Stage", "Meaning"), [_staged(route) for route in _sorted(unsettled)]))
    else:
        body.append(markup.prose("Every operation is stable."))
    return markup.page("Changes", "".join(body))


def _sorted(routes: Sequence[Route]) -> list[Route]:
    return sorted(routes, key=lambda route: (route.template.text, route.method))


def _deprecated(route: Route) -> tuple[str, ...]:
    dates = route.rpc.options.deprecation
    texts = (dates.announced_on, dates.deprecated_on, dates.sunset_on, dates.successor)
    return (_operation(route), *(escape(text) for text in texts))


def _staged(route: Route) -> tuple[str, ...]:
    name = options_pb2.Stage.Name(route.rpc.options.stage)
    meaning = comments.load()[f"catenary.options.v1.Stage.{name}"]
    return _operation(route), name.removeprefix("STAGE_").lower(), markup.inline(meaning)


def _operation(route: Route) -> str:
    return f"<code>{route.method} {escape(route.template.text)}</code>"
