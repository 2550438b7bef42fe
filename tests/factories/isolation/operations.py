"""The operations of every surface, and the places of their requests where an id can stand, read from the descriptors."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote

from google.protobuf.descriptor import Descriptor

from catenary.options.v1 import options_pb2
from catenary_edge import versions
from catenary_edge.transcoding import routes
from catenary_edge.transcoding.fields import field_options, is_id
from catenary_edge.transcoding.routes import Route
from catenary_edge.versions.view import OlderDecoder, OlderRoute
from factories.isolation import bodies

ID, UNIQUE = "$", "$unique"
"""In a body: an id, and a text that no row has."""
FREE, NEW, KNOWN_USER, KNOWN_EVENT = "reference", "new ", "known user", "known event"
"""Kinds: an id that is never looked up, one that the caller chooses, a user whom anybody who knows the id may name, and an event
after which a caller goes on who may have lost sight of it."""

# What an id names, by the surface and the field's last name.
_KINDS: dict[str, dict[str, str]] = {
    "platform": {
        "environment_project_id": "environment_project",
        "start_from": "study",
        "comment_id": "project_comment",
        "parent_id": "project_comment",
        "mentions": "user",
        "after": KNOWN_EVENT,
        "asked_by": KNOWN_USER,
        "actor_id": KNOWN_USER,
        **{
            f"{kind}_id": kind
            for kind in (
                "project", "model", "model_version", "evaluation", "file", "plan", "batch", "study", "notification", "team",
                "api_key", "user", "client", "webhook", "delivery", "worker_token", "variant", "view", "share",
                "invitation",
            )
        },
    },
    "comments": {"comment_id": "comment", "reference_id": FREE},
    "reference": {"source_id": "source", "source_type_id": "source_type", "reference_id": FREE},
    "qa": {"record_id": "record", "type_id": "record_type", "reference_id": FREE},
    "environment": {"project_id": "environment_project", "country_id": "country", "region_id": "region"},
    "metadata": {"tag_type_id": "tag_type", "tag_id": "tag", "tag_scope": "environment_project", "reference_id": FREE},
    "parameter": {
        "project_id": "environment_project",
        "not_project_id": "environment_project",
        "asset_ids": "asset",
        "descendants_of": "asset",
        "parent_asset_id": "asset",
        "not_asset_id": "asset",
        **dict.fromkeys(("category_id", "report_id", "discipline_id"), "tag"),
        "asset_type": "asset_type",
        "parent_id": "asset",
        "parent_ids": "asset",
        "parent_asset_sub_type_id": "asset_sub_type",
        "item_type_ids": "item_type",
        "default_unit_id": "unit",
        "from_unit_id": "unit",
        "to_unit_id": "unit",
        **{
            f"{kind}_id": kind
            for kind in (
                "asset", "asset_type", "asset_type_group", "asset_sub_type", "parameter", "parameter_type", "item_type",
                "entry", "revision", "source", "source_type", "unit", "unit_type", "unit_system", "tag", "parameter_set",
                "parameter_set_type", "parameter_set_category",
            )
        },
    },
}  # fmt: skip
# Where the name alone doesn't tell it.
_EXCEPTIONS: dict[tuple[str, str], str] = {
    # A user's id is taken from anybody who knows it; a team must be one that the caller sees.
    ("PUT /v1/projects/{project_id}/members/{user_id}", "user_id"): "team",
    ("PUT /v1/teams/{team_id}/members/{user_id}", "user_id"): KNOWN_USER,
    ("POST /v1/projects/{project_id}/members", "user_id"): KNOWN_USER,
    ("POST /v1/projects/{project_id}/shares", "user_id"): KNOWN_USER,
    ("PATCH /v1/projects/{project_id}", "owner_user_id"): KNOWN_USER,
    ("DELETE /v1/projects/{project_id}/deployments/current", "project_id"): "deployed_project",
    ("POST /parameter/v1/asset_types", "asset_types[].parent_id"): "asset_type",
    ("PATCH /parameter/v1/asset_types/{asset_type_id}", "parent_id"): "asset_type",
    ("POST /parameter/v1/parameters", "parameters[].entries[].entry_id"): f"{NEW}entry",
    # What is a type of parameter sets now was a parameter set.
    **{
        (
            f"{method} /parameter/v0/parameter_sets/{{parameter_set_id}}/instances",
            "parameter_set_id",
        ): "parameter_set_type"
        for method in ("GET", "POST")
    },
    **{
        (f"{method} /metadata/v1/tags/{{tag_id}}/links/{{reference_id}}", "reference_id"): "linked"
        for method in ("GET", "PATCH", "DELETE")
    },
}
HIDDEN_KINDS = frozenset(
    {"environment_project", "asset", "parameter", "entry", "revision", "parameter_set", "tag", "linked", "project", "model",
     "model_version", "evaluation", "file", "plan", "batch", "study", "notification", "comment", "record", "source", "team",
     "api_key", "user", "client", "webhook", "delivery", "worker_token", "variant", "project_comment",
     "view", "share", "invitation", "deployed_project"}
)  # fmt: skip
"""What not everybody may see. Everything else is open to every user."""
# Each call of these needs something new, whatever their other ids are: what they delete, or what may stand once only.
FRESH: dict[str, str] = {
    "POST /v1/studies/{study_id}/cancel": "study_id",
    "DELETE /v1/teams/{team_id}/members/{user_id}": "team_id",
    "DELETE /v1/projects/{project_id}/members/{user_id}": "project_id",
    "POST /v1/projects/{project_id}/members": "team_id",
    "DELETE /parameter/v1/parameter_set_types/{parameter_set_type_id}/items/{item_type_id}": "parameter_set_type_id",
    "POST /parameter/v1/parameter_set_types/{parameter_set_type_id}/items": "item_type_ids[]",
    "POST /parameter/v1/item_types": "item_types[].parameter_type_id",
    "POST /parameter/v1/parameters": "parameters[].parent_ids[]",
    "PATCH /parameter/v1/revisions": "revisions[].revision_id",
    "POST /metadata/v0/tags/{tag_id}/links": "tag_id",
    "POST /v1/import": "assets[].parent_id",
}
IMPORT = "POST /v1/import"
"""The upload of a file whose rows have ids."""
_IMPORTED = {"project_id": "environment_project", "parent_id": "asset", "asset_sub_type_id": "asset_sub_type"}
COMPARISON, BESIDE = "GET /v1/projects/{project_id}/variants/compare", "variant beside"
"""The read that takes at least two ids, and the kind of the second."""
READ_FIRST = {f"{method} /parameter/v0/parameters/{{parameter_id}}/revision" for method in ("PATCH", "POST")}
"""Older writes that read what they write to: a key that may read it is told first when it isn't there."""
PATH_TEXTS = {"/parameters/{name}": "span", "/geometry/{name}": "arch", "/files/{name}": "report.pdf"}
"""The variables of paths that are no ids."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of an id in a request.

    `name` is its JSON path, `kind` the kind of row that it names; `many` takes a list. With `filters`, a query may
    leave it out.
    """

    source: Literal["path", "query", "body"]
    name: str
    kind: str
    many: bool
    filters: bool

    @property
    def hidden(self) -> bool:
        """Tell whether the place may name something that not everybody may see."""
        return self.kind in HIDDEN_KINDS


