"""The installation's secret, the root keys that it locks, and the keys derived from them (HKDF, RFC 5869).

The root keys stand in the database, encrypted under each valid secret (`keyring`), so that the secret can change while
all that was issued goes on.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import os
import secrets as random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import orjson
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_FILE = "secret.key"
"""Name of the file with the secret in the data directory."""
_BYTES = 32


@dataclass(frozen=True, slots=True)
class RootPair:
    """The root keys that a retirement replaces."""

    encryption: bytes
    """Key of what is encrypted at rest."""
    fingerprint: bytes
    """Key of the fingerprints of requests, which are kept for a day, and of the signatures of the audit trail."""

    @classmethod
    def random(cls) -> Self:
        """Make a pair of random keys."""
        return cls(random.token_bytes(_BYTES), random.token_bytes(_BYTES))


@dataclass(frozen=True, slots=True)
class Roots:
    """The root keys of an installation."""

    pepper: bytes
    """Key of the digests of credentials, which can't be made anew: nobody but their holders knows the credentials."""
    pairs: tuple[RootPair, ...]
    """The pair in use, and after it the earlier ones, which only read."""
    coming: RootPair | None = None
    """The pair that the next retirement takes into use; until then it only reads."""

    @classmethod
    def random(cls) -> Self:
        """Make the root keys of a new installation."""
        return cls(random.token_bytes(_BYTES), (RootPair.random(),))

    @classmethod
    def derived(cls, secret: bytes) -> Self:
        """Return the root keys of an installation of an older release, which follow from its secret."""
        pepper = _derive(secret, "credential pepper")
        return cls(pepper, (RootPair(_derive(secret, "encryption at rest"), pepper),))

    def with_coming(self) -> Self:
        """Return the root keys with a new pair that only reads."""
        return replace(self, coming=RootPair.random())

    def renewed(self) -> Self:
        """Return the root keys with the coming pair in use."""
        return self if self.coming is None else replace(self, pairs=(self.coming, *self.pairs), coming=None)

    def to_bytes(self) -> bytes:
        """Return the form in which the keys are encrypted."""
        pairs = [_text(pair.encryption, pair.fingerprint) for pair in self.pairs]
        coming = None if self.coming is None else _text(self.coming.encryption, self.coming.fingerprint)
        return orjson.dumps({"pepper": _text(self.pepper), "pairs": pairs, "coming": coming})

    @classmethod
    def from_bytes(cls, text: bytes) -> Self:
        """Read a result of `to_bytes`."""
        found = orjson.loads(text)
        coming = found["coming"]
        return cls(
            bytes.fromhex(found["pepper"][0]),
            tuple(RootPair(*map(bytes.fromhex, pair)) for pair in found["pairs"]),
            None if coming is None else RootPair(*map(bytes.fromhex, coming)),
        )


class SecretLock:
    """The encryption of the root keys under one secret of the installation."""

    def __init__(self, secret: bytes) -> None:
        """Derive the lock's key and name from 32 random bytes."""
        self.name = _derive(secret, "name of the secret")[:8].hex()
        """Name of the secret in the database and in sentences, from which nobody learns the secret."""
        self._fernet = _fernet(_derive(secret, "lock of the root keys"))

    def close(self, roots: Roots) -> bytes:
        """Encrypt root keys."""
        return self._fernet.encrypt(roots.to_bytes())

    def open(self, locked: bytes) -> Roots:
        """Decrypt root keys.

        Raises:
            cryptography.fernet.InvalidToken: another secret has locked them.
        """
        return Roots.from_bytes(self._fernet.decrypt(locked))


