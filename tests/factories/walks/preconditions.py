"""A transport that tries every request of a walk with conditions too (guide/conventions.md, "Caching and conditions")."""

from __future__ import annotations

import httpx

from catenary_core.call.methods import Binding, bindings_of, service_descriptors
from catenary_edge.transcoding.routes import Route, RouteTable
from factories.walks.conformance import Conformance

STALE = f'"{"0" * 32}"'
_WRITES = ("PATCH", "PUT", "DELETE")
_OF_304 = ("etag", "vary", "cache-control", "content-location", "x-api-stage")


def takes_if_match(binding: Binding) -> bool:
    """Return whether the method changes, replaces or deletes one object."""
    return binding.verb is not None and binding.verb.upper() in _WRITES and binding.object_field is not None


class Conditional(httpx.AsyncBaseTransport):
    """A transport that repeats requests with conditions.

    A write goes with a stale If-Match first, which must change nothing, and then with the right one; a GET goes again with the
    tag that it gave, which must be a 304. Each method is tried until it has answered as it must.

    `kept`, `refused` and `unmodified` have the methods that kept their condition, that refused one, and that gave a 304.
    """

    def __init__(self, table: RouteTable, conforms: Conformance) -> None:
        self._inner = httpx.AsyncHTTPTransport()
        self._table = table
        self._conforms = conforms
        self._bindings = bindings_of(service_descriptors())
        self._checked: set[tuple[Route | None, int]] = set()
        self.kept: set[str] = set()
        self.refused: set[str] = set()
        self.unmodified: set[str] = set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        method = "GET" if request.method == "HEAD" else request.method
        match = self._table.match(method, request.url.raw_path.decode().partition("?")[0])
        if match is None or match.route.public or match.route.subscription:
            return await self._inner.handle_async_request(request)
        if match.route.rpc.path in self.kept | self.refused | self.unmodified:
            return await self._inner.handle_async_request(request)
        await request.aread()
        if match.route.method == "GET":
            return await self._read(request, match.route)
        if match.route.method not in _WRITES:
            return await self._inner.handle_async_request(request)
        if takes_if_match(self._bindings[match.route.rpc.path]):
            return await self._written(request, match.route)
        return await self._refused(request, match.route)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _read(self, request: httpx.Request, route: Route) -> httpx.Response:
        found = await self._send(request)
        tag = found.headers.get("ETag", "")
        if found.status_code != 200:
            return found
        assert tag, f"{request.method} {request.url.path} has no ETag"
        is_weak = (
            request.url.path.startswith(("/v1/", "/v2/")) and "/geometry/" not in tag and not route.rpc.options.download
        )
        again = await self._send(request, {"If-None-Match": f'"other", {tag}'})
        if again.status_code == 304:
            shown = f"{request.method} {request.url.path}"
            assert not again.content, f"{shown}: a 304 with a body"
            for name in _OF_304:
                assert again.headers.get(name) == found.headers.get(name), f"{shown}: {name} differs in the 304"
            assert tag.startswith("W/") == is_weak or len(found.content) > 2**20, f"{shown} has the tag {tag}"
            self.unmodified.add(route.rpc.path)
        else:  # it moves by itself
            assert (again.status_code, again.headers.get("ETag") == tag) == (200, False)
        return found

    async def _written(self, request: httpx.Request, route: Route) -> httpx.Response:
        shown = f"{request.method} {request.url.path}"
        stale = await self._send(request, {"If-Match": STALE})
        assert stale.status_code >= 400, f"{shown} ignored If-Match"
        tag = "*" if route.method == "DELETE" else None
        if self._table.match("GET", request.url.path) is not None:
            read = httpx.Request("GET", request.url.copy_with(query=None), headers=headers_of(request))
            tag = (await self._send(read)).headers.get("ETag", tag)
        done = await self._send(request, {"If-Match": tag} if tag else {})
        if done.is_success and tag is None:  # nothing reads it alone: its tag comes with the first answer
            done = await self._send(request, {"If-Match": done.headers["ETag"]})
            assert done.is_success, f"{shown}: {done.status_code} with its own tag: {done.text}"
        if done.is_success:
            assert stale.status_code == 412, f"{shown}: {stale.status_code} with a stale If-Match"
            assert ("ETag" in done.headers) == (route.method != "DELETE"), f"{shown}: the ETag of its answer"
            self.kept.add(route.rpc.path)
        return done

    async def _refused(self, request: httpx.Request, route: Route) -> httpx.Response:
        refused = await self._send(request, {"If-Match": STALE})
        done = await self._send(request)
        if done.is_success:
            assert refused.status_code == 400, f"{route.template.text} took If-Match"
            assert "If-Match" in refused.text
            self.refused.add(route.rpc.path)
        return done

    async def _send(self, request: httpx.Request, more: dict[str, str] | None = None) -> httpx.Response:
        headers = headers_of(request) | (more or {})
        sent = httpx.Request(
            request.method, request.url, headers=headers, content=request.content, extensions=request.extensions
        )
        found = await self._inner.handle_async_request(sent)
        found.request = sent
        await found.aread()
        match = self._table.match("GET" if request.method == "HEAD" else request.method, request.url.path)
        kind = (match.route if match else None, found.status_code)
        if more and kind not in self._checked:  # one of a kind is enough
            self._checked.add(kind)
            await self._conforms.check(found)
        return found


def headers_of(request: httpx.Request) -> dict[str, str]:
    """Return the headers of a request for another one with the same content."""
    framing = ("content-length", "transfer-encoding")
    return {name: value for name, value in request.headers.items() if name.lower() not in framing}
