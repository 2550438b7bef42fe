"""Credentials of a request, and the question to the core whose they are (guide/conventions.md, "Credentials").

The core is asked before the body is read, so that 401 goes before 413, 415 and 400. A yes is kept for 5 s, within which
a revocation must take effect; a no is never kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from catenary_edge.errors.problem import Problem, refusal
from catenary_edge.transcoding.services import Rpc
from catenary_edge.upstream import Upstream

if TYPE_CHECKING:
    from multidict import CIMultiDictProxy

KEEP_SECONDS = 5.0
KEEP_ENTRIES = 10_000
MAX_LENGTH = 8192

_HEADERS = ("authorization", "x-api-key", "x-share-token")
VISIBLE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")


def credentials(headers: CIMultiDictProxy[str]) -> dict[str, str]:
    """The credentials as metadata. Raises 401 INVALID_TOKEN for a header that is doubled, over 8 kB or not ASCII."""
    found: dict[str, str] = {}
    for name in _HEADERS:
        values = headers.getall(name, [])
        if not values:
            continue
        if len(values) > 1:
            raise refusal("INVALID_TOKEN", f"The header {name} stands twice; send one credential.")
        if len(values[0]) > MAX_LENGTH or not VISIBLE.fullmatch(values[0]):
            raise refusal("INVALID_TOKEN", f"The header {name} holds no valid credential.")
        found[name] = values[0]
    return found


def challenge(problem: Problem, sent: bool) -> str:
    """The WWW-Authenticate value of a 401 (RFC 6750, section 3): an error is named only to who sent a credential."""
    if problem.reason == "INVALID_CLIENT":
        return 'Basic realm="catenary"'
    return 'Bearer error="invalid_token"' if sent else "Bearer"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls."""

    user_id: str
    admin: bool
    scopes: tuple[str, ...]

    @property
    def key(self) -> str:
        """What of the caller an answer may depend on: equal for all credentials that are the same user and may do the same."""
        return f"{self.user_id} {self.admin:d} {' '.join(self.scopes)}"


class Identities:
    """Who was let in during the last seconds, by a hash of the credentials."""

    def __init__(self, upstream: Upstream, rpc: Rpc, timeout: float, clock: Callable[[], float] = time.time) -> None:
        self._upstream = upstream
        self._rpc = rpc
        self._timeout = timeout
        self._clock = clock
        self._known: dict[bytes, tuple[float, Caller]] = {}  # with the Unix time until which it is believed
        self._asking: dict[bytes, asyncio.Task[Caller]] = {}

    async def check(self, found: Mapping[str, str], metadata: Mapping[str, str]) -> Caller:
        """Who the credentials belong to; the core's Problem when it doesn't know them. Equal questions are asked once."""
        key = hashlib.sha256("\0".join(found.get(name, "") for name in _HEADERS).encode()).digest()
        known = self._known.get(key)
        if known is not None and known[0] > self._clock():
            return known[1]
        task = self._asking.get(key)
        if task is None:
            task = asyncio.create_task(self._ask(key, metadata))
            self._asking[key] = task
            task.add_done_callback(lambda done: self._asked(key, done))
        return await asyncio.shield(task)

    def _asked(self, key: bytes, task: asyncio.Task[Caller]) -> None:
        del self._asking[key]
        if not task.cancelled():
            task.exception()  # seen, even when everyone who waited for it went away

    async def _ask(self, key: bytes, metadata: Mapping[str, str]) -> Caller:
        asked_at = self._clock()
        identity = await self._upstream.ask(self._rpc, self._rpc.request(), metadata, self._timeout)
        caller = Caller(identity["user_id"], identity["admin"], tuple(identity["scopes"]))
        ends = identity["expires_at"]
        until = asked_at + min(KEEP_SECONDS, identity["trusted_seconds"])  # the core may have known it for a while
        while len(self._known) >= KEEP_ENTRIES:
            del self._known[next(iter(self._known))]
        self._known.pop(key, None)
        self._known[key] = (until if ends is None else min(until, ends), caller)
        return caller
