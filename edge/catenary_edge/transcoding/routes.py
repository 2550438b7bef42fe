"""The immutable route table, made once from the HTTP bindings of the protos.

A path is looked up as a whole first, then segment by segment. An unsupported binding is a BindingError at start, never
a failure of a request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from catenary.options.v1 import options_pb2
from catenary_edge import surfaces
from catenary_edge.errors.fault import Fault
from catenary_edge.surfaces.bare import Bare
from catenary_edge.surfaces.data import Data
from catenary_edge.surfaces.platform import Platform
from catenary_edge.transcoding import services, template
from catenary_edge.transcoding.decoder import Decoder, decode_percent
from catenary_edge.transcoding.encoder import Encoders
from catenary_edge.transcoding.fields import field_options, is_map
from catenary_edge.transcoding.services import Rpc
from catenary_edge.transcoding.template import BindingError, Template
from catenary_edge.transcoding.writers import Writers
from catenary_wire.json_form import JsonFormError

GET_VERSIONS = "/catenary.caching.v1.VersionService/GetVersions"
IDENTIFY = "/catenary.platform.v1.AuthService/Identify"
EVENTS = "/catenary.platform.v1.EventService/Subscribe"
"""The subscription served by `/ws`."""
NEXT_CURSOR = "next_cursor"
PAGING = "paging"
PageUrl = Callable[[str, str], str]
"""Returns the URL of another page of the requested list, from the query parameter's name and the cursor."""
_PAGING_TYPE = "catenary.type.v1.Paging"
_SUCCESS = (200, 201, 202, 204)
_METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """One HTTP binding of a method."""

    method: str
    """HTTP method in capitals."""
    template: Template
    rpc: Rpc
    decoder: Decoder
    surface: surfaces.Surface
    success: int
    """Status of a success: 200, 201, 202 or 204."""
    response_body: str
    """Name of the response field used as the body, or "" for the whole message."""
    is_list: bool
    """True if the response is a list of the platform, whose `next_cursor` stands in the envelope."""
    paged: bool
    """True if the response has `paging`, whose cursors become URLs."""
    omitted: frozenset[str]
    """Response fields left out when unset."""
    has_table: bool
    """True if the response is a list that is also given as CSV."""
    plain: Callable[[Message], dict[str, Any]]
    """Converts a response message to a dict."""

    @property
    def public(self) -> bool:
        """True if the route needs no credentials."""
        return self.rpc.options.privilege == options_pb2.PRIVILEGE_PUBLIC

    @property
    def oauth(self) -> bool:
        """True if a request may be a form or carry HTTP Basic (RFC 6749)."""
        return self.rpc.options.body_style == options_pb2.BODY_STYLE_OAUTH

    @property
    def may_wait(self) -> bool:
        """True if the caller may ask the method to wait (`Prefer: wait`, RFC 7240)."""
        return "Prefer" in self.decoder.headers.values()

    @property
    def takes_if_match(self) -> bool:
        """True if the request may have If-Match: the route writes one object and responds with the object."""
        fields = self.rpc.output.fields
        one = len(fields) == 1 and fields[0].message_type is not None and not fields[0].is_repeated
        return one and not self.rpc.server_streaming and self.method in ("PATCH", "PUT", "DELETE")

    @property
    def csv_path(self) -> str:
        """The path after the route's own, of the download given to who prefers CSV; "" for none."""
        return self.rpc.options.csv_at

    @property
    def has_etag(self) -> bool:
        """True if responses are reads with an entity tag; such a route takes conditions."""
        return self.method == "GET" and not self.subscription

    @property
    def cacheable(self) -> bool:
        """True if responses may be cached: reads depending only on the caller, the URL and rows."""
        options = self.rpc.options
        return (
            self.has_etag
            and not self.public
            and not options.cache
            and not options.download
            and not self.decoder.headers
        )

    @property
    def is_list_in_parts(self) -> bool:
        """True if the response is a list in parts."""
        return self.unpaginated or (self.rpc.server_streaming and not (self.rpc.options.download or self.subscription))

    @property
    def unpaginated(self) -> bool:
        """True if the response is a paginated method's whole list, as in some older versions."""
        return False

    @property
    def newest(self) -> Route:
        """The current route of the same method: itself, except for a route of an older version."""
        return self

    @property
    def subscription(self) -> bool:
        """True if the response is a stream without an end of its own."""
        return self.rpc.options.subscription

    def payload(self, body: dict[str, Any], page_url: PageUrl) -> Any:
        """Return the body of a response dict: without a list's `next_cursor`, and with URLs of the other pages."""
        if self.response_body:
            return body[self.response_body]
        if self.is_list:
            return {key: value for key, value in body.items() if key != NEXT_CURSOR}
        if self.omitted:
            body = {key: value for key, value in body.items() if value is not None or key not in self.omitted}
        paging = body.get(PAGING) if self.paged else None
        if paging is None:
            return body
        links = {
            name: None if paging[name] is None else page_url(parameter, paging[name])
            for name, parameter in (("previous", "before"), ("next", "after"))
        }
        return body | {PAGING: paging | links}


