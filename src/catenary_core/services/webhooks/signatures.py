"""Signatures of webhooks: the Standard Webhooks scheme (standardwebhooks.com, specification 1.0.0, "Signature scheme").

What is signed is `webhook-id`, `webhook-timestamp` and the body with dots between them, by HMAC-SHA256; the header has one
`v1,<base64>` for each secret that holds, with spaces between them.
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
"""How far a receiver's clock may be from the sender's; older messages may be replays."""
_VERSION = "v1"


class SignatureError(ValueError):
    """A message that isn't to be believed; its text says why."""


def headers(secrets: Sequence[bytes], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The three headers of a message.

    `secrets`: keys that sign it, the current one first; ValueError without any. `message_id` stays the same when the
    message is sent again, so that receivers know it; `timestamp`: Unix seconds of this attempt.
    """
    if not secrets:
        raise ValueError("a message is signed by at least one secret")
    signed = " ".join(f"{_VERSION},{_signature(secret, message_id, timestamp, body)}" for secret in secrets)
    return {ID: message_id, TIMESTAMP: str(timestamp), SIGNATURE: signed}


def verify(secret: bytes, received: Mapping[str, str], body: bytes, now: float | None = None) -> None:
    """SignatureError unless the message is whole, signed with the secret and at most five minutes old or early.

    `received` has its header names in lower case, or finds them in any; `now`: Unix seconds, by default the clock's.
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
    # Headers may hold any bytes; servers show those that are no UTF-8 in this way.
    start = f"{message_id}.{timestamp}.".encode(errors="surrogateescape")
    digest = hmac.digest(secret, start + body, hashlib.sha256)
    return binascii.b2a_base64(digest, newline=False).decode()
