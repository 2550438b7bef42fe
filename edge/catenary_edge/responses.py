"""HTTP responses: bodies of the surface with their headers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import orjson
from aiohttp.web import Response, StreamResponse

from catenary_edge import rate_limit, surfaces
from catenary_edge.cors import Cors, reads_by_link
from catenary_edge.errors.problem import Problem
from catenary_edge.exchange import Exchange
from catenary_edge.http import accepted_types, conditions, content_encoding, headers, session_cookie
from catenary_edge.http.credentials import challenge
from catenary_edge.rate_limit import Charge
from catenary_edge.response_cache.store import CachedContent
from catenary_edge.settings import EdgeSettings
from catenary_edge.transcoding import lists
from catenary_edge.transcoding.routes import NEXT_CURSOR, PAGING, Route
from catenary_edge.transcoding.tables import Table
from catenary_edge.upstream import Reply
from catenary_edge.versions import stages

_IN_THREAD_OVER = 256 * 1024
"""Bytes above which a body is compressed in a thread."""

Refund = Callable[[Charge, Mapping[str, str]], Charge]
"""Takes back a charge, as for a 304; returns the charge with the new state of the limit."""


class Responses:
    """Builds the responses of one edge."""

    def __init__(
        self, settings: EdgeSettings, routes: Sequence[Route], tables: Mapping[Route, Table], refund: Refund
    ) -> None:
        """Build the headers of every route.

        Args:
            settings: The settings of the edge.
            routes: All routes.
            tables: The table of each list.
            refund: Takes back a charge, as for a 304.
        """
        self._refund = refund
        self._cors = Cors(settings.cors_origins, routes)
        self._headers = {
            route: headers.of_route(route, cors=bool(self._cors), by_host=not settings.public_url) for route in routes
        }
        self._tables = tables

    def content(self, exchange: Exchange, route: Route, reply: Reply) -> CachedContent:
        """Turn a reply of the core into response content."""
        payload = b""
        if exchange.as_table:
            payload = self._tables[route].encode(reply.body)
        elif _status(reply.metadata, route.success) != 204:
            payload = orjson.dumps(route.payload(reply.body, exchange.page_url))
        return self.content_of(route, payload, _next_cursor(exchange, route, reply.body), reply.metadata)

    def pieces(
        self, exchange: Exchange, route: Route, first: dict[str, Any], rest: AsyncIterator[dict[str, Any]]
    ) -> tuple[AsyncGenerator[bytes, None], str | None]:
        """Return the bytes of a list in parts, in its form, and a table's cursor of the next page."""
        cursor = _next_cursor(exchange, route, first)
        if exchange.as_table:
            return self._tables[route].pieces(first, rest), cursor
        return lists.pieces(route.payload(first, exchange.page_url), rest), cursor

    def content_of(
        self, route: Route, payload: bytes, next_cursor: str | None, metadata: Mapping[str, str]
    ) -> CachedContent:
        """Build response content from its JSON or its table.

        A read without a tag from the core gets one hashed from its content.
        """
        tag = metadata.get("etag", "")
        if tag and route.newest is not route:
            tag = conditions.of_view(tag, payload)
        elif not tag and route.method == "GET":
            tag = conditions.tag_of(route, payload, (next_cursor or "").encode())
        return CachedContent(payload, next_cursor, metadata, tag)

    async def success(self, exchange: Exchange, route: Route, content: CachedContent) -> Response:
        """Build a success response, compressed if the caller accepts compression; 304 when the caller has this content.

        Raises:
            Problem: 412 when If-Match of a GET names another tag.
        """
        status = _status(content.metadata, route.success)
        if status == 200 and self.is_known(exchange, route, content.tag):
            return self.not_modified(exchange, route, content)
        body = b""
        if exchange.as_table:
            body = content.payload
        elif status != 204:
            body = exchange.surface.success(content.payload, content.next_cursor, route.is_list, exchange.context)
        response = self._response(exchange, status, body, content.metadata)
        if exchange.as_table:
            _mark_table(exchange, response, route, content.next_cursor)
        self._describe(exchange, response, route, content, await _compress(exchange, response, content))
        if route.rpc.options.session_cookie:
            cookie = session_cookie.header(exchange.origin, content.metadata)
            if cookie is not None:
                response.headers[session_cookie.HEADER] = cookie
        return response

    def is_known(self, exchange: Exchange, route: Route, tag: str) -> bool:
        """Tell whether the caller of a GET already has the response with this tag.

        Raises:
            Problem: 412 when If-Match names another tag.
        """
        if route.method != "GET" or not tag:
            return False
        conditions.check_read(exchange.request.headers, tag)
        return conditions.is_known(exchange.request.headers, tag)

    def not_modified(self, exchange: Exchange, route: Route, content: CachedContent) -> Response:
        """Build a 304 with the headers of the full response (RFC 9110, section 15.4.5).

        The request's charge is refunded.
        """
        self.refund(exchange)
        response = self._response(exchange, 304, b"")
        self._describe(exchange, response, route, content, _coding(exchange, len(content.payload)))
        return response

    def refund(self, exchange: Exchange) -> None:
        """Take back the charge of a request that costs nothing."""
        if exchange.charge is not None:
            exchange.charge = self._refund(exchange.charge, exchange.metadata())

    def _describe(
        self, exchange: Exchange, response: StreamResponse, route: Route, content: CachedContent, coding_name: str
    ) -> None:
        response.headers.update(self._headers[route])
        response.headers.update(_passed_on(content.metadata, headers.PASSED_ON))
        if "Location" in response.headers:
            response.headers["Location"] = stages.relocated(response.headers["Location"], exchange.path)
        if content.tag:
            response.headers["ETag"] = conditions.with_coding(content.tag, coding_name)

    def in_parts(
        self, exchange: Exchange, route: Route, metadata: Mapping[str, str], tag: str, next_cursor: str | None
    ) -> StreamResponse:
        """Build the head of a streamed list.

        A list that must not be stored gets no entity tag, since a cache could renew it by the tag.
        """
        response = StreamResponse(status=_status(metadata, route.success))
        response.headers["Content-Type"] = surfaces.JSON_TYPE
        response.headers.update(self._common(exchange, metadata))
        response.headers.update(self._headers[route])
        response.headers.update(_passed_on(metadata, headers.PASSED_ON))
        if exchange.as_table:
            _mark_table(exchange, response, route, next_cursor)
        if tag and "cache-control" not in metadata:
            response.headers["ETag"] = tag
        return response

    def download(self, exchange: Exchange, route: Route, metadata: Mapping[str, str]) -> StreamResponse:
        """Build the head of a download."""
        response = StreamResponse(status=_status(metadata, route.success))
        response.headers.update(self._common(exchange, metadata))
        response.headers.update(self._headers[route])
        response.headers.update(_passed_on(metadata, headers.PASSED_ON_DOWNLOAD))
        return response

    def stream(self, exchange: Exchange, route: Route, media_type: str) -> StreamResponse:
        """Build the head of a response with a streamed body."""
        response = StreamResponse(status=route.success)
        self.mark(exchange, response)
        response.headers.update(self._headers[route])
        response.headers["Content-Type"] = media_type
        return response

    def mark(self, exchange: Exchange, response: StreamResponse) -> None:
        """Add the headers of every response."""
        response.headers.update(self._common(exchange, {}))

    def refusal(self, exchange: Exchange, problem: Problem) -> Response:
        """Build the response to a problem."""
        response = self._response(
            exchange, problem.status, exchange.surface.error(problem, exchange.context), problem.details
        )
        response.headers["Cache-Control"] = "no-store"
        response.headers.update(problem.headers)
        response.headers.update(rate_limit.headers_of_refusal(problem))
        if "Connection" in problem.headers:  # always `close`; aiohttp reads its own mark, not the header
            response.force_close()
        if problem.status == 416 and "size" in problem.details:  # RFC 9110, section 15.5.17
            response.headers["Content-Range"] = f"bytes */{problem.details['size']}"
        if problem.status == 401 and "WWW-Authenticate" not in response.headers:
            response.headers["WWW-Authenticate"] = challenge(problem, "Authorization" in exchange.request.headers)
        return response

    async def document(
        self, exchange: Exchange, status: int, body: bytes, document_headers: Mapping[str, str]
    ) -> Response:
        """Build the response with a document outside the routes, compressed if the caller accepts compression."""
        response = self._response(exchange, status, body)
        response.headers.update(document_headers)
        if self._cors:
            response.headers["Vary"] += ", Origin"
        await _compress(exchange, response, None)
        return response

    def options(self, exchange: Exchange, methods: list[str]) -> Response:
        """Build the response to OPTIONS: the methods of the path and the CORS preflight headers."""
        response = self._response(exchange, 204, b"")
        response.headers["Allow"] = ", ".join(methods)
        response.headers["Cache-Control"] = "no-store"
        response.headers.update(self._cors.preflight(exchange.request, methods))
        return response

    def _response(
        self, exchange: Exchange, status: int, body: bytes, limits: Mapping[str, Any] = MappingProxyType({})
    ) -> Response:
        response = Response(status=status, body=body or None)
        if body:
            response.headers["Content-Type"] = surfaces.JSON_TYPE
        response.headers.update(self._common(exchange, limits))
        return response

    def _common(self, exchange: Exchange, limits: Mapping[str, Any]) -> dict[str, str]:
        """Return the headers of every response.

        `limits`: response metadata of the core or a refusal's details, which may hold the state of a limit.
        """
        found = {**headers.SAFETY, "X-Request-Id": exchange.request_id, **rate_limit.headers(exchange.charge, limits)}
        found.update(stages.headers_of(exchange.route, exchange.path))
        if exchange.origin.scheme == "https":
            found["Strict-Transport-Security"] = headers.STRICT_TRANSPORT
        varies = [*(["Origin"] if self._cors else []), *(["X-Share-Token"] if reads_by_link(exchange.request) else [])]
        if varies:
            found["Vary"] = ", ".join(varies)
            found.update(self._cors.answer(exchange.request))
        return found


