"""Access tokens that the platform issues to clients and sessions: JWTs by RFC 9068, signed with ES256."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import orjson
import uuid_utils
from jwt.algorithms import ECAlgorithm

from catenary_core.call.errors import DomainError
from catenary_core.database.statements import Row
from catenary_core.secrets import Secrets
from catenary_core.services.identity import scopes
from catenary_core.services.identity.tokens.signing_keys import SigningKey, SigningKeys
from catenary_core.services.identity.tokens.verification import Issuer, Verifier, refused
from catenary_core.settings import CoreSettings

TYPE = "at+jwt"
_GENERATION = "token_generation"
_SESSION = "sid"
_MAX_GENERATION = 2**31 - 1
_ES256 = ECAlgorithm(ECAlgorithm.SHA256)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a verified token that the platform issued."""

    token_id: str
    """`jti`, by which a token is revoked."""
    user_id: str
    """`sub`: the user that the client acts as."""
    client_id: str
    """The client that the token was issued to; of a session the session's own id."""
    scopes: frozenset[str]
    """The scopes that the token grants."""
    expires_at: int
    """`exp`, in Unix seconds."""
    generation: int
    """The generation of the client's tokens; 0 for a token that names none, issued by an older release."""
    session_id: str
    """`sid`: the session that the token was issued to; empty for a token of a client."""


def issuer_name(settings: CoreSettings, secrets: Secrets) -> str:
    """Return the `iss` and `aud` of the platform's tokens: the public address, or else a derived name.

    The name is derived from the installation's root keys, and so equal on every node and after every start. A change of
    the public address invalidates the tokens issued before.
    """
    if settings.public_url:
        return settings.public_url.rstrip("/")
    return f"urn:catenary:{secrets.digest('name of the installation').hex()[:32]}"


class AccessTokens:
    """Issues and reads access tokens."""

    def __init__(
        self, settings: CoreSettings, secrets: Secrets, keys: SigningKeys, clock: Callable[[], float] = time.time
    ) -> None:
        """Create the issuer of tokens; `clock` returns Unix seconds."""
        self._keys = keys
        self._clock = clock
        self.lifetime = settings.token_lifetime
        name = issuer_name(settings, secrets)
        self.issuer = Issuer(name, name, frozenset({"ES256"}), frozenset({TYPE, f"application/{TYPE}"}), keys.find)
        self._verifier = Verifier([self.issuer], clock)

    async def prepare(self) -> None:
        """Make the signing key where there is none, outside the caller's transaction.

        No token is signed with a key that is not committed, since other nodes can't read it.
        """
        await self._keys.current()

    async def issue(self, client: Row, granted: Iterable[str]) -> str:
        """Issue a token to a client, whose row has `id`, `user_id` and `token_generation`."""
        return await self._issued(
            client["user_id"], client["id"], granted, self.lifetime, {_GENERATION: client["token_generation"]}
        )

    async def issue_to_session(self, user_id: str, session_id: str, ends_at: float) -> tuple[str, int]:
        """Issue a token with all scopes to a session, for no longer than it lasts; return it and its lifetime."""
        seconds = max(0, min(self.lifetime, int(ends_at - self._clock())))
        return await self._issued(user_id, session_id, scopes.ALL, seconds, {_SESSION: session_id}), seconds

    async def _issued(
        self, user_id: str, client_id: str, granted: Iterable[str], seconds: int, own: dict[str, Any]
    ) -> str:
        key = await self._keys.current()
        now = int(self._clock())
        claims = {
            "iss": self.issuer.name,
            "aud": self.issuer.audience,
            "sub": user_id,
            "client_id": client_id,
            **own,
            "jti": str(uuid_utils.uuid7()),
            "iat": now,
            "exp": now + seconds,
            "scope": " ".join(granted),
        }
        return _signed(claims, key)

    async def read_own(self, text: str, client_id: str) -> Claims | None:
        """Return the claims of a valid token issued to the client, or None for any other text."""
        try:
            _, claims = await self._verifier.verify(text)
            found = claims_of(claims)
        except DomainError:
            return None
        return found if found.client_id == client_id else None


def _signed(claims: dict[str, Any], key: SigningKey) -> str:
    """Sign the claims in the compact form (RFC 7515, section 7.1).

    PyJWT only computes the signature: its own serializer takes as long again.
    """
    header = {"alg": "ES256", "kid": key.kid, "typ": TYPE}
    signing_input = b".".join(_base64url(orjson.dumps(part)) for part in (header, claims))
    return b".".join((signing_input, _base64url(_ES256.sign(signing_input, key.private)))).decode()


def _base64url(value: bytes) -> bytes:
    return base64.urlsafe_b64encode(value).rstrip(b"=")


def claims_of(claims: dict[str, Any]) -> Claims:
    """Return the claims of a platform token whose signature is verified.

    Raises INVALID_TOKEN: a claim doesn't have the form that the platform writes.
    """
    ids = [claims.get(name) for name in ("jti", "sub", "client_id")]
    scope = claims.get("scope")
    generation = claims.get(_GENERATION, 0)
    session_id = claims.get(_SESSION, "")
    has_form = isinstance(scope, str) and type(generation) is int and 0 <= generation <= _MAX_GENERATION
    has_session = session_id in ("", claims.get("client_id"))
    if not has_form or not has_session or not all(isinstance(value, str) and _UUID.fullmatch(value) for value in ids):
        raise refused("claims")
    token_id, user_id, client_id = (str(value) for value in ids)
    granted = frozenset(str(scope).split())
    return Claims(token_id, user_id, client_id, granted, claims["exp"], generation, str(session_id))
