"""Keys of the installation, derived from one secret (HKDF, RFC 5869), and what is done with them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import secrets as random
from pathlib import Path

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_FILE = "secret.key"
_BYTES = 32


class Secrets:
    """Everything that is made from the installation's secret; each use has a key of its own."""

    def __init__(self, secret: bytes) -> None:
        """`secret`: 32 random bytes."""
        self._secret = secret
        self._pepper = self._derive("credential pepper")
        self._fernet = Fernet(base64.urlsafe_b64encode(self._derive("encryption at rest")))
        self.worker_token = base64.urlsafe_b64encode(self._derive("worker token")).decode().rstrip("=")

    def digest(self, credential: str) -> bytes:
        """HMAC-SHA256 of a random credential (client secret, API key), as it is stored."""
        return hmac.digest(self._pepper, credential.encode(), hashlib.sha256)

    def encrypt(self, plain: bytes) -> bytes:
        """Authenticated encryption for secrets that must be read again."""
        return self._fernet.encrypt(plain)

    def decrypt(self, token: bytes) -> bytes:
        """What `encrypt` was given; cryptography.fernet.InvalidToken for anything else."""
        return self._fernet.decrypt(token)

    def _derive(self, purpose: str) -> bytes:
        return HKDF(algorithm=SHA256(), length=_BYTES, salt=None, info=f"catenary {purpose}".encode()).derive(
            self._secret
        )


def random_credential() -> str:
    """256 random bits in base64url."""
    return random.token_urlsafe(_BYTES)


def read_secret(text: str) -> bytes:
    """The secret from its setting; ValueError unless it is 32 bytes in base64."""
    try:
        secret = base64.b64decode(text, validate=True)
    except binascii.Error:
        secret = b""
    if len(secret) != _BYTES:
        raise ValueError("CATENARY_SECRET_KEY must be 32 bytes in base64; `openssl rand -base64 32` makes one")
    return secret


def kept_secret(data_dir: Path) -> bytes:
    """The secret in the data directory, made at the first start; two nodes that start together get the same."""
    path = data_dir / KEY_FILE
    if not path.exists():
        draft = path.with_suffix(f".{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(base64.b64encode(random.token_bytes(_BYTES)).decode())
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return read_secret(path.read_text())
