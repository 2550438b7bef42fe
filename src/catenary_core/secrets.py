"""Keys of the installation, derived from one secret (HKDF, RFC 5869), and their uses."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import os
import secrets as random
import tempfile
from collections.abc import Callable
from pathlib import Path

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_FILE = "secret.key"
"""Name of the file with the secret in the data directory."""
_BYTES = 32


class Secrets:
    """The keys derived from the installation's secret; each use has its own key."""

    def __init__(self, secret: bytes) -> None:
        """Derive the keys from 32 random bytes."""
        self._secret = secret
        self._pepper = self._derive("credential pepper")
        self._fernet = Fernet(base64.urlsafe_b64encode(self._derive("encryption at rest")))

    def digest(self, credential: str) -> bytes:
        """Return the HMAC-SHA256 of a random credential (client secret, API key), for storage."""
        return hmac.digest(self._pepper, credential.encode(), hashlib.sha256)

    def encrypt(self, plain: bytes) -> bytes:
        """Encrypt, with authentication, a secret for later reading."""
        return self._fernet.encrypt(plain)

    def decrypt(self, token: bytes) -> bytes:
        """Decrypt a result of `encrypt`.

        Raises:
            cryptography.fernet.InvalidToken: it is no such result.
        """
        return self._fernet.decrypt(token)

    def _derive(self, purpose: str) -> bytes:
        return HKDF(algorithm=SHA256(), length=_BYTES, salt=None, info=f"catenary {purpose}".encode()).derive(
            self._secret
        )


def random_credential() -> str:
    """Return 256 random bits in base64url."""
    return random.token_urlsafe(_BYTES)


def read_secret(text: str) -> bytes:
    """Return the secret from its setting.

    Raises:
        ValueError: the text isn't 32 bytes in base64.
    """
    try:
        secret = base64.b64decode(text, validate=True)
    except ValueError:
        secret = b""
    if len(secret) != _BYTES:
        raise ValueError("CATENARY_SECRET_KEY must be 32 bytes in base64; `openssl rand -base64 32` makes one")
    return secret


def load_or_create_secret(data_dir: Path) -> bytes:
    """Return the secret in the data directory; create it at the first start."""
    return read_secret(
        load_or_create_text(data_dir / KEY_FILE, lambda: base64.b64encode(random.token_bytes(_BYTES)).decode())
    )


def load_or_create_text(path: Path, make: Callable[[], str]) -> str:
    """Return the text of a file, readable by its owner alone; create the file with a new text at the first start.

    Two nodes that start at the same time get the same text.
    """
    if not path.exists():
        # A temporary file with a unique name, readable by the owner alone; after a crash, a leftover does no harm.
        descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
        try:
            with os.fdopen(descriptor, "w") as file:
                file.write(make())
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileExistsError):
                os.link(draft, path)
        finally:
            Path(draft).unlink()
        # Every credential is worthless without the secret: its directory entry must survive a power cut too.
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return path.read_text()
