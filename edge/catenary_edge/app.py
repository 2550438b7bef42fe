"""The request pipeline of the edge, from the first check to the last byte.

The order is that of guide/conventions.md, "Order of refusals"; `Edge._respond` shows it, one step a line. Every refusal
is a Problem. `Edge.handle` turns it into a response, so every path ends with our body, headers and log line.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import structlog
from aiohttp import HttpVersion10
from aiohttp.web import BaseRequest, StreamResponse
from google.protobuf.message import Message

from catenary_edge import rate_limit, refusals, request_log, versions
from catenary_edge.errors.names import ShownNames
from catenary_edge.errors.problem import Problem, internal_error, refusal
from catenary_edge.exchange import (
    ADMITTED,
    Exchange,
    base_url,
    begin,
    new_request_id,
    surface_of,
    without_empty_segments,
)
from catenary_edge.http import accepted_types, bodies, conditions, framing, idempotency, local, session_cookie
from catenary_edge.http.credentials import Identities, credentials
from catenary_edge.http.hosts import Hosts
from catenary_edge.http.origin import Gate
from catenary_edge.http.uploads import Upload, cancelled_by_fault, with_media_type
from catenary_edge.live.explore import Explore
from catenary_edge.live.handshake import Handshake
from catenary_edge.live.server_sent import EVENTS, LINES, ServerSent
from catenary_edge.live.subscriptions import Subscriptions
from catenary_edge.live.websocket import PATH as WEBSOCKET_PATH
from catenary_edge.live.websocket import WebSockets
from catenary_edge.openapi import columns
from catenary_edge.pages import site
from catenary_edge.pages.site import Site
from catenary_edge.rate_limit import Leases
from catenary_edge.refusals import RefusalReports
from catenary_edge.request_messages import decode, header_fields
from catenary_edge.response_cache.lookup import ResponseCache, VersionedKey
from catenary_edge.response_cache.store import CachedContent
from catenary_edge.responses import Responses
from catenary_edge.settings import EdgeSettings
from catenary_edge.studio import sign_in
from catenary_edge.studio.sign_in import StudioPolicy
from catenary_edge.surfaces.bare import OAuth
from catenary_edge.surfaces.data import UNKNOWN_ROUTE, Data
from catenary_edge.transcoding import lists, routes, services
from catenary_edge.transcoding.routes import Match, Route, RouteTable
from catenary_edge.transcoding.services import Rpc
from catenary_edge.transcoding.tables import Table
from catenary_edge.upstream import Reply, Upstream
from catenary_edge.versions import stages
from catenary_edge.versions.upstream import Views
from catenary_wire.sentences import Sentence
from catenary_wire.spans import Begin

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
        self._refusals = RefusalReports(self._ask, rpcs[refusals.REPORT])
        self._studio_policy = StudioPolicy(self._ask, rpcs[sign_in.CONFIG])
        tables = {route: Table(found) for route, found in columns.of_lists(self.table.routes).items()}
        self._responses = Responses(settings, self.table.routes, tables, self._leases.refund)
        self.subscriptions = Subscriptions(self.upstream)
        # One for each route and form, which share the bytes of events: a version's events have bytes of their own.
        self._server_sent = {
            (route, form): ServerSent(self.subscriptions, form)
            for route in self.table.routes
            for form in (EVENTS, LINES)
            if route.rpc.path == routes.EVENTS
        }
        events = next((route for route in self.table.routes if route.rpc.path == routes.EVENTS), None)
        handshake = Handshake(self._admit, self._responses, settings.cors_origins)
        self._websockets: dict[str, WebSockets | Explore] = {}
        if events is not None:
            self._websockets[WEBSOCKET_PATH] = WebSockets(events, self.subscriptions, handshake)
        for rpc in rpcs.values():
            if rpc.websocket:
                self._websockets[rpc.websocket] = Explore(rpc, self.subscriptions, handshake)

    async def handle(self, request: BaseRequest) -> StreamResponse:
        """Respond to a request; the only handler of the server."""
        exchange = begin(request)
        if self._trace is not None:
            exchange.span = self._trace(request.headers.get("traceparent", ""))
        try:
            response = await self._respond(exchange)
        except Problem as problem:
            self._refusals.note(exchange, problem)
            response = self._responses.refusal(exchange, ShownNames(item=exchange.single_item).refusal(problem))
        except (asyncio.CancelledError, ConnectionError):
            request_log.record(exchange, request_log.CLIENT_CLOSED)
            raise
        except Exception as error:  # noqa: BLE001 - every request gets a response
            log.error(
                "unexpected error", request_id=exchange.request_id, route=exchange.name, **request_log.traces(error)
            )
            response = self._responses.refusal(exchange, internal_error())
        request_log.record(exchange, response.status)
        if self.stopping:
            response.force_close()
        return response

    async def close(self) -> None:
        """Return leased calls to the core, report the last refusals, and close the connection to the core."""
        await self._leases.close()
        await self._refusals.close()
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
        request_log.record(exchange, response.status)
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
        if (websocket := self._websockets.get(exchange.path)) is not None:
            return await websocket.respond(exchange)
        match = self._match(exchange)
        if match is None:
            return await self._without_route(exchange)
        route = match.route
        if self.settings.gone_after_sunset:
            stages.check_alive(route, stages.now())
        if route.rpc.options.local_only:
            local.check(request, self.settings)
        if session_cookie.is_taken(route.rpc.options.session_cookie):
            exchange.refresh = session_cookie.metadata(request, exchange.origin, self.settings.public_url)
        if not route.public:
            exchange.credentials = credentials(request.headers)
            await self._admit(exchange)
        exchange.as_table = route.has_table and _prefers_csv(request)
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
            return await self._subscription(exchange, route, await decode(exchange, match, self.settings))
        if route.rpc.server_streaming:
            return await self._download(exchange, route, await decode(exchange, match, self.settings))
        return await self._responses.success(exchange, route, await self._called(exchange, match))

    async def _admit(self, exchange: Exchange) -> None:
        """Identify the caller and count the request in the hourly limit.

        Raises:
            Problem: 401 for unknown credentials; 429 when the limit is used up.
        """
        metadata = exchange.metadata()
        exchange.caller = await self._identities.check(exchange.credentials, metadata)
        exchange.request[ADMITTED] = True
        exchange.charge = await self._leases.charge(exchange.caller.principal_id, metadata)

    def _match(self, exchange: Exchange) -> Match | None:
        """Return the route of the request; None when no route has the path, or the path lacks the method."""
        request = exchange.request
        method = "GET" if request.method == "HEAD" else request.method
        match = self.table.match(method, exchange.path)
        if match is not None and match.route.csv_path and _prefers_csv(request):
            match = self.table.match(method, exchange.path + match.route.csv_path)
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
            headers = page.headers(await self._studio_policy.find() if page.is_studio else "")
            return await self._responses.document(exchange, page.status, body, headers)
        problem = refusal("METHOD_NOT_ALLOWED", f"{_printable(path)} takes {', '.join(methods)} only.")
        problem.headers["Allow"] = ", ".join(methods)
        raise problem

    async def _upload(self, exchange: Exchange, match: Match) -> Reply:
        route, request = match.route, exchange.request
        upload = Upload(request, route, self.settings)
        await upload.open()
        given = with_media_type(header_fields(request, route.decoder.headers), route.decoder.headers, upload.media_type)
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
        async with self._listed(exchange, match) as (pieces, next_cursor, metadata):
            body, whole = await lists.read_up_to_limit(pieces)
            return self._responses.content_of(match.route, body, next_cursor, metadata) if whole else None

    async def _called(self, exchange: Exchange, match: Match) -> CachedContent:
        route, message = match.route, await decode(exchange, match, self.settings)
        timeout = self.settings.timeouts.wait if route.may_wait else self.settings.timeouts.call
        reply = await self.upstream.call(route, message, exchange.metadata(), timeout)
        return self._responses.content(exchange, route, reply)

    async def _list(self, exchange: Exchange, match: Match, cache_key: VersionedKey | None) -> StreamResponse:
        """Respond with a list in parts: buffer a short one, stream a long one."""
        route = match.route
        if cache_key is not None and conditions.is_only_condition(exchange.request.headers, cache_key.tag):
            # This caller was given this list at this very version; nothing that decides the list has changed since.
            return self._responses.not_modified(exchange, route, CachedContent(b"", None, {}, cache_key.tag))
        async with self._listed(exchange, match) as (pieces, next_cursor, metadata):
            tag = "" if cache_key is None or "cache-control" in metadata else cache_key.tag
            if self._responses.is_known(exchange, route, tag):
                return self._responses.not_modified(exchange, route, CachedContent(b"", None, metadata, tag))
            body, whole = await lists.read_up_to_limit(pieces)
            if whole:
                content = self._responses.content_of(route, body, next_cursor, metadata)
                return await self._responses.success(exchange, route, content)
            response = self._responses.in_parts(exchange, route, metadata, tag, next_cursor)
            await response.prepare(exchange.request)
            if exchange.request.method != "HEAD":
                await self._pump(exchange, response, lists.after(body, pieces))
            return response

    @asynccontextmanager
    async def _listed(
        self, exchange: Exchange, match: Match
    ) -> AsyncIterator[tuple[AsyncGenerator[bytes, None], str | None, Mapping[str, str]]]:
        """Open a list in parts: its bytes, a table's cursor of the next page, and its response metadata."""
        route, message = match.route, await decode(exchange, match, self.settings)
        found = await self.upstream.parts(route, message, exchange.metadata(), self.settings.timeouts.transfer)
        try:
            first = await anext(found.parts)
            yield *self._responses.pieces(exchange, route, first, found.parts), found.metadata
        finally:
            await found.parts.aclose()

    async def _subscription(self, exchange: Exchange, route: Route, message: Message) -> StreamResponse:
        """Stream events until the client disconnects."""
        async with self.subscriptions.open(route, message, exchange.metadata()) as (first, parts):
            as_lines = accepted_types.prefers_lines(exchange.request.headers.getall("Accept", ()))
            form = LINES if as_lines else EVENTS
            response = self._responses.stream(exchange, route, form.media_type)
            await response.prepare(exchange.request)
            if exchange.request.method != "HEAD":
                # The ids of other streams name items of one resource only, so that no two streams share bytes.
                sender = self._server_sent.get((route, form)) or ServerSent(self.subscriptions, form)
                await sender.send(response, first["position"], parts, by_link=exchange.is_by_link)
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
            log.error(
                "response aborted", request_id=exchange.request_id, route=exchange.name, **request_log.traces(error)
            )
            transport = exchange.request.transport
            if transport is not None:
                transport.abort()
            raise ConnectionError("the response was aborted") from error


def unreadable_http() -> Problem:
    """Build the refusal of a request outside HTTP/1.1.

    The message names no detail, since the parser's words reveal its internals.
    """
    problem = refusal(
        "VALIDATION_ERROR", "The request is no valid HTTP/1.1.", parameter="request", value=None, constraint="http"
    )
    problem.headers["Connection"] = "close"
    return problem


def _prefers_csv(request: BaseRequest) -> bool:
    return accepted_types.prefers_csv(request.headers.getall("Accept", ()))


def _is_oauth(request: BaseRequest) -> bool:
    """Tell whether a request to a token route speaks RFC 6749 instead of our JSON."""
    basic = request.headers.get("Authorization", "")[:6].lower() == "basic "
    return basic or request.content_type == bodies.FORM_TYPE


def _printable(path: str) -> str:
    text = path.encode(errors="replace").decode()
    return text if len(text) <= 200 else text[:200] + "…"
