"""Client authentication at the token and revocation endpoints (RFC 6749, section 2.3.1)."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import unquote_plus

from catenary_core.call.errors import DomainError, invalid
from catenary_core.database.statements import Row
from catenary_core.frame import Frame
from catenary_core.services.identity.people import demo_guest
from catenary_core.services.identity.tokens import queries
from catenary_core.services.identity.tokens.authorization import split
from catenary_core.services.identity.tokens.throttle import FailureThrottle
from catenary_core.services.identity.tokens.ttl_cache import TtlCache
from catenary_wire.sentences import Argument

KEPT_SECONDS = 5.0
"""Seconds for which a client's row is cached: a disabled client is refused within that time."""
CHANNEL = "client_credentials"
"""Channel that is notified when a client gets another secret or its tokens are ended."""
_KEPT_CLIENTS = 10_000
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_NO_CLIENT = "00000000-0000-0000-0000-000000000000"


class ClientRequest(Protocol):
    """A request with client credentials."""

    client_id: str
    client_secret: str
    authorization: str


@dataclass(frozen=True, slots=True)
class _Kept:
    """A cached client."""

    row: Row | None
    """None if there is no such client, or none that may call."""
    changed: asyncio.Event
    """Set when the credentials of any client have changed since the look-up."""


class ClientAuthentication:
    """Checks client credentials. An unknown client costs the same work and gets the same response as a wrong secret."""

    def __init__(self, frame: Frame, clock: Callable[[], float] = time.monotonic) -> None:
        """Create the checker; `clock` is monotonic, in seconds."""
        self._db = frame.db
        self._secrets = frame.secrets
        self._wakeups = frame.wakeups
        self._clock = clock
        self.throttle = FailureThrottle(frame.db, clock)
        self._clients: TtlCache[str, _Kept] = TtlCache(KEPT_SECONDS, _KEPT_CLIENTS, clock)
        self._dummy = frame.secrets.digest("no client has this secret")

    async def authenticate(self, request: ClientRequest, metadata: Mapping[str, str]) -> Row:
        """Check the request's credentials; return the client's row.

        The row has `id`, `user_id`, `secret_digest`, `token_generation` and `logged_in`.

        Raises VALIDATION_ERROR (invalid_request): the credentials are in the header and in the body. Raises
        INVALID_CLIENT: they are wrong. Raises RATE_LIMIT_EXCEEDED: there were too many failures.
        """
        given_id, secret = _credentials(request)
        client_id = given_id.lower()
        row = await self._client(client_id if _UUID.fullmatch(client_id) else _NO_CLIENT)
        expected = self._dummy if row is None else bytes(row["secret_digest"])
        same = hmac.compare_digest(self._secrets.digest(secret), expected)
        if row is None or not same:
            await self.throttle.failed(client_id, metadata)
            raise DomainError(
                "INVALID_CLIENT",
                "The client's id or secret is wrong, or the client is disabled.",
                metadata={"oauth_error": "invalid_client"},
            )
        return row

    async def guest(self) -> Row | None:
        """Return the row of the demo guest's client, as `authenticate` does; None if there is none that may call."""
        return await self._client(demo_guest.CLIENT_ID)

    async def _client(self, client_id: str) -> Row | None:
        since = self._clock()
        kept = self._clients.get(client_id)
        # After a change the row is read again: with the cached one a new secret would be refused, and a token granted
        # after the end of the others would end with them.
        if kept is None or kept.changed.is_set():
            changed = self._wakeups.ticket(CHANNEL)
            async with self._db.read() as tx:
                kept = _Kept(await tx.one_or_none(queries.LOGIN_CLIENT, id=client_id), changed)
            self._clients.put(client_id, kept, since=since)
        return kept.row


def _credentials(request: ClientRequest) -> tuple[str, str]:
    """Return the client's id and secret, empty if absent or unreadable; no client has empty ones."""
    scheme, encoded = split(request.authorization)
    if scheme in ("", "bearer"):  # A token identifies no client; some callers send theirs with every request.
        return request.client_id, request.client_secret
    client_id, secret = _basic(encoded) if scheme == "basic" else ("", "")
    # The same id may stand in the body too (RFC 6749, section 3.2.1), another one or a secret may not.
    if request.client_secret or (request.client_id and request.client_id.lower() != client_id.lower()):
        raise oauth_error(
            "invalid_request",
            "client_id",
            "Send the client's credentials in the Authorization header or in the body, not in both.",
            value=request.client_id,
        )
    return client_id, secret


def _basic(encoded: str) -> tuple[str, str]:
    """Return the id and secret of Basic credentials, empty if unreadable."""
    try:
        decoded = base64.b64decode(encoded, validate=True).decode()
    except (binascii.Error, ValueError):
        return "", ""
    client_id, _, secret = decoded.partition(":")
    return unquote_plus(client_id), unquote_plus(secret)


def oauth_error(
    code: str, field: str, template: str, *, value: str, constraint: str = "invalid", **arguments: Argument
) -> DomainError:
    """Build a VALIDATION_ERROR with a code of RFC 6749, section 5.2; an empty `value` stands for none."""
    error = invalid(field, template, value=value or None, constraint=constraint, **arguments)
    error.metadata["oauth_error"] = code
    return error
