"""Answers: bodies of the surface with the headers that belong to them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import orjson
from aiohttp.web import Response, StreamResponse

from catenary_edge import coding, headers, limits, server_sent, surfaces
from catenary_edge.credentials import challenge
from catenary_edge.exchange import Exchange
from catenary_edge.pages.site import Page
from catenary_edge.problem import Problem
from catenary_edge.routes import NEXT_CURSOR, Route
from catenary_edge.settings import EdgeSettings
from catenary_edge.upstream import Reply
from catenary_edge.versions import stages

STATUS_KEY = "catenary-status"
"""Response metadata that replaces the method's success status."""
_IN_THREAD_OVER = 256 * 1024


class Answers:
    """Makes the responses of one edge."""

    def __init__(self, settings: EdgeSettings, routes: Sequence[Route]) -> None:
        self._cors = headers.Cors(settings.cors_origins)
        self._headers = {route: headers.of_route(route, cors=bool(self._cors)) for route in routes}

    async def success(self, exchange: Exchange, route: Route, reply: Reply) -> Response:
        """The answer around a reply of the core, compressed where the caller takes it."""
        status = _status(reply.metadata, route.success)
        body = b""
        if status != 204:
            payload = orjson.dumps(route.payload(reply.body, exchange.page_url))
            next_cursor = reply.body[NEXT_CURSOR] if route.is_list else None
            body = exchange.surface.success(payload, next_cursor, route.is_list, exchange.context)
        response = self._response(exchange, status, body, reply.metadata)
        response.headers.update(self._headers[route])
        response.headers.update(_passed_on(reply.metadata, headers.PASSED_ON))
        if "Location" in response.headers:
            response.headers["Location"] = stages.relocated(response.headers["Location"], exchange.path)
        await _compress(exchange, response)
        return response

    def in_parts(self, exchange: Exchange, route: Route, metadata: Mapping[str, str]) -> StreamResponse:
        """The head of a list that is sent in parts."""
        response = StreamResponse(status=_status(metadata, route.success))
        response.headers["Content-Type"] = surfaces.JSON_TYPE
        response.headers.update(self._common(exchange, metadata))
        response.headers.update(self._headers[route])
        response.headers.update(_passed_on(metadata, headers.PASSED_ON))
        return response

    def download(self, exchange: Exchange, route: Route, metadata: Mapping[str, str]) -> StreamResponse:
        """The head of a download."""
        response = StreamResponse(status=_status(metadata, route.success))
        response.headers.update(self._common(exchange, metadata))
        response.headers.update(self._headers[route])
        response.headers.update(_passed_on(metadata, headers.PASSED_ON_DOWNLOAD))
        return response

    def server_sent(self, exchange: Exchange, route: Route) -> StreamResponse:
        """The head of a stream of server-sent events."""
        response = StreamResponse(status=route.success)
        self.mark(exchange, response)
        response.headers.update(self._headers[route])
        response.headers["Content-Type"] = server_sent.MEDIA_TYPE
        return response

    def mark(self, exchange: Exchange, response: StreamResponse) -> None:
        """Gives a response the headers that every one has."""
        response.headers.update(self._common(exchange, {}))

    def refusal(self, exchange: Exchange, problem: Problem) -> Response:
        """The answer of a problem."""
        response = self._response(
            exchange, problem.status, exchange.surface.error(problem, exchange.context), problem.details
        )
        response.headers["Cache-Control"] = "no-store"
        response.headers.update(problem.headers)
        if problem.status == 401 and "WWW-Authenticate" not in response.headers:
            response.headers["WWW-Authenticate"] = challenge(problem, "Authorization" in exchange.request.headers)
        return response

    async def page(self, exchange: Exchange, page: Page) -> Response:
        """The answer with a page, which is made in a thread: its first making takes a while."""
        response = self._response(exchange, 200, await asyncio.to_thread(page.render, exchange.base_url))
        response.headers.update(page.headers)
        if self._cors:
            response.headers["Vary"] += ", Origin"
        await _compress(exchange, response)
        return response

    def options(self, exchange: Exchange, methods: list[str]) -> Response:
        """The answer to OPTIONS: the methods of the path, and what CORS asks for."""
        response = self._response(exchange, 204, b"")
        response.headers["Allow"] = ", ".join(methods)
        response.headers["Cache-Control"] = "no-store"
        response.headers.update(self._cors.preflight(exchange.request, methods))
        return response

    def _response(
        self, exchange: Exchange, status: int, body: bytes, told: Mapping[str, Any] = MappingProxyType({})
    ) -> Response:
        response = Response(status=status, body=body or None)
        if body:
            response.headers["Content-Type"] = surfaces.JSON_TYPE
        response.headers.update(self._common(exchange, told))
        return response

    def _common(self, exchange: Exchange, told: Mapping[str, Any]) -> dict[str, str]:
        """`told`: what the core said of the answer, or a refusal's details."""
        found = {**headers.SAFETY, "X-Request-Id": exchange.request_id, **limits.headers(exchange.charge, told)}
        found.update(stages.headers_of(exchange.route, exchange.path))
        if exchange.origin.scheme == "https":
            found["Strict-Transport-Security"] = headers.STRICT_TRANSPORT
        if self._cors:
            found["Vary"] = "Origin"
            found.update(self._cors.answer(exchange.request))
        return found


def _status(metadata: Mapping[str, str], default: int) -> int:
    given = metadata.get(STATUS_KEY, "")
    return int(given) if re.fullmatch("2[0-9][0-9]", given) else default


def _passed_on(metadata: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    return {name.title(): metadata[name] for name in names if name in metadata}


async def _compress(exchange: Exchange, response: Response) -> None:
    body = response.body
    if not isinstance(body, bytes) or len(body) <= coding.COMPRESS_OVER:
        return
    name = coding.accepted(exchange.request.headers.get("Accept-Encoding", ""))
    if not name:
        return
    if len(body) > _IN_THREAD_OVER:
        response.body = await asyncio.to_thread(coding.compress, body, name)
    else:
        response.body = coding.compress(body, name)
    response.headers["Content-Encoding"] = name
