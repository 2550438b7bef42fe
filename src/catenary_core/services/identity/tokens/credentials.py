"""The dispatcher's authenticator: the identity behind a bearer token, an API key or the token of a share link.

A verified credential is trusted for 5 s; then one statement checks again whether the user, client, key or token is
still valid. A call must have exactly one credential, in the header of its kind: anything else is refused before the
credential is read.

See guide/conventions.md, "Credentials".
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from catenary_core.call.call import Identity, SharedPart
from catenary_core.call.errors import DomainError
from catenary_core.frame import Frame
from catenary_core.secrets import SHARE_PREFIX
from catenary_core.services.identity import scopes
from catenary_core.services.identity.people import demo_guest
from catenary_core.services.identity.people.enterprise_users import EnterpriseUsers
from catenary_core.services.identity.tokens import queries
from catenary_core.services.identity.tokens.access_tokens import AccessTokens, Claims, claims_of
from catenary_core.services.identity.tokens.authorization import split
from catenary_core.services.identity.tokens.enterprise_issuers import EnterpriseIssuers
from catenary_core.services.identity.tokens.ttl_cache import TtlCache
from catenary_core.services.identity.tokens.verification import LEEWAY, MAX_BYTES, Verifier, refused
from catenary_core.services.identity.workers import queries as worker_queries
from catenary_core.services.identity.workers import tokens as worker_tokens

TRUSTED_SECONDS = 5.0
"""Seconds for which a verified credential is trusted."""
_TRUSTED = 10_000
"""Maximum number of credentials that are trusted at a time."""
KEY_PREFIX = "cat_"
_SHARE_TOKEN = re.compile(rf"{SHARE_PREFIX}[A-Za-z0-9_-]{{43}}", re.ASCII)
_KEY = re.compile(rf"{KEY_PREFIX}[A-Za-z0-9_-]{{43}}", re.ASCII)


class Credentials:
    """Turns the credentials of a call into an identity."""

    def __init__(
        self,
        frame: Frame,
        tokens: AccessTokens,
        issuers: EnterpriseIssuers,
        *,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create the authenticator; `clock` returns Unix seconds, `monotonic` measures the 5 s."""
        self._db = frame.db
        self._demo = frame.demo
        self._secrets = frame.secrets
        self._own = tokens.issuer
        self._enterprise_users = EnterpriseUsers(frame.db, frame.secrets, issuers)
        self._verifier = Verifier([tokens.issuer, *issuers.issuers], clock)
        self._clock = clock
        self._monotonic = monotonic
        self._trusted: TtlCache[bytes, tuple[Identity, float | None, float]] = TtlCache(
            TRUSTED_SECONDS, _TRUSTED, monotonic
        )

    async def authenticate(self, metadata: Mapping[str, str]) -> Identity:
        """Return the caller's identity.

        Raises AUTHENTICATION_REQUIRED: the call has no credentials. Raises INVALID_TOKEN or TOKEN_EXPIRED: they aren't
        valid.
        """
        kind, text = _credential(metadata)
        digest = hashlib.sha256(f"{kind} {text}".encode()).digest()
        now = self._monotonic()
        trusted = self._trusted.get(digest)
        if trusted is None:
            trusted = (*await self._of(kind, text, metadata), now)
            self._trusted.put(digest, trusted, since=now)
        identity, ends_at, since = trusted
        if ends_at is not None and ends_at <= self._clock():
            raise DomainError("TOKEN_EXPIRED", "The credential has ended; get a new one.")
        return replace(identity, trusted_seconds=since + TRUSTED_SECONDS - now)

    async def recheck(self, identities: Sequence[Identity]) -> list[Identity | None]:
        """Check verified identities again: return each with its current Admin flag, or None if no longer valid.

        One statement serves all users among them, another all links, and nothing comes from the cache.
        """
        links = [one.credential_id for one in identities if one.kind == "link"]
        async with self._db.read() as tx:
            rows = await tx.all(
                queries.VALID_CREDENTIALS,
                user_ids=[one.user_id if one.is_user else None for one in identities],
                token_ids=[one.credential_id if one.kind == "client" else None for one in identities],
                key_ids=[one.credential_id if one.kind == "api_key" else None for one in identities],
                generations=[one.token_generation for one in identities],
                session_ids=[one.credential_id if one.kind == "session" else None for one in identities],
            )
            holding = {row["share_id"] for row in await tx.all(queries.HOLDING_LINKS, ids=links)} if links else set()
        admin = {row["place"]: row["admin"] for row in rows}
        found: list[Identity | None] = []
        for place, one in enumerate(identities, 1):
            if one.kind == "link":
                found.append(one if one.credential_id in holding else None)
            elif place in admin and self._may_call(one.user_id):
                found.append(replace(one, admin=admin[place] and one.kind != "api_key"))
            else:
                found.append(None)
        return found

    def _may_call(self, user_id: str) -> bool:
        return demo_guest.counts(user_id, demo=self._demo)

    async def recheck_worker(self, identity: Identity) -> bool:
        """Return whether the token of a worker is still valid; nothing comes from the cache."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(worker_queries.WORKER_TOKEN, worker_token_id=identity.credential_id)
        return row is not None

    async def _of(self, kind: str, text: str, metadata: Mapping[str, str]) -> tuple[Identity, float | None]:
        match kind:
            case "key":
                return await self._of_key(text)
            case "share":
                return await self._of_link(text)
            case _:
                return await self._of_bearer(text, metadata)

    async def _of_bearer(self, text: str, metadata: Mapping[str, str]) -> tuple[Identity, float | None]:
        if worker_tokens.is_worker_token(text):
            return await self._of_worker(text), None
        issuer, claims = await self._verifier.verify(text)
        ends_at = float(claims["exp"])
        if issuer is self._own:
            identity = await self._of_own(claims_of(claims), ends_at)
        else:
            user_id, admin = await self._enterprise_users.user_of(issuer.name, claims, metadata)
            identity = Identity(user_id, "person", admin, frozenset(scopes.ALL), "", ends_at)
        return identity, ends_at + LEEWAY

    async def _of_own(self, own: Claims, ends_at: float) -> Identity:
        """Return whom a token of the platform itself speaks for."""
        async with self._db.read() as tx:
            if own.session_id:
                named = {"session_id": own.session_id, "user_id": own.user_id}
                row = await tx.one_or_none(queries.OWNER_OF_SESSION, **named)
            else:
                row = await tx.one_or_none(
                    queries.OWNER_OF_TOKEN,
                    client_id=own.client_id,
                    user_id=own.user_id,
                    token_id=own.token_id,
                    token_generation=own.generation,
                )
        if row is None or not self._may_call(own.user_id):
            raise _ended()
        if own.session_id:
            return Identity(own.user_id, "session", row["admin"], own.scopes, own.session_id, ends_at)
        return Identity(own.user_id, "client", row["admin"], own.scopes, own.token_id, ends_at, own.generation)

    async def _of_worker(self, text: str) -> Identity:
        async with self._db.read() as tx:
            row = await tx.one_or_none(worker_queries.VALID_WORKER_TOKEN, digest=worker_tokens.digest(text))
        if row is None:
            raise _ended()
        return Identity("", "worker", credential_id=row["id"])

    async def _of_key(self, text: str) -> tuple[Identity, float | None]:
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.OWNER_OF_API_KEY, digest=self._secrets.digest(text))
        if row is None or not self._may_call(row["user_id"]):
            raise _ended()
        identity = Identity(row["user_id"], "api_key", False, frozenset(row["scopes"]), row["id"], row["expires_at"])
        return identity, row["expires_at"]

    async def _of_link(self, text: str) -> tuple[Identity, float | None]:
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.LINK, digest=self._secrets.digest(text))
        if row is None:
            raise _ended()
        shown = SharedPart(row["project_id"], row["variant_id"], row["evaluation_id"])
        identity = Identity(
            row["share_id"],
            "link",
            scopes=frozenset({"platform:read"}),
            credential_id=row["share_id"],
            expires_at=row["expires_at"],
            shown=shown,
        )
        return identity, row["expires_at"]


def _credential(metadata: Mapping[str, str]) -> tuple[str, str]:
    """Return the kind (`key`, `share` or `bearer`) and the text of the call's only credential."""
    authorization, key, share = (metadata.get(name) for name in ("authorization", "x-api-key", "x-share-token"))
    given = [one for one in (authorization, key, share) if one is not None]
    if not given:
        raise DomainError(
            "AUTHENTICATION_REQUIRED",
            "Send a token as Authorization: Bearer <token>, an API key as X-API-Key, or the token of a share link as "
            "X-Share-Token.",
        )
    if len(given) > 1:
        raise DomainError(
            "INVALID_TOKEN", "The call has several credentials; send one token, API key or token of a share link."
        )
    if share is not None:
        if not _SHARE_TOKEN.fullmatch(share):
            raise DomainError(
                "INVALID_TOKEN",
                "The token of the share link is damaged; send it whole, as it stands in the link after #share=.",
            )
        return "share", share
    if key is not None:
        if not _KEY.fullmatch(key):
            raise DomainError(
                "INVALID_TOKEN",
                "The API key is damaged; send it whole, as it was shown when it was made.",
            )
        return "key", key
    scheme, text = split(str(authorization))
    if scheme != "bearer":
        raise DomainError(
            "INVALID_TOKEN", "The scheme of Authorization must be Bearer, as in Authorization: Bearer <token>."
        )
    if len(text) > MAX_BYTES or not text.isascii():
        raise refused("form")
    return "bearer", text


def _ended() -> DomainError:
    return DomainError("INVALID_TOKEN", "The credential was revoked or disabled, or belongs to nobody; get a new one.")
