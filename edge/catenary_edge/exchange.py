"""One request on its way through the edge: what has been found out about it so far."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from urllib.parse import quote

import uuid_utils
from aiohttp.web import BaseRequest

from catenary_edge import surfaces
from catenary_edge.http.credentials import Caller
from catenary_edge.http.origin import UNKNOWN_ORIGIN, Origin
from catenary_edge.rate_limit import Charge
from catenary_edge.surfaces import Context, data
from catenary_edge.surfaces.platform import Platform
from catenary_edge.transcoding.routes import Route
from catenary_wire.spans import Span

_CURSORS = ("before", "after")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::[0-9]{1,5})?")


@dataclass(slots=True)
class Exchange:
    """A request with its id, the surface that its answer is written for, its route, who sent it, and under which key."""

    request: BaseRequest
    request_id: str
    surface: surfaces.Surface
    started: float = field(default_factory=time.perf_counter)
    origin: Origin = UNKNOWN_ORIGIN
    route: Route | None = None
    credentials: dict[str, str] = field(default_factory=dict)
    base_url: str = ""
    idempotency: dict[str, str] = field(default_factory=dict)
    caller: Caller | None = None
    charge: Charge | None = None
    """What the request counted as, once it did."""
    condition: dict[str, str] = field(default_factory=dict)
    """If-Match of a write, as metadata."""
    span: Span | None = None
    single_item: str = ""
    """The list of the request that the body was the one item of."""

    @property
    def path(self) -> str:
        """The path as it was sent, percent-encoded."""
        return str(self.request.rel_url.raw_path)

    @property
    def context(self) -> Context:
        """What bodies say about the request."""
        return Context(self.request_id, self.base_url)

    def page_url(self, parameter: str, cursor: str) -> str:
        """The absolute URL of another page of the list that was asked for, with the same filters."""
        url = self.request.rel_url
        kept = [pair for pair in url.raw_query_string.split("&") if pair and pair.partition("=")[0] not in _CURSORS]
        query = "&".join([*kept, f"{parameter}={quote(cursor, safe='')}"])
        return f"{self.base_url}{url.raw_path}?{query}"

    @property
    def name(self) -> str | None:
        """The route as logs name it: its template; path and query may hold ids and people's text."""
        return self.route.template.text if self.route is not None else None

    def metadata(self) -> dict[str, str]:
        """The request metadata for the core."""
        found = {"catenary-edge": "1", "x-request-id": self.request_id}
        if self.origin.address:
            found["catenary-client-address"] = self.origin.address
        if self.base_url:
            found["catenary-base-url"] = self.base_url
        found.update(self.credentials)
        found.update(self.idempotency)
        found.update(self.condition)
        if self.span is not None:
            found["traceparent"] = self.span.traceparent
        return found


def begin(request: BaseRequest) -> Exchange:
    """The exchange of a request that nothing is known about but its path."""
    return Exchange(request, request_id(request), surface_of(request.rel_url.raw_path))


def surface_of(path: str) -> surfaces.Surface:
    """The surface that an answer about a path is written for; the platform for paths of none."""
    kind, version = surfaces.kind_of(path)
    return data.of_version(kind, version) if kind in surfaces.BASES.values() else Platform(version)


def request_id(request: BaseRequest) -> str:
    """The caller's X-Request-Id when it is sane, else a new UUIDv7."""
    given = request.headers.getall("X-Request-Id", ())
    if len(given) == 1 and _REQUEST_ID.fullmatch(given[0]):
        return str(given[0])
    return new_request_id()


def new_request_id() -> str:
    """A UUIDv7."""
    return str(uuid_utils.uuid7())


def base_url(request: BaseRequest, origin: Origin, public_url: str) -> str:
    """The address that links in the answer start with: the public one, else that of a sane Host header, else none."""
    if public_url:
        return public_url.rstrip("/")
    host = request.headers.get("Host", "")
    return f"{origin.scheme}://{host}" if _HOST.fullmatch(host) else ""
