"""GET in the edge: from the response cache while its entry is valid, else from the core.

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
from catenary_edge.http.accepted_types import CSV_TYPE
from catenary_edge.response_cache.store import CachedContent, Key, ResponseStore, Versions
from catenary_edge.settings import EdgeSettings
from catenary_edge.transcoding import services
from catenary_edge.transcoding.routes import GET_VERSIONS, Route
from catenary_edge.upstream import Upstream

_MOST_LONG = 1000
"""Number of lists remembered as too long for the cache."""


@dataclass(frozen=True, slots=True)
class VersionedKey:
    """The key of a response in the cache, with the version of its surface."""

    key: Key
    """The caller, the prefix of links, the path with its query, and of a table its media type."""
    version: str
    """The surface's version, as read from the core before the response is made."""

    @property
    def tag(self) -> str:
        """Weak entity tag of a streamed list: while a change commits, two responses may differ under one version."""
        text = "\0".join((*self.key, self.version))
        return f'W/"{hashlib.sha256(text.encode(errors="replace")).hexdigest()[:32]}"'


Make = Callable[[], Coroutine[Any, Any, CachedContent | None]]
"""Gets the response content from the core; None for a list too long for the cache."""


class ResponseCache:
    """The response cache of one edge, with the checks of its entries' versions."""

    def __init__(self, upstream: Upstream, settings: EdgeSettings) -> None:
        rpc = next(rpc for rpc in services.load() if rpc.path == GET_VERSIONS)
        self._versions = Versions(upstream, rpc, settings.timeouts.call)
        self._enabled = settings.cache_limit > 0
        self._store = ResponseStore(settings.cache_limit)
        self._too_long: OrderedDict[Key, None] = OrderedDict()

    async def key_of(self, exchange: Exchange, route: Route) -> VersionedKey | None:
        """Return the cache key of an authenticated request; None for a request outside the cache."""
        request, caller = exchange.request, exchange.caller
        if not (self._enabled and route.cacheable) or caller is None or request.body_exists:
            return None
        directives = _directives(exchange)
        # A caller who wants a fresh response needs no version, except for the tag of a streamed list.
        if "no-store" in directives or ("no-cache" in directives and not route.is_list_in_parts):
            return None
        version = await self._versions.current(surfaces.name_of(route.rpc.surface), exchange.metadata())
        if version is None:
            return None
        address = f"{exchange.path}?{request.rel_url.raw_query_string}"
        form = (CSV_TYPE,) if exchange.as_table else ()
        return VersionedKey((caller.key, exchange.base_url, address, *form), version)

    async def content(self, exchange: Exchange, place: VersionedKey, make: Make) -> CachedContent | None:
        """Return the cached content, or the result of `make`, which is then cached.

        None stands for a list too long for the cache.
        """
        if place.key in self._too_long:
            return None
        if "no-cache" in _directives(exchange):
            return await self._make(place, make)
        found = self._store.find(place.key, place.version)
        return found or await self._store.shared(place.key, place.version, lambda: self._make(place, make))

    async def _make(self, place: VersionedKey, make: Make) -> CachedContent | None:
        content = await make()
        if content is None:
            self._too_long[place.key] = None
            while len(self._too_long) > _MOST_LONG:
                self._too_long.popitem(last=False)
        elif "cache-control" not in content.metadata and headers.STATUS not in content.metadata:
            self._store.store(place.key, place.version, content)
        return content


def _directives(exchange: Exchange) -> set[str]:
    """Return the directives of the request's Cache-Control (RFC 9111, section 5.2.1)."""
    text = ",".join(exchange.request.headers.getall("Cache-Control", ()))
    return {part.partition("=")[0].strip().lower() for part in text.split(",")} if text else set()
