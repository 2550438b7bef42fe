"""Client authentication at the token and revocation endpoints (RFC 6749, section 2.3.1)."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import time
from collections.abc import Callable, Mapping
from typing import Protocol
from urllib.parse import unquote_plus

from catenary_core.call.errors import DomainError, invalid
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Database
from catenary_core.secrets import Secrets
from catenary_core.services.identity.tokens import queries
from catenary_core.services.identity.tokens.throttle import FailureThrottle
from catenary_core.services.identity.tokens.ttl_cache import TtlCache
from catenary_wire.sentences import Argument

KEPT_SECONDS = 5.0
"""Seconds for which a client's row is cached: a disabled client is refused within that time."""
_KEPT_CLIENTS = 10_000
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_NO_CLIENT = "00000000-0000-0000-0000-000000000000"


class ClientRequest(Protocol):
    """A request with client credentials."""

    client_id: str
    client_secret: str
    authorization: str


class ClientAuthentication:
    """Checks client credentials. An unknown client costs the same work and gets the same response as a wrong secret."""

    def __init__(self, db: Database, secrets: Secrets, clock: Callable[[], float] = time.monotonic) -> None:
        """Create the checker; `clock` is monotonic, in seconds."""
        self._db = db
        self._secrets = secrets
        self._clock = clock
        self._throttle = FailureThrottle(db, clock)
        self._clients: TtlCache[str, Row | bool] = TtlCache(KEPT_SECONDS, _KEPT_CLIENTS, clock)
        self._dummy = secrets.digest("no client has this secret")

    async def authenticate(self, request: ClientRequest, metadata: Mapping[str, str]) -> Row:
        """Check the request's credentials; return the client's `id`, `user_id`, `secret_digest` and `logged_in`.

        Raises VALIDATION_ERROR (invalid_request): the credentials are in the header and in the body. Raises
        INVALID_CLIENT: they are wrong. Raises RATE_LIMIT_EXCEEDED: there were too many failures.
        """
        given_id, secret = _credentials(request)
        client_id = given_id.lower()
        row = await self._client(client_id if _UUID.fullmatch(client_id) else _NO_CLIENT)
        expected = self._dummy if row is None else bytes(row["secret_digest"])
        same = hmac.compare_digest(self._secrets.digest(secret), expected)
        if row is None or not same:
            await self._throttle.failed(client_id, metadata)
            raise DomainError(
                "INVALID_CLIENT",
                "The client's id or secret is wrong, or the client is disabled.",
                metadata={"oauth_error": "invalid_client"},
            )
        return row

    async def _client(self, client_id: str) -> Row | None:
        since = self._clock()
        kept = self._clients.get(client_id)
        if kept is None:
            async with self._db.read() as tx:
                kept = await tx.one_or_none(queries.LOGIN_CLIENT, id=client_id) or False
            self._clients.put(client_id, kept, since=since)
        return None if isinstance(kept, bool) else kept


def _credentials(request: ClientRequest) -> tuple[str, str]:
    """Return the client's id and secret, empty if absent or unreadable; no client has empty ones."""
    scheme, _, encoded = request.authorization.partition(" ")
    if scheme.lower() in ("", "bearer"):  # A token identifies no client; some callers send theirs with every request.
        return request.client_id, request.client_secret
    if request.client_id or request.client_secret:
        raise oauth_error(
            "invalid_request",
            "client_id",
            "Send the client's credentials in the Authorization header or in the body, not in both.",
            value=request.client_id,
        )
    if scheme.lower() != "basic":
        return "", ""
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
