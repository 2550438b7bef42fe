"""GET in the edge: from what is kept where that still holds, else from the core.

See guide/conventions.md, "Caching and conditions".
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from catenary_edge import surfaces
from catenary_edge.exchange import Exchange
from catenary_edge.http import headers
from catenary_edge.response_cache.store import CachedContent, Key, ResponseStore, Versions
from catenary_edge.settings import EdgeSettings
from catenary_edge.transcoding import services
from catenary_edge.transcoding.routes import GET_VERSIONS, Route
from catenary_edge.upstream import Upstream

_MOST_LONG = 1000


@dataclass(frozen=True, slots=True)
class VersionedKey:
    """Where an answer is kept: by who asks for what at which address of ours, and at which version of the surface."""

    key: Key
    version: str

    @property
    def tag(self) -> str:
        """The entity tag of an answer that is sent as it comes. Weak: while a change is made, two answers may differ under it."""
        text = "\0".join((*self.key, self.version))
        return f'W/"{hashlib.blake2b(text.encode(errors="replace"), digest_size=16).hexdigest()}"'


Make = Callable[[], Coroutine[Any, Any, CachedContent | None]]


class ResponseCache:
    """What an edge keeps, and the questions whether it still holds."""

    def __init__(self, upstream: Upstream, settings: EdgeSettings) -> None:
        rpc = next(rpc for rpc in services.load() if rpc.path == GET_VERSIONS)
        self._versions = Versions(upstream, rpc, settings.timeouts.call)
        self._keeps = settings.cache_limit > 0
        self._kept = ResponseStore(settings.cache_limit)
        self._long: OrderedDict[Key, None] = OrderedDict()

    async def place(self, exchange: Exchange, route: Route) -> VersionedKey | None:
        """Where the answer of an authenticated request is kept; None for one that isn't: the core is asked then."""
        request, caller = exchange.request, exchange.caller
        if not (self._keeps and route.may_be_kept) or caller is None or request.body_exists:
            return None
        directives = _directives(exchange)
        # Who wants a fresh answer has no use for a version, but as the tag of a list that is sent as it comes.
        if "no-store" in directives or ("no-cache" in directives and not route.in_parts):
            return None
        version = await self._versions.current(surfaces.name_of(route.rpc.surface), exchange.metadata())
        if version is None:
            return None
        share = exchange.credentials.get("x-share-token", "")
        who = f"{caller.key} {hashlib.sha256(share.encode()).hexdigest()}" if share else caller.key
        return VersionedKey((who, exchange.base_url, request.rel_url.raw_path_qs), version)

    async def content(self, exchange: Exchange, place: VersionedKey, make: Make) -> CachedContent | None:
        """What is kept at the place, or what `make` gives, which is then kept. None for a list that is too long to be held."""
        if place.key in self._long:
            return None
        if "no-cache" in _directives(exchange):
            return await self._make(place, make)
        found = self._kept.find(place.key, place.version)
        return found or await self._kept.shared(place.key, place.version, lambda: self._make(place, make))

    async def _make(self, place: VersionedKey, make: Make) -> CachedContent | None:
        content = await make()
        if content is None:
            self._long[place.key] = None
            while len(self._long) > _MOST_LONG:
                self._long.popitem(last=False)
        elif "cache-control" not in content.metadata and headers.STATUS not in content.metadata:
            self._kept.keep(place.key, place.version, content)
        return content


def _directives(exchange: Exchange) -> set[str]:
    """The directives of the request's Cache-Control (RFC 9111, section 5.2.1)."""
    text = ",".join(exchange.request.headers.getall("Cache-Control", ()))
    return {part.partition("=")[0].strip().lower() for part in text.split(",")} if text else set()