Ids = Callable[[Place], Sequence[str]]
_numbers = itertools.count(1)
_BASE = re.compile(r"^(/[a-z]+)?/v\d+(?=/)")


@dataclass(frozen=True, slots=True)
class Request:
    """A request without credentials; bytes are an uploaded model."""

    method: str
    url: str
    body: Any = None

    def asking(self, query: str) -> Request:
        """Return the same with more of a query."""
        joined = f"{self.url}{'&' if '?' in self.url else '?'}{query}" if query else self.url
        return Request(self.method, joined, self.body)


@dataclass(frozen=True, slots=True)
class Operation:
    """One route with its places and the bodies of its row.

    The row is the current version's where the route is another version's.
    """

    name: str
    row: str
    route: Route
    surface: str
    version: str
    places: tuple[Place, ...]
    bodies: tuple[Any, ...]

    @property
    def reads(self) -> bool:
        """Tell whether the operation changes nothing."""
        return self.route.method == "GET"

    @property
    def privilege(self) -> int:
        """Return the privilege that callers need."""
        return int(self.route.rpc.options.privilege)

    @property
    def fresh(self) -> Place | None:
        """The place whose id must be new for each call: what it deletes, or what may stand once only."""
        name = FRESH.get(self.name) or FRESH.get(self.row)
        if name is None and self.route.method == "DELETE":
            last = self.route.template.variables[-1]
            name = self.route.view.draft.variables.get(last, last) if isinstance(self.route, OlderRoute) else last
        return next((place for place in self.places if place.name == name), None)

    def place(self, name: str) -> Place:
        """Return the place of a name."""
        return next(place for place in self.places if place.name == name)

    def body_with(self, place: Place | None = None) -> Any:
        """Return the first of its bodies, or the first that has the place."""
        if place is None or place.source != "body":
            return self.bodies[0] if self.bodies else None
        with_place = (body for body in self.bodies if _plain(place.name) in id_places(body))
        return next(with_place, self.bodies[0])  # an older version may not take it

    def request(self, ids: Ids, *, filtered: Place | None = None, body: Any = None, unique: str = "") -> Request:
        """Return the request with these ids; a filter by the place `filtered` only, when it is one of the query.

        `unique` takes the place of unique texts, which else are new.
        """
        texts = {place.name: place for place in self.places if place.source == "path"}
        renamed = self.route.view.draft.variables if isinstance(self.route, OlderRoute) else {}
        url = re.sub(
            r"\{(\w+)\}",
            lambda match: self._path_part(texts.get(renamed.get(match[1], match[1])), ids),
            self.route.template.text,
        )
        query = [
            f"{_query_name(self.route, place)}={quote(','.join(self._query_ids(place, ids)), safe='')}"
            for place in self.places
            if place.source == "query" and (place == filtered or not place.filters)
        ]
        if self.name.endswith("/convert"):
            query.append("value=1")
        if self.row == "POST /v1/projects/{project_id}/files":
            query.append("name=profile.csv")
        by_name = {_plain(place.name): place for place in self.places if place.source != "query"}
        chosen = self.body_with() if body is None else body
        filled = _filled(chosen, "", by_name, ids, unique or f"x{next(_numbers)}")
        if self.route.decoder.body not in ("", "*") and not self.route.decoder.upload:
            filled = filled[self.route.decoder.body]
        return Request(self.route.method, url + ("?" + "&".join(query) if query else ""), filled)

    def _query_ids(self, place: Place, ids: Ids) -> Sequence[str]:
        """Return the ids of a query; a comparison of one has another of its side beside it."""
        given = ids(place)
        if self.row != COMPARISON or len(given) > 1:
            return given
        return [*given, *ids(Place("query", BESIDE, BESIDE, False, False))]

    def _path_part(self, place: Place | None, ids: Ids) -> str:
        if place is not None:
            return quote(",".join(ids(place)), safe=",")
        return next(text for end, text in PATH_TEXTS.items() if self.route.template.text.endswith(end))


