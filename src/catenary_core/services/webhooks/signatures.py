"""Signatures of webhooks: the Standard Webhooks scheme (standardwebhooks.com, specification 1.0.0, "Signature scheme").

HMAC-SHA256 signs `webhook-id`, `webhook-timestamp` and the body, with dots between them. The header has one
`v1,<base64>` for each valid secret, with spaces between them.
"""

from __future__ import annotations

import binascii
import hashlib
import hmac
import time
from collections.abc import Mapping, Sequence

ID = "webhook-id"
TIMESTAMP = "webhook-timestamp"
SIGNATURE = "webhook-signature"
TOLERANCE_SECONDS = 300
"""Maximum difference between the receiver's and the sender's clock; older messages may be replays."""
_VERSION = "v1"


class SignatureError(ValueError):
    """Raised for a message that must not be trusted; the text gives the reason."""


def headers(secrets: Sequence[bytes], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Build the three headers of a message.

    Args:
        secrets: the keys that sign the message, the current one first.
        message_id: stays the same when the message is sent again, so that receivers recognize it.
        timestamp: Unix seconds of this attempt.
        body: the body as sent.

    Raises:
        ValueError: there is no secret.
    """
    if not secrets:
        raise ValueError("a message is signed by at least one secret")
    signed = " ".join(f"{_VERSION},{_signature(secret, message_id, timestamp, body)}" for secret in secrets)
    return {ID: message_id, TIMESTAMP: str(timestamp), SIGNATURE: signed}


def verify(secret: bytes, received: Mapping[str, str], body: bytes, now: float | None = None) -> None:
    """Check that a message is complete, signed with the secret, and at most five minutes old or early.

    Args:
        secret: the receiver's key.
        received: the headers, with names in lower case or with case-insensitive look-up.
        body: the body as received.
        now: Unix seconds, by default the clock's.

    Raises:
        SignatureError: the message isn't.
    """
    for name in (ID, TIMESTAMP, SIGNATURE):
        if not received.get(name):
            raise SignatureError(f"the header {name} is missing")
    sent = received[TIMESTAMP]
    if not (sent.isascii() and sent.isdecimal() and len(sent) <= 12):
        raise SignatureError(f"{TIMESTAMP} is not a number of Unix seconds")
    age = (time.time() if now is None else now) - int(sent)
    if abs(age) > TOLERANCE_SECONDS:
        raise SignatureError(f"the message is {abs(age):.0f} s {'old' if age > 0 else 'early'}; 300 s are allowed")
    expected = _signature(secret, received[ID], int(sent), body).encode()
    for one in received[SIGNATURE].split(" "):
        version, _, signature = one.partition(",")
        if version == _VERSION and hmac.compare_digest(expected, signature.encode(errors="replace")):
            return
    raise SignatureError("no signature is made with this secret over this body")


def _signature(secret: bytes, message_id: str, timestamp: int, body: bytes) -> str:
    # Headers may contain any bytes; servers represent bytes that aren't UTF-8 in this way.
    start = f"{message_id}.{timestamp}.".encode(errors="surrogateescape")
    digest = hmac.digest(secret, start + body, hashlib.sha256)
    return binascii.b2a_base64(digest, newline=False).decode()
