"""The older routes of every surface, derived from the current ones by the changes between versions.

See guide/conventions.md, "Older versions".

`CHANGES` lists the changes. `v2` holds the changes of version 2 of a surface; undoing them gives version 1. `v1`
likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import ModuleType

from google.api import http_pb2

from catenary.options.v1 import options_pb2
from catenary_edge import surfaces
from catenary_edge.transcoding import routes, template
from catenary_edge.transcoding.encoder import Encoders
from catenary_edge.transcoding.routes import Route
from catenary_edge.transcoding.writers import Writers
from catenary_edge.versions import stages, v1, v2
from catenary_edge.versions.change import Draft, VersionChange
from catenary_edge.versions.view import OlderDecoder, OlderRoute, view_of

CHANGES: Mapping[str, Sequence[ModuleType]] = {"v2": v2.CHANGES, "v1": v1.CHANGES}
"""The changes of each version, in the order in which they are undone."""


@dataclass(frozen=True, slots=True)
class ChangeNote:
    """The text and the quoted specification of a change, from its module's docstring."""

    text: str
    """Behaviour of the older version."""
    quoted: str
    """The specified rows behind the change."""


def of_surface(kind: int, brought_by: str, org: str) -> list[tuple[ModuleType, VersionChange]]:
    """List a version's changes of a surface, each with its module."""
    found = []
    for module in CHANGES.get(brought_by, ()):
        change: VersionChange | Callable[[str], VersionChange] = module.CHANGE
        made = change(org) if callable(change) else change
        if kind in made.surfaces:
            found.append((module, made))
    return found


def change_notes(module: ModuleType) -> ChangeNote:
    """Parse a module's docstring: the first paragraph, and the quotes in lines starting with `>`."""
    text = module.__doc__ or ""
    first = " ".join(text.strip().partition("\n\n")[0].split())
    quoted = " ".join(line.removeprefix("> ") for line in text.splitlines() if line.startswith("> "))
    return ChangeNote(first, quoted)


def older_routes(current: Sequence[Route], org: str) -> Iterator[Route]:
    """Yield the routes of every older version; `org` is the company's slug in field names.

    Raises:
        BindingError: An older path lacks a variable of the newest one, or a binding is invalid.
    """
    writers, encoders = Writers(), Encoders()
    for kind, options in stages.SURFACES.items():
        if kind == options_pb2.SURFACE_PLATFORM:
            continue
        own = [route for route in current if route.rpc.surface == kind]
        drafts = [_draft(route) for route in own]
        newer = surfaces.kind_of(own[0].template.text)[1] if own else ""
        changes: tuple[VersionChange, ...] = ()
        for older in options.older:
            brought = [change for _, change in of_surface(kind, newer, org)]
            changes += tuple(brought)
            drafts = [replace(draft, same_path_in_next=True) for draft in drafts]
            for change in brought:
                drafts = change.routes(drafts)
            base = f"/{surfaces.name_of(kind)}/{older.version}"
            for draft in drafts:
                yield _route(draft, base, older.version, changes, writers, encoders)
            newer = older.version


def _draft(route: Route) -> Draft:
    path = "/" + route.template.text.split("/", 3)[3]  # without the surface's base and version
    return Draft(
        method=route.method,
        path=path,
        newest=path,
        rpc=route.rpc,
        body=route.decoder.body,
        surface=route.surface,
        success=route.success,
    )


def _route(
    draft: Draft, base: str, version: str, changes: tuple[VersionChange, ...], writers: Writers, encoders: Encoders
) -> Route:
    rule = http_pb2.HttpRule(**{draft.method.lower(): base + draft.newest}, body=draft.body)
    made = routes.route_of(draft.rpc, rule, writers, encoders)
    older = template.parse(base + draft.path)
    decoder = OlderDecoder(draft, changes, older, made.template, writers)
    newest = replace(made, decoder=decoder, surface=draft.surface, success=draft.success)
    decoder.view = view_of(draft, version, changes, newest)
    parts = {field.name: getattr(newest, field.name) for field in fields(Route)}
    return OlderRoute(**parts | {"template": older}, view=decoder.view)