def _query_name(route: Route, place: Place) -> str:
    """Return the name of the query in its version, older or current."""
    name = _plain(place.name)
    return route.decoder.queries_of(name)[0] if isinstance(route.decoder, OlderDecoder) else name


def _plain(path: str) -> str:
    """Return a JSON path without the marks of lists: an older version may take one object where there is a list now."""
    return path.replace("[]", "")


def _filled(node: Any, path: str, places: dict[str, Place], ids: Ids, unique: str) -> Any:
    if isinstance(node, dict):
        dot = f"{path}." if path else ""
        return {key: _filled(value, f"{dot}{key}", places, ids, unique) for key, value in node.items()}
    if isinstance(node, list):
        if node == [ID]:
            return list(ids(places[path]))
        return [_filled(item, path, places, ids, unique) for item in node]
    if node == UNIQUE:
        return unique
    return ids(places[node[1:] or path])[0] if _is_id(node) else node


def id_places(body: Any, path: str = "") -> set[str]:
    """Return the JSON paths of a body at which an id stands, without the marks of lists."""
    if isinstance(body, dict):
        dot = f"{path}." if path else ""
        return {name for key, value in body.items() for name in id_places(value, f"{dot}{key}")}
    if isinstance(body, list):
        return {name for item in body for name in id_places(item, path)}
    return {body[1:] or path} if _is_id(body) else set()


def _is_id(node: Any) -> bool:
    """Return whether an id stands here; after the sign the path that the place has now, where an older version has another."""
    return isinstance(node, str) and node.startswith(ID) and node != UNIQUE


def wanted_places(operation: Operation) -> set[str]:
    """Return the places that the bodies of an operation must have."""
    return {_plain(place.name) for place in operation.places if place.source == "body"}


