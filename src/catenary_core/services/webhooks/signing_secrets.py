"""The forms of a signing secret (guide/webhooks.md, "Make one"; Standard Webhooks 1.0.0, "Signature scheme").

A made one is `whsec_` and 32 random bytes in base64. A given one with `whsec_` is decoded, any other is its UTF-8 bytes.
"""

from __future__ import annotations

import base64
import secrets

from catenary_core.call.errors import DomainError, invalid

PREFIX = "whsec_"
_MADE_BYTES = 32
_DECODED_BYTES = range(24, 65)
_CHARACTERS = range(16, 256)


def make() -> bytes:
    """256 random bits."""
    return secrets.token_bytes(_MADE_BYTES)


def shown(key: bytes) -> str:
    """The `whsec_` form of a key, in which every library of the scheme takes it."""
    return PREFIX + base64.b64encode(key).decode()


def read(text: str, field: str = "secret") -> bytes:
    """The key of a given secret.

    VALIDATION_ERROR unless it is `whsec_` and 24 to 64 bytes in base64, or 16 to 255 other characters. The error never
    shows it.
    """
    if not text.startswith(PREFIX):
        if len(text) not in _CHARACTERS:
            raise _refused(field, f"must have 16 to 255 characters, or be {PREFIX} and 24 to 64 bytes in base64")
        return text.encode()
    key = _decoded(text, field)
    if len(key) not in _DECODED_BYTES:
        raise _refused(field, f"must have 24 to 64 bytes in base64 after {PREFIX}")
    return key


def _decoded(text: str, field: str) -> bytes:
    encoded = text.removeprefix(PREFIX).rstrip("=")
    try:
        # Padding may be left out, as the scheme's own libraries take it.
        return base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
    except ValueError:
        raise _refused(field, f"must have base64 after {PREFIX}, or begin otherwise to be taken as it is") from None


def shown_key(text: str) -> bytes:
    """The key of a secret as a receiver has it: as `read`, but its `whsec_` form may be that of any given secret."""
    if not text.startswith(PREFIX):
        return read(text)
    return _decoded(text, "secret")


def _refused(field: str, problem: str) -> DomainError:
    return invalid(field, f"{field} {problem}", constraint="secret")
