"""The keys that sign access tokens: rows that every node reads, made when needed and replaced in time.

A key signs for 30 days. Its successor is made and published a day before it begins to sign, so that all nodes and other
verifiers know it by then. A retired key verifies until the last token that it may have signed has expired; then its row
is deleted. A retirement of the installation's secret replaces the keys ahead of their time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import structlog
import uuid_utils
from cryptography.fernet import InvalidToken
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

from catenary.platform.v1.auth_service_shapes import Jwk
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Database, Transaction
from catenary_core.secrets import Secrets
from catenary_core.services.identity.tokens import queries
from catenary_core.services.identity.tokens.verification import LEEWAY

_log = structlog.get_logger(__name__)
DAY = 86400.0
SIGNS_FOR = 30 * DAY
"""Seconds for which a key signs."""
AHEAD = 1 * DAY
"""Seconds by which a key is published before it begins to sign."""
LONGEST_TOKEN = 1 * DAY
"""The upper bound of the setting `token_lifetime`, in seconds."""
_RELOAD = 60.0
"""Seconds after which the keys are read again."""
_KNOWN_AFTER = 2 * _RELOAD
"""Seconds after which every node has read a key."""
_RELOAD_FOR_UNKNOWN = 1.0
"""Minimum seconds between two reads that look for an unknown key."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key with its periods."""

    kid: str
    """The key's id, which is also the id of its row."""
    private: ec.EllipticCurvePrivateKey
    public: ec.EllipticCurvePublicKey
    signs_from: float
    """Unix seconds from which the key signs."""
    signs_until: float
    """Unix seconds at which its successor begins to sign."""
    verifies_until: float
    """Unix seconds until which tokens that the key signed may be valid."""

    def jwk(self) -> Jwk:
        """Return the public key (RFC 7517)."""
        numbers = ECAlgorithm.to_jwk(self.public, as_dict=True)
        return {
            "kty": "EC",
            "use": "sig",
            "alg": "ES256",
            "kid": self.kid,
            "crv": "P-256",
            "x": numbers["x"],
            "y": numbers["y"],
        }


class SigningKeys:
    """The signing keys of the installation, as this node has read them."""

    def __init__(self, db: Database, secrets: Secrets, clock: Callable[[], float] = time.time) -> None:
        """Create the set of keys, still unread; `clock` returns Unix seconds."""
        self._db = db
        self._secrets = secrets
        self._clock = clock
        self._keys: dict[str, SigningKey] = {}
        self._loaded_at = float("-inf")
        self._loading = asyncio.Lock()

    async def current(self) -> SigningKey:
        """Return the key that signs now; make the next key if its time has come."""
        now = self._clock()
        await self._refresh(_RELOAD)
        key = self._signing(now)
        if key is None or self._newest_ends() - AHEAD <= now:
            await self._make()
            key = self._signing(self._clock())
        if key is None:
            raise RuntimeError("no signing key has begun")
        return key

    async def find(self, kid: str, algorithm: str = "ES256") -> ec.EllipticCurvePublicKey | None:
        """Return the public key of a token, or None if unknown or retired for good.

        Reads the rows for an unknown key at most once a second.
        """
        del algorithm  # The issuer's list of algorithms accepts ES256 only.
        await self._refresh(_RELOAD)
        if kid not in self._keys:
            await self._refresh(_RELOAD_FOR_UNKNOWN if self._keys else 0)
        key = self._keys.get(kid)
        return key.public if key is not None and self._clock() < key.verifies_until else None

    async def published(self) -> list[Jwk]:
        """Return every public key that a token may carry now or soon."""
        await self.current()
        now = self._clock()
        return [key.jwk() for key in self._keys.values() if now < key.verifies_until]

    def _signing(self, now: float) -> SigningKey | None:
        begun = (key for key in self._keys.values() if key.signs_from <= now)
        return max(begun, key=lambda key: (key.signs_from, key.kid), default=None)

    def _newest_ends(self) -> float:
        return max((key.signs_until for key in self._keys.values()), default=float("-inf"))

    async def _refresh(self, after: float) -> None:
        """Read the rows again unless the last read was less than `after` seconds ago."""
        if self._clock() - self._loaded_at < after:
            return
        async with self._loading:
            if self._clock() - self._loaded_at < after:
                return
            async with self._db.read() as tx:
                self._take(await tx.all(queries.SIGNING_KEYS))

    async def _make(self) -> None:
        """Make the key that is due, unless another node has just made it."""
        async with self._loading:
            async with self._db.transaction() as tx:
                await tx.all(queries.LOCK_SIGNING_KEYS)
                self._take(await tx.all(queries.SIGNING_KEYS))
                now = self._clock()
                if self._newest_ends() - AHEAD > now:
                    return
                await tx.execute(queries.DROP_ENDED_SIGNING_KEYS, now=now - LEEWAY)
                await _add(tx, self._secrets, max(now, self._newest_ends()))
            # After the commit, so that nothing is signed with a key that other nodes can't read.
            async with self._db.read() as tx:
                self._take(await tx.all(queries.SIGNING_KEYS))

    def _take(self, rows: list[Row]) -> None:
        known = self._keys
        self._keys = {}
        for row in rows:
            times = {name: row[name] for name in ("signs_from", "signs_until", "verifies_until")}
            key = known.get(row["id"]) or self._read(row, times)
            if key is not None:
                # The times of a key that is replaced ahead of its time change.
                self._keys[key.kid] = replace(key, **times)
        self._loaded_at = self._clock()

    def _read(self, row: Row, times: Mapping[str, float]) -> SigningKey | None:
        try:
            plain = self._secrets.decrypt(bytes(row["private_key"]))
        except InvalidToken:
            _log.error("a signing key was made with another secret key and is left out", kid=row["id"])
            return None
        private = serialization.load_der_private_key(plain, password=None)
        if not isinstance(private, ec.EllipticCurvePrivateKey):
            raise TypeError(f"the signing key {row['id']} is not an elliptic curve key")
        return SigningKey(row["id"], private, private.public_key(), **times)


async def renew(tx: Transaction, secrets: Secrets, clock: Callable[[], float] = time.time) -> None:
    """Replace the keys, which an earlier secret of the installation could open, once all nodes know the new one.

    The keys before verify for a day more, so that no token ends ahead of its time.
    """
    await tx.all(queries.LOCK_SIGNING_KEYS)
    if not await tx.all(queries.SIGNING_KEYS):
        return
    begins = clock() + _KNOWN_AFTER
    await tx.execute(queries.DROP_COMING_SIGNING_KEYS, begins=begins)
    await tx.execute(queries.END_SIGNING_KEYS, begins=begins, ends=begins + LONGEST_TOKEN + LEEWAY)
    await _add(tx, secrets, begins)


async def _add(tx: Transaction, secrets: Secrets, begins: float) -> None:
    await tx.execute(
        queries.ADD_SIGNING_KEY,
        id=str(uuid_utils.uuid7()),
        private_key=secrets.encrypt(_private_bytes(ec.generate_private_key(ec.SECP256R1()))),
        signs_from=begins,
        signs_until=begins + SIGNS_FOR,
        verifies_until=begins + SIGNS_FOR + LONGEST_TOKEN + LEEWAY,
    )


def _private_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
