"""The request pipeline of the edge, from the first check to the last byte.

The order is that of guide/conventions.md, "Order of refusals"; `Edge._respond` shows it, one step a line. Every refusal
is a Problem. `Edge.handle` turns it into a response, so every path ends with our body, headers and log line.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import structlog
from aiohttp import HttpVersion10
from aiohttp.web import BaseRequest, StreamResponse
from google.protobuf.message import Message

from catenary_edge import json_text, metrics, rate_limit, versions
from catenary_edge.errors.fault import Fault
from catenary_edge.errors.names import ShownNames
from catenary_edge.errors.problem import Problem, internal_error, refusal
from catenary_edge.exchange import Exchange, base_url, begin, new_request_id, surface_of, without_empty_segments
from catenary_edge.http import bodies, conditions, framing, idempotency
from catenary_edge.http.credentials import Identities, credentials
from catenary_edge.http.hosts import Hosts
from catenary_edge.http.origin import Gate
from catenary_edge.http.uploads import Upload, cancelled_by_fault, with_media_type
from catenary_edge.live.server_sent import MEDIA_TYPE, ServerSent
from catenary_edge.live.subscriptions import Subscriptions
from catenary_edge.live.websocket import PATH as WEBSOCKET_PATH
from catenary_edge.live.websocket import WebSockets
from catenary_edge.pages import site
from catenary_edge.pages.site import Site
from catenary_edge.rate_limit import Leases
from catenary_edge.response_cache.lookup import ResponseCache, VersionedKey
from catenary_edge.response_cache.store import CachedContent
from catenary_edge.responses import Responses
from catenary_edge.settings import EdgeSettings
from catenary_edge.surfaces.bare import OAuth
from catenary_edge.surfaces.data import UNKNOWN_ROUTE, Data
from catenary_edge.transcoding import lists, routes, services
from catenary_edge.transcoding.decoder import ABSENT
from catenary_edge.transcoding.routes import Match, Route, RouteTable
from catenary_edge.transcoding.services import Rpc
from catenary_edge.upstream import Reply, Upstream
from catenary_edge.versions import stages
from catenary_edge.versions.upstream import Views
from catenary_wire.sentences import Sentence
from catenary_wire.spans import Begin

CLIENT_CLOSED = 499
"""Status in the log for a request of a disconnected client; no response is sent."""

log = structlog.get_logger("catenary.edge")


class Edge:
    """The HTTP side of the platform over one upstream."""

    def __init__(
        self,
        upstream: Upstream,
        settings: EdgeSettings,
        table: RouteTable | None = None,
        trace: Begin | None = None,
    ) -> None:
        """Build the edge.

        Args:
            upstream: The core.
            settings: The settings of the edge.
            table: The routes; default: all routes of the generated services.
            trace: Begins the span of a request; None turns tracing off.

        Raises:
            BindingError: A binding of the protos can't be honoured.
        """
        self._trace = trace
        self.settings = settings
        self.upstream = Views(upstream)
        self.table = table or versions.build(settings.org_slug)
        self.stopping = False
        """True if each connection closes after its next response."""
        self._gate = Gate(settings)
        self._hosts = Hosts(settings.public_url)
        self._site = Site(self.table.routes)
        rpcs = {rpc.path: rpc for rpc in services.load()}
        self._cache = ResponseCache(upstream, settings)
        self._identities = Identities(upstream, rpcs[routes.IDENTIFY], settings.timeouts.call)
        self._leases = Leases(self._ask, rpcs[rate_limit.TAKE], rpcs[rate_limit.GIVE_BACK])
        self._responses = Responses(settings, self.table.routes, self._leases.refund)
        self.subscriptions = Subscriptions(self.upstream)
        # One for each route: a version's events have bytes of their own.
        self._server_sent = {route: ServerSent(self.subscriptions) for route in self.table.routes if route.subscription}
        events = next((route for route in self.table.routes if route.rpc.path == routes.EVENTS), None)
        self._websockets = None
        if events is not None:
            self._websockets = WebSockets(
                events, self.subscriptions, self._admit, self._responses, settings.cors_origins
            )

    async def handle(self, request: BaseRequest) -> StreamResponse:
        """Respond to a request; the only handler of the server."""
        exchange = begin(request)
        if self._trace is not None:
            exchange.span = self._trace(request.headers.get("traceparent", ""))
        try:
            response = await self._respond(exchange)
        except Problem as problem:
            response = self._responses.refusal(exchange, ShownNames(item=exchange.single_item).refusal(problem))
        except (asyncio.CancelledError, ConnectionError):
            self._log(exchange, CLIENT_CLOSED)
            raise
        except Exception as error:  # noqa: BLE001 - every request gets a response
            log.error("unexpected error", request_id=exchange.request_id, route=exchange.name, **_traces(error))
            response = self._responses.refusal(exchange, internal_error())
        self._log(exchange, response.status)
        if self.stopping:
            response.force_close()
        return response

    async def close(self) -> None:
        """Return leased calls to the core and close the connection to the core."""
        await self._leases.close()
        await self.upstream.close()

    def unreadable(self, request: BaseRequest, status: int, path: str, *, too_long: bool) -> StreamResponse:
        """Build the response to a request failed outside the pipeline, such as one refused by the HTTP parser.

        The connection closes afterwards.

        Args:
            request: The request as far as aiohttp has it.
            status: 400 for a refusal of the parser; anything else becomes INTERNAL_ERROR.
            path: Path of the request line, which decides the surface; empty when it couldn't be read.
            too_long: Whether a line of the header was too long.
        """
        # `request` is aiohttp's empty placeholder: only the path is known of the real request, not even its request id.
        path = without_empty_segments(path)
        exchange = Exchange(request, new_request_id(), surface_of(path), path)
        exchange.base_url = base_url(request, exchange.origin, self.settings.public_url)
        problem = unreadable_http() if status == 400 else internal_error()
        if too_long:
            problem.sentence = Sentence("The address or a header is too long; send fewer or shorter values.")
        response = self._responses.refusal(exchange, problem)
        response.force_close()
        self._log(exchange, response.status)
        return response

    async def _ask(self, rpc: Rpc, request: Message, metadata: Mapping[str, str]) -> Mapping[str, Any]:
        return await self.upstream.ask(rpc, request, metadata, self.settings.timeouts.call)

    async def _respond(self, exchange: Exchange) -> StreamResponse:
        request = exchange.request
        if request.version < HttpVersion10:  # the parser accepts a request line without a version
            raise unreadable_http()
        self._hosts.check(request)
        framing.check(request)
        exchange.origin = self._gate.origin(request)
        exchange.base_url = base_url(request, exchange.origin, self.settings.public_url)
        self._gate.check(request, exchange.origin)
        if self._websockets is not None and exchange.path == WEBSOCKET_PATH:
            return await self._websockets.respond(exchange)
        match = self._match(exchange)
        if match is None:
            return await self._without_route(exchange)
        route = match.route
        if self.settings.gone_after_sunset:
            stages.check_alive(route, stages.now())
        if not route.public:
            exchange.credentials = credentials(request.headers)
            await self._admit(exchange)
        exchange.idempotency = idempotency.metadata(route, match.segments, request.headers)
        exchange.condition = conditions.metadata(route, request.headers)
        if route.rpc.client_streaming:
            uploaded = self._responses.content(exchange, route, await self._upload(exchange, match))
            return await self._responses.success(exchange, route, uploaded)
        cache_key = await self._cache.key_of(exchange, route)
        if cache_key is not None:
            content = await self._cache.content(exchange, cache_key, lambda: self._content(exchange, match))
            if content is not None:
                return await self._responses.success(exchange, route, content)
        if route.is_list_in_parts:
            return await self._list(exchange, match, cache_key)
        if route.subscription:
            return await self._subscription(exchange, route, await self._decode(exchange, match))
        if route.rpc.server_streaming:
            return await self._download(exchange, route, await self._decode(exchange, match))
        return await self._responses.success(exchange, route, await self._called(exchange, match))

    async def _admit(self, exchange: Exchange) -> None:
        """Identify the caller and count the request in the hourly limit.

        Raises:
            Problem: 401 for unknown credentials; 429 when the limit is used up.
        """
        metadata = exchange.metadata()
        exchange.caller = await self._identities.check(exchange.credentials, metadata)
        exchange.charge = await self._leases.charge(exchange.caller.user_id, metadata)

    def _match(self, exchange: Exchange) -> Match | None:
        """Return the route of the request; None when no route has the path, or the path lacks the method."""
        request = exchange.request
        match = self.table.match("GET" if request.method == "HEAD" else request.method, exchange.path)
        if match is not None:
            route = exchange.route = match.route
            exchange.surface = OAuth() if route.oauth and _is_oauth(request) else route.surface
        return match

    async def _without_route(self, exchange: Exchange) -> StreamResponse:
        """Respond to a request without a route: a page, or the response to OPTIONS.

        Raises:
            Problem: 404 for an unknown path; 405 for a method that the path lacks.
        """
        request = exchange.request
        path = exchange.path
        page = self._site.find(path)
        methods = list(site.METHODS) if page is not None else self.table.methods(path)
        if not methods:
            problem = refusal("NOT_FOUND", f"There is no route {_printable(path)}.")
            if isinstance(exchange.surface, Data):
                problem.facts["msg"] = UNKNOWN_ROUTE
            raise problem
        if request.method == "OPTIONS":
            return self._responses.options(exchange, methods)
        if page is not None and request.method in methods:
            # In a thread: the first rendering of a page is slow.
            body = await asyncio.to_thread(page.render, exchange.base_url)
            return await self._responses.document(exchange, page.status, body, page.headers)
        problem = refusal("METHOD_NOT_ALLOWED", f"{_printable(path)} takes {', '.join(methods)} only.")
        problem.headers["Allow"] = ", ".join(methods)
        raise problem

    async def _decode(self, exchange: Exchange, match: Match) -> Message:
        """Read and decode the request message.

        Raises:
            Problem: 413 for a body over the limit; 415 for its media type or content encoding; 400 for invalid data.
        """
        request, decoder = exchange.request, match.route.decoder
        query = request.rel_url.raw_query_string
        given = _header_fields(request, decoder.headers)
        is_form = match.route.oauth and request.content_type == bodies.FORM_TYPE
        if request.body_exists and decoder.takes_json and not is_form:
            bodies.check_json_type(request)
        data = await bodies.read(request, self.settings.body_limit, self.settings.timeouts)
        if not data and not is_form and not decoder.needs_body:
            return decoder.decode(match.segments, query, given, {} if decoder.takes_json else ABSENT)
        try:
            if is_form:
                return decoder.decode_form(match.segments, query, given, bodies.form_text(data))
            if not decoder.takes_json:
                raise Fault("is not taken by this method; send none", "unknown", None)
            if not data:
                raise Fault("is missing; send JSON with the media type application/json", "required", None)
            document = json_text.parse(data)
        except Fault as fault:
            raise fault.problem() from None
        exchange.single_item = decoder.single_item(document)
        return decoder.decode(match.segments, query, given, document)

    async def _upload(self, exchange: Exchange, match: Match) -> Reply:
        route, request = match.route, exchange.request
        upload = Upload(request, route, self.settings)
        await upload.open()
        given = with_media_type(
            _header_fields(request, route.decoder.headers), route.decoder.headers, upload.media_type
        )
        first = route.decoder.decode(match.segments, request.rel_url.raw_query_string, given)
        timeout = self.settings.timeouts.transfer
        try:
            return await self.upstream.call(route, upload.messages(first), exchange.metadata(), timeout)
        except Problem as problem:
            raise upload.fault or problem from None
        except asyncio.CancelledError:
            cancelled_by_fault(upload)
            raise

    async def _content(self, exchange: Exchange, match: Match) -> CachedContent | None:
        """Return the response content from the core; None for a list too long for the cache."""
        if not match.route.is_list_in_parts:
            return await self._called(exchange, match)
        async with self._listed(exchange, match) as (pieces, metadata):
            body, whole = await lists.read_up_to_limit(pieces)
            return self._responses.content_of(match.route, body, None, metadata) if whole else None

    async def _called(self, exchange: Exchange, match: Match) -> CachedContent:
        route, message = match.route, await self._decode(exchange, match)
        timeout = self.settings.timeouts.wait if route.may_wait else self.settings.timeouts.call
        reply = await self.upstream.call(route, message, exchange.metadata(), timeout)
        return self._responses.content(exchange, route, reply)

    async def _list(self, exchange: Exchange, match: Match, cache_key: VersionedKey | None) -> StreamResponse:
        """Respond with a list in parts: buffer a short one, stream a long one."""
        route = match.route
        if cache_key is not None and conditions.is_only_condition(exchange.request.headers, cache_key.tag):
            # This caller was given this list at this very version; nothing that decides the list has changed since.
            return self._responses.not_modified(exchange, route, CachedContent(b"", None, {}, cache_key.tag))
        async with self._listed(exchange, match) as (pieces, metadata):
            tag = "" if cache_key is None or "cache-control" in metadata else cache_key.tag
            if self._responses.is_known(exchange, route, tag):
                return self._responses.not_modified(exchange, route, CachedContent(b"", None, metadata, tag))
            body, whole = await lists.read_up_to_limit(pieces)
            if whole:
                content = self._responses.content_of(route, body, None, metadata)
                return await self._responses.success(exchange, route, content)
            response = self._responses.in_parts(exchange, route, metadata, tag)
            await response.prepare(exchange.request)
            if exchange.request.method != "HEAD":
                await self._pump(exchange, response, lists.after(body, pieces))
            return response

    @asynccontextmanager
    async def _listed(
        self, exchange: Exchange, match: Match
    ) -> AsyncIterator[tuple[AsyncGenerator[bytes, None], Mapping[str, str]]]:
        """Open a list in parts: its bytes and its response metadata."""
        route, message = match.route, await self._decode(exchange, match)
        found = await self.upstream.parts(route, message, exchange.metadata(), self.settings.timeouts.transfer)
        try:
            first = await anext(found.parts)
            yield lists.pieces(route.payload(first, exchange.page_url), found.parts), found.metadata
        finally:
            await found.parts.aclose()

    async def _subscription(self, exchange: Exchange, route: Route, message: Message) -> StreamResponse:
        """Stream events until the client disconnects."""
        async with self.subscriptions.open(route, message, exchange.metadata()) as (first, parts):
            response = self._responses.stream(exchange, route, MEDIA_TYPE)
            await response.prepare(exchange.request)
            if exchange.request.method != "HEAD":
                await self._server_sent[route].send(response, first["position"], parts)
            return response

    async def _download(self, exchange: Exchange, route: Route, message: Message) -> StreamResponse:
        request = exchange.request
        timeout = self.settings.timeouts.transfer
        found = await self.upstream.open(route, message, exchange.metadata(), timeout)
        try:
            tag = found.metadata.get("etag", "")
            if self._responses.is_known(exchange, route, tag):
                return self._responses.not_modified(exchange, route, CachedContent(b"", None, {}, tag))
            response = self._responses.download(exchange, route, found.metadata)
            await response.prepare(request)
            if request.method != "HEAD":
                await self._pump(exchange, response, found.chunks)
            return response
        finally:
            await found.chunks.aclose()

    async def _pump(self, exchange: Exchange, response: StreamResponse, chunks: AsyncGenerator[bytes, None]) -> None:
        """Send the chunks; abort the connection on a failure, since the status is already sent."""
        try:
            async for chunk in chunks:
                await response.write(chunk)
        except (asyncio.CancelledError, ConnectionError):
            raise
        except Exception as error:
            log.error("response aborted", request_id=exchange.request_id, route=exchange.name, **_traces(error))
            transport = exchange.request.transport
            if transport is not None:
                transport.abort()
            raise ConnectionError("the response was aborted") from error

    def _log(self, exchange: Exchange, status: int) -> None:
        """Write the access log line, count the request and end its span."""
        seconds = time.perf_counter() - exchange.started
        metrics.answered(exchange, status, seconds)
        if exchange.span is not None:
            attributes: dict[str, str | int] = {
                "http.response.status_code": status,
                "catenary.request_id": exchange.request_id,
            }
            name = "HTTP" if exchange.route is None else f"{exchange.route.method} {exchange.name}"
            exchange.span.end(name, attributes, failed=status >= 500)
        log.info(
            "request",
            request_id=exchange.request_id,
            method=exchange.request.method,
            route=exchange.name,
            status=status,
            duration_ms=round(seconds * 1000, 2),
        )


def unreadable_http() -> Problem:
    """Build the refusal of a request outside HTTP/1.1.

    The message names no detail, since the parser's words reveal its internals.
    """
    problem = refusal(
        "VALIDATION_ERROR", "The request is no valid HTTP/1.1.", parameter="request", value=None, constraint="http"
    )
    problem.headers["Connection"] = "close"
    return problem


def _is_oauth(request: BaseRequest) -> bool:
    """Tell whether a request to a token route speaks RFC 6749 instead of our JSON."""
    basic = request.headers.get("Authorization", "")[:6].lower() == "basic "
    return basic or request.content_type == bodies.FORM_TYPE


def _header_fields(request: BaseRequest, sources: Mapping[str, str]) -> dict[str, str]:
    """Map request fields to the values of their headers; join a repeated header to one list (RFC 9110, section 5.3)."""
    return {
        name: ", ".join(request.headers.getall(header)) for name, header in sources.items() if header in request.headers
    }


def _traces(error: Exception) -> dict[str, str]:
    """Describe an exception for the log by type and traceback; its text and variables may hold secrets."""
    return {"error": type(error).__name__, "traceback": "".join(traceback.format_tb(error.__traceback__))}


def _printable(path: str) -> str:
    text = path.encode(errors="replace").decode()
    return text if len(text) <= 200 else text[:200] + "…"
