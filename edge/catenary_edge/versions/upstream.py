"""The upstream of all versions: calls of older routes go through their views, and beta responses hold beta paths."""

# ruff: noqa: ASYNC109 - the deadline travels to the core, which enforces it

from __future__ import annotations

import hashlib
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from functools import cache
from typing import Any

import uuid_utils
from google.protobuf.message import Message

from catenary_edge.errors.problem import Problem
from catenary_edge.http import idempotency
from catenary_edge.transcoding import services
from catenary_edge.transcoding.routes import Route
from catenary_edge.transcoding.services import Rpc
from catenary_edge.upstream import Download, Parts, Reply, Request, Upstream
from catenary_edge.versions import whole_lists
from catenary_edge.versions.beta import BetaRoute
from catenary_edge.versions.view import OlderRoute, View

# Metadata for further calls; those about the call itself (a condition, an idempotency key) are left out.
_PASSED_ON = (
    "authorization",
    "x-api-key",
    "x-share-token",
    "x-request-id",
    "catenary-client-address",
    "catenary-base-url",
    "catenary-edge",
    "traceparent",
)


@cache
def _methods() -> Mapping[str, Rpc]:
    return {rpc.path: rpc for rpc in services.load()}


class _Core:
    """The core for one call, with its caller and timeout."""

    def __init__(self, upstream: Upstream, metadata: Mapping[str, str], timeout: float) -> None:
        self._upstream = upstream
        self._metadata = {name: metadata[name] for name in _PASSED_ON if name in metadata}
        self._timeout = timeout
        self._key = metadata.get(idempotency.HEADER.lower(), "")

    async def ask(self, method: str, **fields: Any) -> Mapping[str, Any]:
        """Call a unary method, see change.CoreCalls."""
        rpc = _methods()[method]
        return await self._upstream.ask(rpc, rpc.request(**fields), self._metadata, self._timeout)

    def new_id(self, purpose: str) -> str:
        """Make a new id, see change.CoreCalls.

        With a key the id is a UUID of version 8 (RFC 9562, section 5.8), else one of version 7.
        """
        if not self._key:
            return str(uuid_utils.uuid7())
        digest = bytearray(hashlib.blake2b(f"{purpose}\0{self._key}".encode(), digest_size=16).digest())
        digest[6], digest[8] = digest[6] & 0x0F | 0x80, digest[8] & 0x3F | 0x80
        return str(uuid.UUID(bytes=bytes(digest)))


class Views:
    """An upstream with older routes over one without. See Upstream."""

    def __init__(self, upstream: Upstream) -> None:
        self._upstream = upstream

    async def call(self, route: Route, request: Request, metadata: Mapping[str, str], timeout: float) -> Reply:
        """See Upstream."""
        if isinstance(route, BetaRoute):
            if isinstance(request, Message):
                route.name_stable(request)
            reply = await self._upstream.call(route, request, metadata, timeout)
            return Reply(route.show(reply.body, {}), reply.metadata)
        if not isinstance(route, OlderRoute):
            return await self._upstream.call(route, request, metadata, timeout)
        view = route.view
        core = _Core(self._upstream, metadata, timeout)
        try:
            for prepare in view.draft.prepares:
                assert isinstance(request, Message)
                await prepare(request, core)
            reply = await self._upstream.call(route, request, metadata, timeout)
            return Reply(await view.show(reply.body, core), reply.metadata)
        except Problem as problem:
            raise view.refusal(problem) from None

    async def parts(self, route: Route, request: Message, metadata: Mapping[str, str], timeout: float | None) -> Parts:
        """See Upstream."""
        if isinstance(route, BetaRoute):
            found = await self._upstream.parts(route, request, metadata, timeout)
            return Parts(found.metadata, _in_beta(route, found.parts))
        if not isinstance(route, OlderRoute) or timeout is None:
            return await self._upstream.parts(route, request, metadata, timeout)
        view = route.view
        try:
            if view.draft.unpaginated:
                found = await whole_lists.opened(self._upstream, route, request, metadata, timeout)
            else:
                found = await self._upstream.parts(route, request, metadata, timeout)
        except Problem as problem:
            raise view.refusal(problem) from None
        return Parts(found.metadata, _shown(view, found.parts, _Core(self._upstream, metadata, timeout)))

    async def open(self, route: Route, request: Message, metadata: Mapping[str, str], timeout: float) -> Download:
        """See Upstream; no older route is a download."""
        return await self._upstream.open(route, request, metadata, timeout)

    async def converse(self, rpc: Rpc, messages: AsyncIterator[Message], metadata: Mapping[str, str]) -> Parts:
        """See Upstream; no older route has streams of both sides."""
        return await self._upstream.converse(rpc, messages, metadata)

    async def ask(self, rpc: Rpc, request: Message, metadata: Mapping[str, str], timeout: float) -> Mapping[str, Any]:
        """See Upstream."""
        return await self._upstream.ask(rpc, request, metadata, timeout)

    async def close(self) -> None:
        """See Upstream."""
        await self._upstream.close()


async def _in_beta(
    route: BetaRoute, parts: AsyncGenerator[dict[str, Any], None]
) -> AsyncGenerator[dict[str, Any], None]:
    try:
        async for part in parts:
            yield route.show(part, {})
    finally:
        await parts.aclose()


async def _shown(
    view: View, parts: AsyncGenerator[dict[str, Any], None], core: _Core
) -> AsyncGenerator[dict[str, Any], None]:
    try:
        async for part in parts:
            yield await view.show(part, core)
    except Problem as problem:
        raise view.refusal(problem) from None
    finally:
        await parts.aclose()