@dataclass(frozen=True, slots=True)
class Match:
    """A route with the values of its variables."""

    route: Route
    segments: tuple[str, ...]
    """The values, still percent-encoded."""


@dataclass(slots=True)
class _Node:
    literals: dict[str, _Node] = field(default_factory=dict)
    variable: _Node | None = None
    routes: dict[str, dict[str, Route]] = field(default_factory=dict)
    """Routes by verb, then by HTTP method."""


class RouteTable:
    """All routes. `match` finds one, `methods` lists the methods of a path."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self.routes = tuple(routes)
        self._literal: dict[tuple[str, str], Route] = {}
        self._root = _Node()
        for route in self.routes:
            self._add(route)

    def _add(self, route: Route) -> None:
        node = self._root
        for segment in route.template.segments:
            if segment is None:
                node.variable = node.variable or _Node()
                node = node.variable
            else:
                node = node.literals.setdefault(segment, _Node())
        methods = node.routes.setdefault(route.template.verb, {})
        if route.method in methods:
            other = methods[route.method]
            raise BindingError(
                f"{route.rpc.path} and {other.rpc.path} clash: {route.method} {route.template.text} and "
                f"{other.template.text} are the same path"
            )
        methods[route.method] = route
        if not route.template.variables:
            self._literal[route.method, route.template.text] = route

    def match(self, method: str, path: str) -> Match | None:
        """Return the route of a method and a raw path; None when there is none.

        A literal segment goes before a variable, whatever the method: `/users/me` is never the user with the id `me`.
        """
        route = self._literal.get((method, path))
        if route is not None:
            return Match(route, ())
        methods, segments = self._most_literal(path)
        return Match(methods[method], segments) if method in methods else None

    def methods(self, path: str) -> list[str]:
        """List the methods of a path, sorted, with OPTIONS, and HEAD beside GET; empty for an unknown path."""
        found = set(self._most_literal(path)[0])
        if "GET" in found:
            found.add("HEAD")
        return sorted(found | {"OPTIONS"}) if found else []

    def _most_literal(self, path: str) -> tuple[Mapping[str, Route], tuple[str, ...]]:
        """Return a path's routes by method, and the raw values of the variables; both empty for an unknown path."""
        parts = path[1:].split("/")
        parts[-1], _, verb = parts[-1].partition(":")

        def descend(
            node: _Node, index: int, values: tuple[str, ...]
        ) -> tuple[dict[str, Route], tuple[str, ...]] | None:
            if index == len(parts):
                return (node.routes[verb], values) if verb in node.routes else None
            part = parts[index]
            child = node.literals.get(_unescaped(part))
            found = descend(child, index + 1, values) if child is not None else None
            if found is None and node.variable is not None and part and ":" not in part:
                found = descend(node.variable, index + 1, (*values, part))
            return found

        found = descend(self._root, 0, ()) if path.startswith("/") and not path.endswith(":") else None
        return found or ({}, ())


def _unescaped(part: str) -> str:
    """Decode a segment for comparison with literals: `%70rojects` is `projects` (RFC 3986, section 6.2.2.2)."""
    if "%" not in part:
        return part
    try:
        return decode_percent(part)
    except Fault:
        return ""


def build(rpcs: Iterable[Rpc] | None = None) -> RouteTable:
    """Build the route table of the given methods, by default of all generated ones.

    Raises:
        BindingError: A binding is not supported; the text names the method.
    """
    writers, encoders = Writers(), Encoders()
    routes: list[Route] = []
    for rpc in services.load() if rpcs is None else rpcs:
        if rpc.options.privilege == options_pb2.PRIVILEGE_UNSPECIFIED:
            raise BindingError(f"{rpc.path}: the option privilege is not set, so nobody knows who may call it")
        if rpc.http is None:
            continue
        for rule in (rpc.http, *rpc.http.additional_bindings):
            try:
                routes.append(route_of(rpc, rule, writers, encoders))
            except (BindingError, JsonFormError) as error:
                text = str(error)
                raise BindingError(text if rpc.path in text else f"{rpc.path}: {text}") from None
    downloads = {route.template.text for route in routes if route.rpc.options.download}
    for route in routes:
        if route.csv_path and route.template.text + route.csv_path not in downloads:
            raise BindingError(f"{route.rpc.path}: no download has the path of the option csv_at")
    return RouteTable(routes)


