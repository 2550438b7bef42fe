"""The forms of a signing secret (guide/webhooks.md, "Make one"; Standard Webhooks 1.0.0, "Signature scheme").

A generated secret is `whsec_` and 32 random bytes in base64. Of a given secret with `whsec_` the base64 is decoded; the
key of any other is its UTF-8 bytes.
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
    """Generate a key of 256 random bits."""
    return secrets.token_bytes(_MADE_BYTES)


def shown(key: bytes) -> str:
    """Return the `whsec_` form of a key, which every library of the scheme accepts."""
    return PREFIX + base64.b64encode(key).decode()


def read(text: str, field: str = "secret") -> bytes:
    """Return the key of a given secret.

    Raises VALIDATION_ERROR, without the secret: the text is neither `whsec_` and 24 to 64 bytes in base64, nor 16 to
    255 other characters.
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
        # Padding may be absent, as in the scheme's own libraries.
        return base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
    except ValueError:
        raise _refused(field, f"must have base64 after {PREFIX}, or begin otherwise to be taken as it is") from None


def shown_key(text: str) -> bytes:
    """Return the key of a secret as a receiver has it.

    As `read`, but the `whsec_` form may have the length of any given secret.
    """
    if not text.startswith(PREFIX):
        return read(text)
    return _decoded(text, "secret")


def _refused(field: str, problem: str) -> DomainError:
    return invalid(field, "{field} {problem}", value=None, constraint="secret", problem=problem)