def all_operations() -> list[Operation]:
    """Return every operation of the current version of every surface."""
    return [_operation(route, f"{route.method} {route.template.text}") for route in routes.build().routes]


def other_operations() -> list[Operation]:
    """Return every operation of the older versions, and of the beta one."""
    current = routes.build().routes
    known = {f"{route.method} {route.template.text}" for route in current}
    served = versions.build().routes
    return [
        _operation(route, _row(route, current))
        for route in served
        if f"{route.method} {route.template.text}" not in known
    ]


def _row(route: Route, current: Sequence[Route]) -> str:
    """Return the operation of the current version that a route of another one is made of."""
    path = route.view.draft.newest if isinstance(route, OlderRoute) else route.template.text
    same = [one for one in current if one.rpc.path == route.rpc.path]
    made_of = next((one for one in same if _BASE.sub("", one.template.text) == _BASE.sub("", path)), same[0])
    return f"{made_of.method} {made_of.template.text}"


def _operation(route: Route, row: str) -> Operation:
    name = f"{route.method} {route.template.text}"
    surface = options_pb2.Surface.Name(route.rpc.surface).removeprefix("SURFACE_").lower()
    given = bodies.BODIES.get(name, bodies.BODIES.get(row, ()))
    alternatives = given if isinstance(given, tuple) else (given,)
    # A body that is one field of the request stands without the field's name.
    whole = route.decoder.body if route.decoder.body not in ("", "*") and not route.decoder.upload else ""
    taken = {place for body in alternatives for place in id_places({whole: body} if whole else body)}
    places = [
        place
        for place in _places(route, name, row, surface)
        # An older version makes some of its ids itself.
        if not isinstance(route, OlderRoute) or place.source != "body" or _plain(place.name) in taken
    ]
    version = next((part for part in route.template.text.split("/") if re.fullmatch(r"v\d+", part)), "")
    return Operation(
        name=name,
        row=row,
        route=route,
        surface=surface,
        version=version,
        places=tuple(places),
        bodies=tuple({whole: body} if whole else body for body in alternatives),
    )


def _places(route: Route, name: str, row: str, surface: str) -> Iterator[Place]:
    older = route.view.draft.variables if isinstance(route, OlderRoute) else {}
    variables = {older.get(name, name) for name in route.template.variables}
    for path, many, optional in _id_fields(route.rpc.input, ""):
        top = re.split(r"[.\[]", path)[0]
        source: Literal["path", "query", "body"] = (
            "path" if top in variables else "query" if top in route.decoder.query_fields else "body"
        )
        if source == "body" and not route.decoder.takes_json and not route.decoder.upload:
            continue  # an older version that doesn't take the query
        kind = _EXCEPTIONS.get((row, path)) or _kind(surface, path)
        single = isinstance(route.decoder, OlderDecoder) and route.decoder.is_single(_plain(path))
        filters = source == "query" and (many or optional) and row != COMPARISON
        yield Place(source, path, kind, many and not single, filters)
    if row == IMPORT:
        for column, kind in _IMPORTED.items():
            yield Place("body", f"assets[].{column}", kind, False, False)
    # What stands in the path there, and in the items of a body here.
    for variable in variables - {field.name for field in route.rpc.input.fields}:
        kind = _EXCEPTIONS.get((name, variable)) or _kind(surface, variable)
        yield Place("path", variable, kind, False, False)


def _kind(surface: str, path: str) -> str:
    *before, last = path.removesuffix("[]").split(".")
    if last == "id":
        # The item's own: `assets[].id` is that of a new asset.
        return NEW + re.sub(r"(ie)?s\[\]$", lambda match: "y" if match[1] else "", before[-1])
    return _KINDS[surface][last]


def _id_fields(message: Descriptor, before: str) -> Iterator[tuple[str, bool, bool]]:
    """Return the JSON paths of the id fields, and whether each takes a list and may be left out."""
    for one in message.fields:
        if field_options(one).grpc_only or field_options(one).header:
            continue
        path = f"{before}{one.name}{'[]' if one.is_repeated else ''}"
        # The ids of a hierarchy's path stand in one text.
        if is_id(one) or one.name == "asset_ids":
            yield path, one.is_repeated or one.name == "asset_ids", one.has_presence
        elif one.message_type is not None and one.message_type.file.package.startswith("catenary."):
            yield from _id_fields(one.message_type, f"{path}.")
