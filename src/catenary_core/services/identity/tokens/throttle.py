"""Limits of failed client authentications: 20 a minute per client and per address, over all nodes.

Only failures are counted and only failures are refused: a caller with the right secret is let in even while another
caller guesses, so that nobody can lock a client out. The counters are rows of the last minute. An address over its
limit adds no rows, so the number of addresses bounds the rows; a node remembers its refusals and spares the database.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Mapping
from urllib.parse import unquote

import uuid_utils

from catenary_core.call.client_address import KEY, client_address
from catenary_core.call.errors import DomainError
from catenary_core.database.transactions import Database
from catenary_core.services.identity.tokens import queries
from catenary_core.services.identity.tokens.ttl_cache import TtlCache
from catenary_wire import limit_sentences
from catenary_wire.addresses import party

FAILURES_A_MINUTE = 20
"""Failures a minute that a client or an address may have before further ones are refused."""
_REMEMBERED = 10_000
"""Maximum number of refused clients and addresses that a node remembers."""


class FailureThrottle:
    """Counts failures by client and by address."""

    def __init__(self, db: Database, clock: Callable[[], float] = time.monotonic) -> None:
        """Create the throttle; `clock` is monotonic, for the refusals that this node remembers."""
        self._db = db
        self._clock = clock
        self._refused: TtlCache[bytes, float] = TtlCache(60, _REMEMBERED, clock)

    async def failed(self, client_id: str, metadata: Mapping[str, str]) -> None:
        """Count a failed authentication.

        Raises RATE_LIMIT_EXCEEDED: the client or the address has reached its limit.
        """
        keys = sorted({_key("client", client_id), _key("address", address_of(metadata))})
        if seconds := await self._count(keys):
            raise _too_many(limit_sentences.failed_attempts, seconds)

    async def failed_sign_in(self, metadata: Mapping[str, str]) -> None:
        """Count a failed use of an invitation, a sign-in link or a refresh token.

        Raises RATE_LIMIT_EXCEEDED: the address has reached its limit.
        """
        if seconds := await self._count([_key("address", address_of(metadata))]):
            raise _too_many(limit_sentences.failed_attempts, seconds)

    async def granted_to_guest(self, metadata: Mapping[str, str]) -> None:
        """Count a token for the demo guest, apart from failures.

        Raises RATE_LIMIT_EXCEEDED: the address has had as many tokens as it may have failures.
        """
        if seconds := await self._count([_key("guest", address_of(metadata))]):
            raise _too_many(limit_sentences.guest_tokens, seconds)

    async def refreshed(self, session_id: str) -> None:
        """Count a refresh of a session, apart from failures: each leaves rows behind.

        Raises RATE_LIMIT_EXCEEDED: the session has had as many refreshes as an address may have failures.
        """
        if seconds := await self._count([_key("session", session_id)]):
            raise _too_many(limit_sentences.refreshes, seconds)

    async def _count(self, keys: list[bytes]) -> float:
        """Add one to each key; return 0, or if a key has reached its limit the seconds until it has room again."""
        now = self._clock()
        remembered = max((until - now for key in keys if (until := self._refused.get(key))), default=0.0)
        if remembered > 0:
            return remembered
        async with self._db.transaction() as tx:
            for key in keys:
                await tx.all(queries.LOCK_FAILURES, key=key)
            exceeded = await tx.all(queries.EXCEEDED, keys=keys, allowed=FAILURES_A_MINUTE)
            if not exceeded:
                await tx.execute(queries.DROP_OLD_FAILURES)
                rows = [{"id": str(uuid_utils.uuid7()), "key": key} for key in keys]
                await tx.execute_many(queries.ADD_FAILURE, rows)
        for row in exceeded:
            self._refused.put(bytes(row["key"]), now + row["retry_after"], since=now)
        return max((row["retry_after"] for row in exceeded), default=0.0)


def address_of(metadata: Mapping[str, str]) -> str:
    """Return the caller's address without its port, as that of its party."""
    address = client_address(metadata)
    return unquote(metadata.get(KEY, "")) if address is None else party(address)


def _key(kind: str, value: str) -> bytes:
    return hashlib.sha256(f"{kind} {value}".encode(errors="surrogatepass")).digest()


def _too_many(sentence: Callable[[float], str], seconds: float) -> DomainError:
    wait = max(1, math.ceil(seconds))
    return DomainError(
        "RATE_LIMIT_EXCEEDED",
        sentence(wait),
        retry_after=wait,
        metadata={"oauth_error": "invalid_request"},
    )
