"""The store of the response cache: responses to GET with the version of their surface and their expiry.

See guide/conventions.md, "Caching and conditions". Why a cached response is never wrong: a response is a function of
the request, of the caller's rights (`Caller.key`), and of rows whose every change moves the surface's version
(`catenary_core.database.change_counts`). A response is stored under the version read *before* it was made. It is served
only while the version, read *after* the request arrived, is still the same. Then no change was committed between the
two, so a fresh response, and the authorization before it, would be the same. A caller's own completed write and the end
of a role are such changes. The same holds for equal requests that share one call of the core.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from catenary_edge.errors.problem import Problem
from catenary_edge.transcoding.services import Rpc
from catenary_edge.upstream import Upstream

KEEP_SECONDS = 300.0
"""5 minutes: the longest life of an entry, for changes unseen by the counters."""
_OVERHEAD = 1024
"""Bytes of an entry beside its content."""
_LARGEST = 8
"""Divisor of the cache's size: an entry may take an eighth."""
_ASK_AGAIN_SECONDS = 60.0
"""Seconds without further calls after the core refused to give versions."""

Key = tuple[str, ...]


@dataclass(slots=True)
class CachedContent:
    """The content of a response without the parts added for each request."""

    payload: bytes
    """JSON of the response message, or the table of a list."""
    next_cursor: str | None
    """Cursor of the next page of a platform list or of any table; None for the last page and for other responses."""
    metadata: Mapping[str, str]
    """Response metadata of the core."""
    tag: str = ""
    """Entity tag; empty for responses without one."""
    coded: tuple[str, bytes] | None = None
    """Name of the last content encoding, and the payload so encoded."""

    @property
    def size(self) -> int:
        """Bytes in memory, including the payload in one encoding."""
        return _OVERHEAD + 2 * len(self.payload)


@dataclass(slots=True)
class _Making:
    """Content in the making, and the number of waiting requests."""

    task: asyncio.Task[CachedContent | None]
    waiting: int = 0


class ResponseStore:
    """A cache of responses, bounded in bytes; the least recently used entry goes first."""

    def __init__(self, most_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most_bytes = most_bytes
        self._clock = clock
        self._entries: OrderedDict[Key, tuple[str, float, CachedContent, int]] = OrderedDict()
        self._making: dict[tuple[Key, str], _Making] = {}
        self.bytes = 0

    def find(self, key: Key, version: str) -> CachedContent | None:
        """Return the response stored under the key for this version; None when there is none."""
        found = self._entries.get(key)
        if found is None:
            return None
        if found[0] != version or found[1] <= self._clock():
            self._drop(key)
            return None
        self._entries.move_to_end(key)
        return found[2]

    def store(self, key: Key, version: str, content: CachedContent) -> None:
        """Store a response made after its version was read."""
        self._drop(key)
        size = content.size + sum(map(len, key))
        if size > self._most_bytes // _LARGEST:
            return
        self._entries[key] = (version, self._clock() + KEEP_SECONDS, content, size)
        self.bytes += size
        while self.bytes > self._most_bytes:
            self._drop(next(iter(self._entries)))

    async def shared(
        self, key: Key, version: str, make: Callable[[], Coroutine[Any, Any, CachedContent | None]]
    ) -> CachedContent | None:
        """Run `make` once for all equal requests arriving meanwhile, and return its result.

        None stands for content that can't be shared. The task is cancelled when all waiting requests have gone.
        """
        place = (key, version)
        making = self._making.get(place)
        if making is None:
            making = self._making[place] = _Making(asyncio.create_task(make()))
        making.waiting += 1
        try:
            return await asyncio.shield(making.task)
        finally:
            making.waiting -= 1
            if making.waiting == 0 and self._making.get(place) is making:
                del self._making[place]  # at once, so that no request joins the cancelled task
                making.task.cancel()

    def _drop(self, key: Key) -> None:
        found = self._entries.pop(key, None)
        if found is not None:
            self.bytes -= found[3]


class Versions:
    """The versions of surfaces, asked of the core; callers share a call not yet started."""

    def __init__(self, upstream: Upstream, rpc: Rpc, timeout: float) -> None:
        self._upstream = upstream
        self._rpc = rpc
        self._timeout = timeout
        self._running: asyncio.Task[Mapping[str, str] | None] | None = None
        self._next: asyncio.Task[Mapping[str, str] | None] | None = None
        self._silent_until = 0.0

    async def current(self, surface: str, metadata: Mapping[str, str]) -> str | None:
        """Return the version of a surface at a moment after this call; None when the core gives none.

        A running call is never shared: its result may be older than the caller's own last write.
        """
        if time.monotonic() < self._silent_until:
            return None
        if self._next is None:
            self._next = asyncio.create_task(self._ask(self._running, metadata), name="versions")
        found = await asyncio.shield(self._next)
        return None if found is None else found.get(surface)

    async def _ask(
        self, before: asyncio.Task[Mapping[str, str] | None] | None, metadata: Mapping[str, str]
    ) -> Mapping[str, str] | None:
        if before is not None:
            await asyncio.wait([before])
        self._running, self._next = self._next, None
        try:
            found = await self._upstream.ask(self._rpc, self._rpc.request(), metadata, self._timeout)
            return {one["surface"]: one["version"] for one in found["versions"]}
        except Problem as problem:
            if problem.status in (403, 501):  # a core without trust in this edge, or an older core
                self._silent_until = time.monotonic() + _ASK_AGAIN_SECONDS
            return None