def _next_cursor(exchange: Exchange, route: Route, body: Mapping[str, Any]) -> str | None:
    """Return the cursor of the next page; of a data service for tables alone, since JSON has `paging`."""
    if route.is_list:
        cursor: str | None = body[NEXT_CURSOR]
        return cursor
    paging = body.get(PAGING) if exchange.as_table and route.paged else None
    return None if paging is None else paging["next"]


def _mark_table(exchange: Exchange, response: StreamResponse, route: Route, next_cursor: str | None) -> None:
    """Add the headers of a table: its media type, and the address of the next page."""
    response.headers["Content-Type"] = accepted_types.CSV_CONTENT_TYPE
    if next_cursor is not None:
        link = f'<{exchange.page_url("cursor" if route.is_list else "after", next_cursor)}>; rel="next"'
        others = [response.headers["Link"]] if "Link" in response.headers else []  # to the next version
        response.headers["Link"] = ", ".join([*others, link])


def _status(metadata: Mapping[str, str], default: int) -> int:
    given = metadata.get(headers.STATUS, "")
    return int(given) if re.fullmatch("2[0-9][0-9]", given) else default


def _passed_on(metadata: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    return {name.title(): metadata[name] for name in names if name in metadata}


def _coding(exchange: Exchange, size: int) -> str:
    """Return the content encoding for a response of this size; "" for none."""
    if size <= content_encoding.COMPRESS_OVER:
        return ""
    return content_encoding.accepted(exchange.request.headers.get("Accept-Encoding", ""))


async def _compress(exchange: Exchange, response: Response, content: CachedContent | None) -> str:
    """Compress the body of a response as its caller accepts, and return the encoding's name.

    A `content` whose payload is the whole body keeps the result for later requests.
    """
    body = response.body
    name = _coding(exchange, len(body)) if isinstance(body, bytes) else ""
    if not name or not isinstance(body, bytes):
        return ""
    whole = content is not None and body is content.payload
    if whole and content is not None and content.coded is not None and content.coded[0] == name:
        response.body = content.coded[1]
    else:
        compress = content_encoding.compress
        coded = await asyncio.to_thread(compress, body, name) if len(body) > _IN_THREAD_OVER else compress(body, name)
        if whole and content is not None:
            content.coded = (name, coded)
        response.body = coded
    response.headers["Content-Encoding"] = name
    return name
