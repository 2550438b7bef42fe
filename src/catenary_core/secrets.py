"""Keys of the installation, derived from one secret (HKDF, RFC 5869), and what is done with them."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import os
import secrets as random
import tempfile
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
    except ValueError:
        secret = b""
    if len(secret) != _BYTES:
        raise ValueError("CATENARY_SECRET_KEY must be 32 bytes in base64; `openssl rand -base64 32` makes one")
    return secret


def kept_secret(data_dir: Path) -> bytes:
    """The secret in the data directory, made at the first start; two nodes that start together get the same."""
    path = data_dir / KEY_FILE
    if not path.exists():
        # A name of its own, open to the owner alone: a draft that a crash left behind stands in nobody's way.
        descriptor, draft = tempfile.mkstemp(dir=data_dir, prefix=f"{KEY_FILE}.")
        try:
            with os.fdopen(descriptor, "w") as file:
                file.write(base64.b64encode(random.token_bytes(_BYTES)).decode())
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileExistsError):
                os.link(draft, path)
        finally:
            Path(draft).unlink()
        # Every credential is worth nothing without it: its name is to outlive a power cut as well.
        folder = os.open(data_dir, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return read_secret(path.read_text())
