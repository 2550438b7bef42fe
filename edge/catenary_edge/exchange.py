"""The state of one request on its way through the edge."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from urllib.parse import quote

import uuid_utils
from aiohttp.web import BaseRequest, RequestKey

from catenary_edge import surfaces
from catenary_edge.http.credentials import Caller
from catenary_edge.http.origin import UNKNOWN_ORIGIN, Origin
from catenary_edge.rate_limit import Charge
from catenary_edge.surfaces import Context, data
from catenary_edge.surfaces.platform import Platform
from catenary_edge.transcoding.routes import Route
from catenary_wire.spans import Span

ADMITTED = RequestKey("admitted", bool)
"""Key that a request of aiohttp has once its caller has authenticated, for the guard of its connection."""
_CURSORS = ("before", "after", "cursor")
_SLASHES = re.compile("//+")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")


@dataclass(slots=True)
class Exchange:
    """One request with the facts found out so far."""

    request: BaseRequest
    request_id: str
    surface: surfaces.Surface
    """The surface of the response's body."""
    path: str
    """The percent-encoded path, without empty segments."""
    started: float = field(default_factory=time.perf_counter)
    """Monotonic time of the start in seconds (`time.perf_counter`)."""
    origin: Origin = UNKNOWN_ORIGIN
    """Scheme and address of the caller."""
    route: Route | None = None
    """The matched route; None before the match and for paths without one."""
    credentials: dict[str, str] = field(default_factory=dict)
    """The caller's credentials, as metadata for the core."""
    refresh: dict[str, str] = field(default_factory=dict)
    """The refresh token of a session, as metadata for the core."""
    base_url: str = ""
    """The prefix of absolute links in the response; empty when unknown."""
    idempotency: dict[str, str] = field(default_factory=dict)
    """Idempotency-Key and route of the request, as metadata for the core."""
    caller: Caller | None = None
    """The identified caller; None before identification and on public routes."""
    charge: Charge | None = None
    """The request's share of the hourly limit; None before counting."""
    condition: dict[str, str] = field(default_factory=dict)
    """The header If-Match of a write, as metadata for the core."""
    span: Span | None = None
    as_table: bool = False
    """True if a success is a table instead of JSON."""
    single_item: str = ""
    """Name of the list field around a single-object body, or ""."""

    @property
    def is_by_link(self) -> bool:
        """True if the caller is identified, and is a share link."""
        return self.caller is not None and bool(self.caller.share_id)

    @property
    def context(self) -> Context:
        """The request's facts for response bodies."""
        return Context(self.request_id, self.base_url)

    def page_url(self, parameter: str, cursor: str) -> str:
        """Return the absolute URL of another page of the requested list, with the same filters."""
        given = self.request.rel_url.raw_query_string
        filters = [pair for pair in given.split("&") if pair and pair.partition("=")[0] not in _CURSORS]
        query = "&".join([*filters, f"{parameter}={quote(cursor, safe='')}"])
        return f"{self.base_url}{self.path}?{query}"

    @property
    def name(self) -> str | None:
        """The route's name in logs: its template. Path and query may hold ids and personal text."""
        return self.route.template.text if self.route is not None else None

    def metadata(self) -> dict[str, str]:
        """Return the request metadata for the core."""
        found = {"catenary-edge": "1", "x-request-id": self.request_id}
        if self.origin.address:
            found["catenary-client-address"] = self.origin.address
        if self.base_url:
            found["catenary-base-url"] = self.base_url
        found.update(self.credentials)
        found.update(self.refresh)
        found.update(self.idempotency)
        found.update(self.condition)
        if self.span is not None:
            found["traceparent"] = self.span.traceparent
        return found


def begin(request: BaseRequest) -> Exchange:
    """Start the exchange of a request from its path and X-Request-Id alone."""
    path = without_empty_segments(request.rel_url.raw_path)
    return Exchange(request, request_id(request), surface_of(path), path)


def without_empty_segments(path: str) -> str:
    """Return a raw path without empty segments and without a slash at its end; `%2F` is part of a segment and stays."""
    if "//" in path:
        path = _SLASHES.sub("/", path)
    return path[:-1] if len(path) > 1 and path.endswith("/") else path


def surface_of(path: str) -> surfaces.Surface:
    """Return the surface of a path; the platform for paths of no surface."""
    kind, version = surfaces.kind_of(path)
    return data.of_version(kind, version) if kind in surfaces.BASES.values() else Platform(version)


def request_id(request: BaseRequest) -> str:
    """Return the caller's X-Request-Id when valid, else a new UUIDv7."""
    given = request.headers.getall("X-Request-Id", ())
    if len(given) == 1 and _REQUEST_ID.fullmatch(given[0]):
        return str(given[0])
    return new_request_id()


def new_request_id() -> str:
    """Return a new UUIDv7."""
    return str(uuid_utils.uuid7())


def base_url(request: BaseRequest, origin: Origin, public_url: str) -> str:
    """Return the prefix of absolute links: the public URL, else one made of the Host header, else ""."""
    if public_url:
        return public_url.rstrip("/")
    host = request.headers.get("Host", "")
    return f"{origin.scheme}://{host}" if host else ""
