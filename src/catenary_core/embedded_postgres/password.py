"""The password of the embedded server: random, made once, kept in the data directory for its owner alone."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
import tempfile
from pathlib import Path

from catenary_core.embedded_postgres.installation import EmbeddedPostgresError

USER = "catenary"
"""Name of the superuser, and of the role that Catenary uses."""
PASSWORD_FILE = "pg.pass"  # noqa: S105 (a file's name)
"""Name of the file in the data directory, in the form that ``PGPASSFILE`` names."""
RULES = """\
# Written by Catenary at each start. The server listens on its private socket only.
local all all scram-sha-256
local replication all scram-sha-256
"""
"""Content of the server's ``pg_hba.conf``."""
_BEGIN = f"*:*:*:{USER}:"
_ROUNDS = 1  # more make guessing slow, and each connection too; 256 random bits can't be guessed


def known(data_dir: Path) -> str | None:
    """Return the password of a data directory; None if it has none yet.

    Raises:
        EmbeddedPostgresError: the file is damaged.
    """
    path = data_dir / PASSWORD_FILE
    try:
        text = path.read_text(errors="replace")
    except FileNotFoundError:
        return None
    password = text.removeprefix(_BEGIN).strip()
    if not text.startswith(_BEGIN) or not password:
        raise EmbeddedPostgresError(
            f"{path} holds no password of the server: stop all servers of the data directory, remove the file and "
            "start again; the start makes a new one."
        )
    return password


def known_or_new(data_dir: Path) -> str:
    """Return the password of a data directory; make it if there is none. The caller holds ``start.lock``."""
    if (password := known(data_dir)) is not None:
        return password
    password = secrets.token_urlsafe(32)
    descriptor, draft = tempfile.mkstemp(dir=data_dir, prefix=f"{PASSWORD_FILE}.")
    with os.fdopen(descriptor, "w") as file:
        file.write(f"{_BEGIN}{password}\n")
        file.flush()
        os.fsync(file.fileno())
    Path(draft).replace(data_dir / PASSWORD_FILE)
    return password


def verifier(password: str) -> str:
    """Return what the server stores in place of a password, for SCRAM-SHA-256 (RFC 5803)."""
    salt = secrets.token_bytes(16)
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, _ROUNDS)
    client = hmac.digest(salted, b"Client Key", "sha256")
    keys = hashlib.sha256(client).digest(), hmac.digest(salted, b"Server Key", "sha256")
    salt_text, stored, server = (base64.b64encode(part).decode() for part in (salt, *keys))
    return f"SCRAM-SHA-256${_ROUNDS}:{salt_text}${stored}:{server}"
