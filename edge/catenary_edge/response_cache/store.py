"""Answers to GET that the edge keeps: what they say, which version of the surface they were made of, and how long.

See guide/conventions.md, "Caching and conditions". Why what is kept is never wrong: an answer is a function of the
request, of what the caller is (`Caller.key`), and of rows whose every change moves the surface's version
(`catenary_core.database.change_counts`). An answer is kept under the version that was read *before* it was made, and
given only while the version, read *after* the request came, is still the same: then no change was committed between the
two, so a fresh answer, and the authorization before it, would be the same. A caller's own completed write and a role
that ended are such changes. The same holds for equal requests that share one call of the core.
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
"""5 minutes: of what moves unseen by the counters, nothing outlives them."""
_OVERHEAD = 1024
"""Bytes that an entry costs beside its content."""
_LARGEST = 8
"""An entry may take this part of the room at most."""
_ASK_AGAIN_SECONDS = 60.0

Key = tuple[str, ...]


@dataclass(slots=True)
class CachedContent:
    """What an answer says, without what each request adds: the JSON of the response, its headers, and its entity tag.

    `tag` is empty for answers that have none. `coded` is the payload in the content coding that was asked for last.
    """

    payload: bytes
    next_cursor: str | None
    metadata: Mapping[str, str]
    tag: str = ""
    coded: tuple[str, bytes] | None = None

    @property
    def size(self) -> int:
        """Bytes that it takes, with room for the payload in a coding."""
        return _OVERHEAD + 2 * len(self.payload)


@dataclass(slots=True)
class _Making:
    """A content that is being made, and how many requests wait for it."""

    task: asyncio.Task[CachedContent | None]
    waiting: int = 0


class ResponseStore:
    """The kept answers, bounded in bytes; the one that was asked for longest ago goes first."""

    def __init__(self, most_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most_bytes = most_bytes
        self._clock = clock
        self._entries: OrderedDict[Key, tuple[str, float, CachedContent, int]] = OrderedDict()
        self._making: dict[tuple[Key, str], _Making] = {}
        self.bytes = 0

    def find(self, key: Key, version: str) -> CachedContent | None:
        """The answer that is kept under the key, if it is of this version."""
        found = self._entries.get(key)
        if found is None:
            return None
        if found[0] != version or found[1] <= self._clock():
            self._drop(key)
            return None
        self._entries.move_to_end(key)
        return found[2]

    def keep(self, key: Key, version: str, content: CachedContent) -> None:
        """Keeps an answer that was made after the version was read."""
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
        """What `make` gives, made once for all equal requests that come while it is made; None for what can't be shared.

        It ends when all of them have gone away.
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
                del self._making[place]  # at once, so that nobody joins what is cancelled
                making.task.cancel()

    def _drop(self, key: Key) -> None:
        found = self._entries.pop(key, None)
        if found is not None:
            self.bytes -= found[3]


class Versions:
    """The surfaces' versions, asked of the core; one question at a time, for all who came before it began."""

    def __init__(self, upstream: Upstream, rpc: Rpc, timeout: float) -> None:
        self._upstream = upstream
        self._rpc = rpc
        self._timeout = timeout
        self._running: asyncio.Task[Mapping[str, str] | None] | None = None
        self._next: asyncio.Task[Mapping[str, str] | None] | None = None
        self._silent_until = 0.0

    async def current(self, surface: str, metadata: Mapping[str, str]) -> str | None:
        """The version of a surface at a moment after this call; None when the core doesn't say it.

        Never of a question that is under way: its answer may be older than the caller's own last write.
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
            if problem.status in (403, 501):  # a core that doesn't trust this edge, or an older one
                self._silent_until = time.monotonic() + _ASK_AGAIN_SECONDS
            return None