class Secrets:
    """The keys of the installation; each use has its own key."""

    def __init__(self, roots: Roots) -> None:
        """Take the root keys into use."""
        self.take(roots)

    def take(self, roots: Roots) -> None:
        """Replace the root keys in use, as a rotation has changed them."""
        reading = roots.pairs if roots.coming is None else (*roots.pairs, roots.coming)
        self._pepper = roots.pepper
        self._newest = _fernet(reading[0].encryption)
        self._fernet = MultiFernet([_fernet(pair.encryption) for pair in reading])
        self._fingerprints = [pair.fingerprint for pair in reading]

    def digest(self, credential: str) -> bytes:
        """Return the HMAC-SHA256 of a random credential (client secret, API key), for storage."""
        return _hmac(self._pepper, credential)

    def fingerprint(self, text: str) -> bytes:
        """Return the HMAC-SHA256 of a text that may be guessed, for comparisons within a day."""
        return _hmac(self._fingerprints[0], text)

    def has_fingerprint(self, text: str, stored: bytes) -> bool:
        """Return whether a stored fingerprint is the text's, also one from before a change of the secret."""
        return any(hmac.compare_digest(_hmac(key, text), stored) for key in self._fingerprints)

    def encrypt(self, plain: bytes) -> bytes:
        """Encrypt, with authentication, a secret for later reading."""
        return self._newest.encrypt(plain)

    def decrypt(self, token: bytes) -> bytes:
        """Decrypt a result of `encrypt`.

        Raises:
            cryptography.fernet.InvalidToken: it is no such result.
        """
        return self._fernet.decrypt(token)

    def encrypted_anew(self, token: bytes) -> bytes | None:
        """Return a result of `encrypt` under the key now in use; None if it is so already, or can't be read."""
        try:
            self._newest.decrypt(token)
        except InvalidToken:
            with contextlib.suppress(InvalidToken):
                return self.encrypt(self.decrypt(token))
        return None

    def sign(self, purpose: str, content: bytes) -> bytes:
        """Return the HMAC-SHA256 of a content by the key of its purpose, for what only this installation may vouch for."""
        return hmac.digest(_derive(self._fingerprints[0], purpose), content, hashlib.sha256)

    def is_signed(self, purpose: str, content: bytes, signature: bytes) -> bool:
        """Return whether a signature is this installation's, also one from before a change of the secret."""
        signatures = (hmac.digest(_derive(key, purpose), content, hashlib.sha256) for key in self._fingerprints)
        return any(hmac.compare_digest(one, signature) for one in signatures)


def _fernet(key: bytes) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(key))


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), hashlib.sha256)


def _text(*keys: bytes) -> list[str]:
    return [key.hex() for key in keys]


def _derive(secret: bytes, purpose: str) -> bytes:
    return HKDF(algorithm=SHA256(), length=_BYTES, salt=None, info=f"catenary {purpose}".encode()).derive(secret)


def random_credential() -> str:
    """Return 256 random bits in base64url."""
    return random.token_urlsafe(_BYTES)


INVITATION_PREFIX = "cat_invite_"
"""Prefix of the token of every invitation."""
SESSION_PREFIX = "cat_session_"
"""Prefix of every refresh token of a session."""
SIGN_IN_PREFIX = "cat_sign_in_"
"""Prefix of the token of every sign-in link."""
SHARE_PREFIX = "cat_share_"
"""Prefix of the token of every share link."""


def random_share_token() -> str:
    """Return a new token of a share link: the prefix and 256 random bits."""
    return SHARE_PREFIX + random_credential()


def random_invitation_token() -> str:
    """Return a new token of an invitation: the prefix and 256 random bits."""
    return INVITATION_PREFIX + random_credential()


def random_session_token() -> str:
    """Return a new refresh token of a session: the prefix and 256 random bits."""
    return SESSION_PREFIX + random_credential()


def random_sign_in_token() -> str:
    """Return a new token of a sign-in link: the prefix and 256 random bits."""
    return SIGN_IN_PREFIX + random_credential()


def random_secret() -> bytes:
    """Return a new secret for an installation."""
    return random.token_bytes(_BYTES)


def secret_text(secret: bytes) -> str:
    """Return a secret as its setting and its file have it."""
    return base64.b64encode(secret).decode()


def read_secret(text: str, name: str = "CATENARY_SECRET_KEY") -> bytes:
    """Return the secret from its setting.

    Args:
        text: the setting's value.
        name: name of the setting, or of the file that the text comes from.

    Raises:
        ValueError: the text isn't 32 bytes in base64.
    """
    try:
        secret = base64.b64decode(text, validate=True)
    except ValueError:
        secret = b""
    if len(secret) != _BYTES:
        raise ValueError(f"{name} must be 32 bytes in base64; `openssl rand -base64 32` makes one")
    return secret


def load_or_create_secret(data_dir: Path) -> bytes:
    """Return the secret in the data directory; create it at the first start."""
    return read_secret(load_or_create_text(data_dir / KEY_FILE, lambda: secret_text(random_secret())))


def load_or_create_text(path: Path, make: Callable[[], str]) -> str:
    """Return the text of a file, readable by its owner alone; create the file with a new text at the first start.

    Two nodes that start at the same time get the same text.
    """
    if not path.exists():
        draft = write_draft(path, make())
        try:
            with contextlib.suppress(FileExistsError):
                os.link(draft, path)
        finally:
            draft.unlink()
        sync_folder(path.parent)
    return path.read_text()


def write_draft(path: Path, text: str) -> Path:
    """Write a text beside the path that it is for, readable by its owner alone, and return where.

    The name is unique; after a crash, a leftover does no harm.
    """
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        Path(draft).unlink()
        raise
    return Path(draft)


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk: every credential is worthless without the secret, also after a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
