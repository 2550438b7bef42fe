"""The pages without a route: `/`, `/studio…`, `/docs…`, `/openapi.json`, `/openapi/{surface}/{version}.json`.

`/docs/descriptors.binpb` is the descriptor set from which gRPC callers compile their stubs, `/docs/operations.json` the list of
all operations in which the reference searches.

A page is looked for only where no route matches. A document is made at its first request: that takes some 50 ms, which
would slow the start of a node.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

import orjson

from catenary_edge.errors import reasons
from catenary_edge.openapi import document
from catenary_edge.openapi.document import Key
from catenary_edge.pages import changes, errors, guide_pages, markup, reference
from catenary_edge.studio import files as studio
from catenary_edge.surfaces import JSON_TYPE, name_of
from catenary_edge.transcoding.routes import Route

REFERENCE = "/docs"
"""Path of the reference, the home where no Studio is built."""
METHODS = ("GET", "HEAD", "OPTIONS")
_HTML = "text/html; charset=utf-8"
_ERRORS = "/docs/errors/"
_GUIDE = f"{guide_pages.PATH}/"
_STATIC = "/docs/static/"
_DESCRIPTORS = "/docs/descriptors.binpb"
_OPERATIONS = "/docs/operations.json"
_LONG = "public, max-age=31536000, immutable"
"""Cache-Control of a file whose name holds the hash of its content."""
_FILES: Mapping[str, str] = {
    "icon.svg": "image/svg+xml",
    "style.css": "text/css; charset=utf-8",
}
# Everything is loaded from this origin, scripts from files only, and no script turns text into markup.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the site."""

    media_type: str
    """Value of Content-Type."""
    render: Callable[[str], bytes]
    """Makes the bytes of the page for the prefix of absolute links (empty: unknown)."""
    location: str = ""
    """Path of the page to which this one only leads; empty for all others."""
    is_studio: bool = False
    """True: its Content-Security-Policy is the Studio's, which names the identity providers."""
    policy: str = _POLICY
    """Content-Security-Policy of another page of HTML."""
    cache: str = "public, max-age=300"
    """Value of Cache-Control."""

    @property
    def status(self) -> int:
        """The page's HTTP status."""
        return 302 if self.location else 200

    def headers(self, studio_policy: str) -> dict[str, str]:
        """Return the page's headers beside those of every response."""
        found = {"Cache-Control": self.cache, "Vary": "Accept-Encoding, Host"}
        if self.location:
            return {**found, "Location": self.location}
        found["Content-Type"] = self.media_type
        if self.media_type == _HTML:
            found["Content-Security-Policy"] = studio_policy if self.is_studio else self.policy
        return found


def home() -> str:
    """Return the path to which `/` leads: the Studio, or the reference where none is built."""
    return studio.PATH if studio.names() else REFERENCE


class Site:
    """All pages of one route table."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._routes = routes
        self._by_document = document.by_document(routes)
        self._keys = {document.address(key): key for key in self._by_document}
        self._guide = frozenset(guide_pages.names())
        self._made: dict[Key, bytes] = {}
        self._found: bytes | None = None

    def find(self, path: str) -> Page | None:
        """Return the page of a path; None when there is none."""
        if path == "/":
            return Page("", lambda _: b"", location=home())
        if path == studio.PATH or path.startswith(f"{studio.PATH}/"):
            return _studio_page(path)
        if path in self._keys:
            key = self._keys[path]
            return Page(JSON_TYPE, lambda base_url: self._document(key, base_url))
        if path.startswith(_STATIC):
            name = path.removeprefix(_STATIC)
            return Page(_FILES[name], lambda _: _file(name)) if name in _FILES else None
        if path.startswith(_ERRORS):
            reason = reasons.CATALOGUE.get(path.removeprefix(_ERRORS))
            return None if reason is None else Page(_HTML, lambda base_url: errors.page(reason, base_url))
        if path.startswith(_GUIDE):
            name = path.removeprefix(_GUIDE)
            return Page(_HTML, lambda _: guide_pages.page(name)) if name in self._guide else None
        if path == _DESCRIPTORS:
            return Page("application/x-protobuf", lambda _: _descriptors())
        if path == "/openapi.json":
            return Page(JSON_TYPE, self._index)
        if path == _OPERATIONS:
            return Page(JSON_TYPE, lambda _: self._operations())
        if path == REFERENCE:
            listed = [(document.title(key), address) for address, key in self._keys.items()]
            return Page(_HTML, lambda _: reference.page(listed), policy=reference.POLICY, cache="no-cache")
        makers = {
            guide_pages.PATH: lambda _: guide_pages.index(),
            "/docs/errors": lambda _: errors.index(),
            "/docs/changes": lambda _: changes.page(self._routes),
        }
        return Page(_HTML, makers[path]) if path in makers else None

    def _index(self, base_url: str) -> bytes:
        """Build `{"documents": [{surface, version, title, url}]}`."""
        listed = [
            {
                "surface": name_of(key[0]),
                "version": key[1],
                "title": document.title(key),
                "url": base_url + document.address(key),
            }
            for key in self._by_document
        ]
        return orjson.dumps({"documents": listed})

    def _operations(self) -> bytes:
        """Build `{"operations": [{surface, version, id, method, path, summary}]}` of all documents, once."""
        if self._found is None:
            listed = [
                {
                    "surface": name_of(key[0]),
                    "version": key[1],
                    "id": operation["operationId"],
                    "method": method,
                    "path": path,
                    "summary": operation["summary"],
                }
                for key, routes in self._by_document.items()
                for path, operations in document.build(key, routes)["paths"].items()
                for method, operation in operations.items()
            ]
            self._found = orjson.dumps({"operations": listed})
        return self._found

    def _document(self, key: Key, base_url: str) -> bytes:
        """Return a document as bytes.

        `servers` depends on the request and stands before the rest, which is made once.
        """
        if key not in self._made:
            self._made[key] = orjson.dumps(document.build(key, self._by_document[key]))[1:]
        servers = orjson.dumps([{"url": base_url or "/"}])
        return b'{"servers":%b,%b' % (servers, self._made[key])


def _descriptors() -> bytes:
    """Return the FileDescriptorSet with comments for gRPC callers, without internal services."""
    return resources.files("catenary").joinpath("descriptors.binpb").read_bytes()


def _studio_page(path: str) -> Page | None:
    """Return the Studio's page or one of its files; where none is built, a page that tells how to build it."""
    if path == studio.PATH:
        if not studio.names():
            return Page(_HTML, lambda _: _unbuilt(), cache="no-cache")
        return Page(_HTML, lambda _: studio.read("index.html"), is_studio=True, cache="no-cache")
    name = path.removeprefix(f"{studio.PATH}/")
    if name not in studio.names():
        return None
    return Page(studio.media_type(name), lambda _: studio.read(name), cache=_LONG if "-" in name else "no-cache")


def _unbuilt() -> bytes:
    body = "<h1>The Studio is not built</h1>" + markup.prose(
        "This server was installed without its page, mostly since the npm registry could not be reached. Whoever runs the server"
        " builds it with `catenary studio build`, and starts the server again."
    )
    return markup.page(
        "Studio", body + '<p><a href="/docs">The reference</a> describes the API, which works without it.</p>'
    )


def _file(name: str) -> bytes:
    return resources.files("catenary_edge.pages").joinpath("static", name).read_bytes()