def route_of(rpc: Rpc, rule: Any, writers: Writers, encoders: Encoders) -> Route:
    """Build the route of one binding (google.api.HttpRule) of a method.

    Raises:
        BindingError: The binding is not supported.
    """
    pattern = rule.WhichOneof("pattern")
    if pattern not in _METHODS:
        raise BindingError(f"{rpc.path}: a binding needs one of {', '.join(_METHODS)}")
    if rule is not rpc.http and rule.additional_bindings:
        raise BindingError(f"{rpc.path}: an additional binding has additional bindings")
    parsed = template.parse(getattr(rule, pattern))
    options = rpc.options
    _check_streams(rpc)
    if rule.body and pattern in ("get", "delete"):
        raise BindingError(f"{rpc.path}: {pattern.upper()} takes no body")
    success = options.success or 200
    if success not in _SUCCESS:
        raise BindingError(f"{rpc.path}: the success status {success} is none of {_SUCCESS}")
    kind, version = surfaces.kind_of(parsed.text)
    if rpc.surface != kind:
        raise BindingError(f"{rpc.path}: the path {parsed.text} is not one of the service's surface")
    surface: surfaces.Surface = Platform(version) if kind == options_pb2.SURFACE_PLATFORM else Data()
    if options.body_style:
        surface = Bare(surface)
    output = rpc.output
    body = rule.response_body
    if body and body not in output.fields_by_name:
        raise BindingError(f"{rpc.path}: the response body field {body!r} doesn't exist")
    cursor = output.fields_by_name.get(NEXT_CURSOR)
    enveloped = kind == options_pb2.SURFACE_PLATFORM and not options.body_style
    is_list = enveloped and not body and cursor is not None
    if is_list and cursor is not None and (cursor.type != FieldDescriptor.TYPE_STRING or not cursor.has_presence):
        raise BindingError(f"{rpc.path}: next_cursor is not an optional string")
    if options.csv_at and not (pattern == "get" and options.cache):
        raise BindingError(f"{rpc.path}: the option csv_at is for a GET with the option cache")
    paging = output.fields_by_name.get(PAGING)
    return Route(
        method=pattern.upper(),
        template=parsed,
        rpc=rpc,
        decoder=Decoder(rpc, parsed, rule.body, writers),
        surface=surface,
        success=success,
        response_body=body,
        is_list=is_list,
        paged=paging is not None and paging.message_type is not None and paging.message_type.full_name == _PAGING_TYPE,
        omitted=frozenset(field.name for field in output.fields if field_options(field).omit_unset),
        has_table=pattern == "get" and not body and _is_table(rpc),
        plain=_no_json if options.download else encoders.plain(output),
    )


def _is_table(rpc: Rpc) -> bool:
    """Tell whether the method's response is a list: its first field has objects, each of which is a row of a table."""
    options = rpc.options
    if options.download or options.subscription or options.body_style or options.csv_at:
        return False
    first = next(iter(rpc.output.fields), None)
    return first is not None and bool(first.is_repeated) and first.message_type is not None and not is_map(first)


def _check_streams(rpc: Rpc) -> None:
    if rpc.client_streaming != bool(rpc.options.upload_types):
        raise BindingError(f"{rpc.path}: client streaming and the option upload_types go together")
    if rpc.options.download and not rpc.server_streaming:
        raise BindingError(f"{rpc.path}: the option download needs server streaming")
    if rpc.options.subscription and not rpc.server_streaming:
        raise BindingError(f"{rpc.path}: the option subscription needs server streaming")
    if rpc.server_streaming and not rpc.options.download and not rpc.output.fields[0].is_repeated:
        raise BindingError(f"{rpc.path}: a list in parts needs a repeated field as the answer's first")
    if rpc.client_streaming and rpc.server_streaming:
        raise BindingError(f"{rpc.path}: streams in both directions have no HTTP form")
    if rpc.options.download:
        fields = rpc.output.fields
        if [(one.name, one.type) for one in fields] != [("chunk", FieldDescriptor.TYPE_BYTES)]:
            raise BindingError(f"{rpc.path}: a download answers with messages of one field `bytes chunk`")


def _no_json(message: Message) -> dict[str, Any]:
    raise TypeError("a download has no JSON form")
