"""The header Idempotency-Key on its way to the core, which stores the responses.

See guide/conventions.md, "Idempotency-Key".
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import unquote

from catenary_edge.errors.fault import Fault
from catenary_edge.transcoding.routes import Route

if TYPE_CHECKING:
    from multidict import CIMultiDictProxy

HEADER = "Idempotency-Key"
MAX_LENGTH = 255
"""Longest key in characters."""
PATTERN = r"^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$"
"""Printable ASCII; HTTP strips blanks around a header."""
REASONS = frozenset({"IDEMPOTENCY_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"})
"""Reasons to refuse a request with a valid key."""
NOT_STORED = frozenset({401, 403, 408, 413, 415, 429})
"""Statuses below 500 of refusals before the key is looked at; the core stores no response for them."""

_KEY = re.compile(PATTERN)


def takes_key(route: Route) -> bool:
    """Tell whether the route honours a key: a POST with a caller. Other routes ignore the header."""
    return route.method == "POST" and not route.public and not route.rpc.server_streaming


def metadata(route: Route, segments: Sequence[str], headers: CIMultiDictProxy[str]) -> dict[str, str]:
    """Return the request's key and its route as metadata for the core; {} without a key.

    `segments` are the raw values of the path's variables. The metadata carries only a digest of them, since its room is
    limited.

    Raises:
        Problem: 400 for an invalid key.
    """
    if HEADER not in headers or not takes_key(route):
        return {}
    try:
        key = _read(headers.getall(HEADER))
    except Fault as fault:
        raise fault.inside(HEADER).problem() from None
    where = f"{route.method} {route.template.text}"
    if segments:
        text = "/".join(map(unquote, segments)).lower()
        where += " " + hashlib.blake2b(text.encode(errors="replace"), digest_size=16).hexdigest()
    return {HEADER.lower(): key, "catenary-route": where}


def _read(values: list[str]) -> str:
    if len(values) > 1:
        raise Fault("stands twice; send one key", "duplicate", ", ".join(values))
    key = values[0]
    if not 0 < len(key) <= MAX_LENGTH:
        raise Fault("must have 1 to {most} characters", "length", key, most=MAX_LENGTH)
    if not _KEY.fullmatch(key):
        raise Fault("must have printable ASCII characters alone", "characters", key)
    return key
