"""Enterprise identity providers: their keys by discovery (OpenID Connect Discovery 1.0), and their Admin group.

Keys are read again after ten minutes, or when a token names an unknown key, but at most every 30 s. While the provider
can't be read, the known keys remain in use until an hour after they were last read. A token with a known key never
waits for the provider.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

import aiohttp
import jwt
import structlog

from catenary_core.background.failures import end
from catenary_core.services.identity.tokens import provider_documents
from catenary_core.services.identity.tokens.provider_documents import TIMEOUT_SECONDS
from catenary_core.services.identity.tokens.verification import Issuer
from catenary_core.settings import OidcIssuer

_log = structlog.get_logger(__name__)
FRESH_SECONDS = 600.0
"""Age at which the keys are read again."""
RETRY_SECONDS = 30.0
"""Minimum time between two reads."""
SERVED_SECONDS = 3600.0
"""Age up to which known keys are used."""
_MAX_KEYS = 100
ALGORITHMS = frozenset({"ES256", "ES384", "ES512", "EdDSA", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512"})
"""The accepted algorithms, all asymmetric: with a shared secret every verifier could sign too."""
# The `typ` of access tokens (RFC 9068), and the values that many providers write instead.
_TYPES = frozenset({None, "jwt", "at+jwt", "application/at+jwt"})


class EnterpriseIssuers:
    """The configured issuers and their keys."""

    def __init__(self, configured: Sequence[OidcIssuer], clock: Callable[[], float] = time.monotonic) -> None:
        """Create the issuers; `clock` is monotonic, in seconds.

        Raises ValueError: an issuer has a shared-secret algorithm or an address that isn't https.
        """
        self._configured = {config.issuer: config for config in configured}
        self._keys = [IssuerKeys(config, clock) for config in configured]
        self.issuers = [
            Issuer(
                config.issuer,
                config.audience,
                frozenset(config.algorithms),
                _TYPES,
                keys.find,
                only_audience=config.only_audience,
            )
            for config, keys in zip(configured, self._keys, strict=True)
        ]

    def is_admin(self, issuer: str, claims: dict[str, Any]) -> bool | None:
        """Return whether a token's groups make its user an Admin; None if the issuer has no Admin group."""
        config = self._configured[issuer]
        if config.admin_group is None:
            return None
        return config.admin_group.removeprefix("/") in _groups(claims, config.groups_claim)

    async def start(self) -> None:
        """Do nothing: keys are read when a token needs them."""

    async def stop(self) -> None:
        """Cancel running reads of keys."""
        for keys in self._keys:
            await keys.close()


class IssuerKeys:
    """The keys of one issuer, as last read."""

    def __init__(self, config: OidcIssuer, clock: Callable[[], float]) -> None:
        unknown = set(config.algorithms) - ALGORITHMS
        if unknown or not config.algorithms:
            raise ValueError(f"the algorithms of {config.issuer} must be of {', '.join(sorted(ALGORITHMS))}")
        self._config = config
        self._clock = clock
        for url in (config.issuer, config.jwks_uri):
            if url is not None:
                provider_documents.check_address(url, config.issuer)
        self._keys: dict[tuple[str, str], jwt.PyJWK] = {}
        self._read_at = float("-inf")
        self._tried_at = float("-inf")
        self._reading: asyncio.Task[None] | None = None

    async def find(self, kid: str, algorithm: str) -> jwt.PyJWK | None:
        """Return the key of a token, or None if unknown; read the keys again if they are old."""
        now = self._clock()
        known = self._keys.get((kid, algorithm))
        usable = known is not None and now - self._read_at < SERVED_SECONDS
        if not usable or now - self._read_at >= FRESH_SECONDS:
            reading = self._read_again()
            if not usable and reading is not None:
                await asyncio.shield(reading)
                usable = self._clock() - self._read_at < SERVED_SECONDS
                known = self._keys.get((kid, algorithm))
        return known if usable else None

    async def close(self) -> None:
        """Cancel a running read."""
        await end(self._reading)

    def _read_again(self) -> asyncio.Task[None] | None:
        """Return the running read or start one; return None if the last attempt is too recent."""
        if self._reading is not None and not self._reading.done():
            return self._reading
        now = self._clock()
        if now - self._tried_at < RETRY_SECONDS:
            return None
        self._tried_at = now
        self._reading = asyncio.create_task(self._read(), name="issuer keys")
        return self._reading

    async def _read(self) -> None:
        began = self._clock()
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS), provider_documents.session() as session:
                uri = self._config.jwks_uri or await self._discovered(session)
                self._keys = self._parsed(await provider_documents.read(session, uri))
                self._read_at = began
        except provider_documents.UNREADABLE as error:
            _log.warning(
                "an identity provider's keys can't be read", issuer=self._config.issuer, error=repr(error)[:200]
            )

    async def _discovered(self, session: aiohttp.ClientSession) -> str:
        document = await provider_documents.discover(session, self._config.issuer)
        uri = document.get("jwks_uri")
        if not isinstance(uri, str):
            raise ValueError("the discovery document names no keys")
        provider_documents.check_address(uri, self._config.issuer)
        return uri

    def _parsed(self, document: dict[str, Any]) -> dict[tuple[str, str], jwt.PyJWK]:
        """Return the usable public keys by `kid` and algorithm, without any `kid` that occurs twice."""
        entries = document.get("keys")
        if not isinstance(entries, list) or len(entries) > _MAX_KEYS:
            raise ValueError("the key document has no list of keys, or too many")
        kids = [entry.get("kid") for entry in entries if isinstance(entry, dict)]
        keys: dict[tuple[str, str], jwt.PyJWK] = {}
        for entry in entries:
            if not isinstance(entry, dict) or "d" in entry or entry.get("use", "sig") != "sig":
                continue
            kid = entry.get("kid", "")
            if not isinstance(kid, str) or kids.count(entry.get("kid")) != 1:
                continue
            for algorithm in self._config.algorithms:
                key = _key(entry, algorithm)
                if key is not None:
                    keys[kid, algorithm] = key
        # A token without a `kid` can only mean the key of an issuer that has one (OpenID Connect Core 1.0, 10.1).
        if len({kid for kid, _ in keys}) == 1:
            return keys | {("", algorithm): key for (_, algorithm), key in keys.items()}
        return {name: key for name, key in keys.items() if name[0]}


def _groups(claims: dict[str, Any], name: str) -> set[str]:
    """Return the groups of a claim, each without one leading slash.

    Args:
        claims: the token's verified claims.
        name: name of the claim, or path to one inside others, such as `realm_access.roles`.
    """
    found: Any = claims.get(name)
    if found is None:
        found = claims
        for part in name.split("."):
            found = found.get(part) if isinstance(found, dict) else None
    listed = found if isinstance(found, list) else [found]
    return {one.removeprefix("/") for one in listed if isinstance(one, str)}


def _key(entry: dict[str, Any], algorithm: str) -> jwt.PyJWK | None:
    if entry.get("alg", algorithm) != algorithm:
        return None
    try:
        return jwt.PyJWK(entry, algorithm)
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
