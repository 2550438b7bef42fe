"""`/docs/changes`: announced ends of versions and operations with their dates, and operations still unsettled.

The dates and stages are read from the options of the protos. The differences between two versions are the docstrings of
the change modules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from catenary.options.v1 import options_pb2
from catenary_edge import surfaces
from catenary_edge.openapi import comments
from catenary_edge.pages import markup
from catenary_edge.transcoding.routes import Route
from catenary_edge.versions import chain, stages
from catenary_wire.json_form import enum_names

_RULES = (
    "A breaking change, such as the end of a version, is announced here at least 6 months before it comes. A deprecated "
    "version or operation goes on for at least 12 months; its answers have the headers `Deprecation` (RFC 9745) and `Sunset` "
    "(RFC 8594)."
)
_DATES = ("Announced", "Deprecated", "Ends", "Use instead")
_COMPANY = "company"
"""Stands for the company's slug: the page is the same for every installation."""
_UNSETTLED = (options_pb2.STAGE_BETA, options_pb2.STAGE_ALPHA)


def page(routes: Sequence[Route]) -> bytes:
    """Build the page."""
    body = ["<h1>Changes</h1>", markup.prose(_RULES), "<h2>Older versions</h2>", *_older_versions()]
    body.append("<h2>Deprecated operations</h2>")
    gone = [route for route in routes if route.rpc.options.stage == options_pb2.STAGE_DEPRECATED]
    if gone:
        body.append(markup.table(("Operation", *_DATES), [_deprecated(route) for route in _sorted(gone)]))
    else:
        body.append(markup.prose("No operation is deprecated."))
    body.append("<h2>Not settled</h2>")
    unsettled = [route for route in routes if route.rpc.options.stage in _UNSETTLED]
    if unsettled:
        body.append(markup.table(("Operation", "Stage", "Meaning"), [_staged(route) for route in _sorted(unsettled)]))
    else:
        body.append(markup.prose("Every operation is stable."))
    return markup.page("Changes", "".join(body))


def _older_versions() -> Iterator[str]:
    """Yield the older versions with their dates, and each one's differences from the next version."""
    listed = [(surfaces.name_of(kind), older) for kind, options in stages.SURFACES.items() for older in options.older]
    yield markup.table(
        ("Version", *_DATES),
        [(f"<code>/{name}/{older.version}</code>", *_dates(older.deprecation)) for name, older in listed],
    )
    for kind, options in stages.SURFACES.items():
        for older in options.older:
            newer = older.deprecation.successor.rpartition("/")[2]
            yield f"<h3><code>/{surfaces.name_of(kind)}/{older.version}</code></h3>"
            yield markup.prose(f"Where it differs from {newer}:")
            notes = [chain.change_notes(module) for module, _ in chain.of_surface(kind, newer, _COMPANY)]
            yield "<ul>" + "".join(f"<li>{markup.inline(note.text)}</li>" for note in notes) + "</ul>"


def _sorted(routes: Sequence[Route]) -> list[Route]:
    return sorted(routes, key=lambda route: (route.template.text, route.method))


def _deprecated(route: Route) -> tuple[str, ...]:
    return _operation(route), *_dates(route.rpc.options.deprecation)


def _dates(dates: options_pb2.Deprecation) -> tuple[str, ...]:
    texts = (dates.announced_on, dates.deprecated_on, dates.sunset_on, dates.successor)
    return tuple(escape(text) for text in texts)


def _staged(route: Route) -> tuple[str, ...]:
    stage = route.rpc.options.stage
    meaning = comments.load()[f"catenary.options.v1.Stage.{options_pb2.Stage.Name(stage)}"]
    return _operation(route), enum_names(options_pb2.Stage.DESCRIPTOR)[stage], markup.inline(meaning)


def _operation(route: Route) -> str:
    return f"<code>{route.method} {escape(route.template.text)}</code>"
