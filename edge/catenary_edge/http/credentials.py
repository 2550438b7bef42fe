"""Credentials of a request and their check by the core (guide/conventions.md, "Credentials").

The core checks credentials before the body is read, so that 401 goes before 413, 415 and 400. A success is cached for 5
s, within which a revocation must take effect; a failure is never cached.
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
"""Seconds for which an identified caller is cached."""
KEEP_ENTRIES = 10_000
"""Largest number of cached callers."""
MAX_LENGTH = 8192
"""Longest credential in bytes."""

HEADERS = ("Authorization", "X-API-Key", "X-Share-Token")
"""Names of the headers that hold credentials."""
_METADATA = tuple(map(str.lower, HEADERS))
VISIBLE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
"""Pattern of a credential: printable ASCII without blanks at its ends."""


def credentials(headers: CIMultiDictProxy[str]) -> dict[str, str]:
    """Return the request's credentials as metadata for the core.

    Raises:
        Problem: 401 INVALID_TOKEN for a header that is repeated, over 8 KiB or not printable ASCII.
    """
    found: dict[str, str] = {}
    for name in _METADATA:
        values = headers.getall(name, [])
        if not values:
            continue
        if len(values) > 1:
            raise refusal("INVALID_TOKEN", f"The header {name} stands twice; send one credential.")
        if len(values[0]) > MAX_LENGTH or not VISIBLE.fullmatch(values[0]):
            raise refusal(
                "INVALID_TOKEN",
                f"The header {name} is not a credential, which is printable ASCII of at most {MAX_LENGTH} characters.",
            )
        found[name] = values[0]
    return found


def challenge(problem: Problem, sent: bool) -> str:
    """Return the WWW-Authenticate value of a 401 (RFC 6750, section 3).

    `sent`: whether a credential was sent; only then the value names the error.
    """
    if problem.reason == "INVALID_CLIENT":
        return 'Basic realm="catenary"'
    return 'Bearer error="invalid_token"' if sent else "Bearer"


@dataclass(frozen=True, slots=True)
class Caller:
    """An identified caller."""

    user_id: str
    """Id of the user; empty for a share link."""
    admin: bool
    """True if the caller has the privilege Admin."""
    scopes: tuple[str, ...]
    """Scopes of the credential."""
    share_id: str = ""
    """Id of the share of a share link; empty for a user."""

    @property
    def principal_id(self) -> str:
        """Id under which the caller's requests are counted."""
        return self.user_id or self.share_id

    @property
    def key(self) -> str:
        """Cache key of the caller's rights; equal for all credentials of one user with equal rights."""
        return f"{self.principal_id} {self.admin:d} {' '.join(self.scopes)}"


class Identities:
    """Recently identified callers, by a hash of their credentials."""

    def __init__(self, upstream: Upstream, rpc: Rpc, timeout: float, clock: Callable[[], float] = time.time) -> None:
        self._upstream = upstream
        self._rpc = rpc
        self._timeout = timeout
        self._clock = clock
        self._known: dict[bytes, tuple[float, Caller]] = {}  # with the Unix time of expiry
        self._asking: dict[bytes, asyncio.Task[Caller]] = {}

    async def check(self, found: Mapping[str, str], metadata: Mapping[str, str]) -> Caller:
        """Return the caller of these credentials; concurrent equal checks share one call of the core.

        Raises:
            Problem: The core's refusal of the credentials.
        """
        key = hashlib.sha256("\0".join(found.get(name, "") for name in _METADATA).encode()).digest()
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
            task.exception()  # asyncio would log the exception of a task that nobody awaited

    async def _ask(self, key: bytes, metadata: Mapping[str, str]) -> Caller:
        asked_at = self._clock()
        identity = await self._upstream.ask(self._rpc, self._rpc.request(), metadata, self._timeout)
        caller = Caller(identity["user_id"], identity["admin"], tuple(identity["scopes"]), identity["share_id"])
        ends = identity["expires_at"]
        until = asked_at + min(KEEP_SECONDS, identity["trusted_seconds"])  # the core may have cached it for a while
        while len(self._known) >= KEEP_ENTRIES:
            del self._known[next(iter(self._known))]
        self._known.pop(key, None)
        self._known[key] = (until if ends is None else min(until, ends), caller)
        return caller
