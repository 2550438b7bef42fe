"""The header Idempotency-Key on its way to the core, which keeps the answers (guide/conventions.md, "Idempotency-Key")."""

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
PATTERN = r"^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$"
"""Printable ASCII; HTTP strips blanks around a header."""
REASONS = frozenset({"IDEMPOTENCY_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"})
"""Why a key that is one can be refused."""
NOT_KEPT = frozenset({401, 403, 408, 413, 415, 429})
"""Refusals under 500 that the core keeps no answer of: they come before it looks at the key."""

_KEY = re.compile(PATTERN)


def takes_key(route: Route) -> bool:
    """Whether requests to the route may have a key: those of POST with a caller. On others it is ignored."""
    return route.method == "POST" and not route.public and not route.rpc.server_streaming


def metadata(route: Route, segments: Sequence[str], headers: CIMultiDictProxy[str]) -> dict[str, str]:
    """What the core is told of a request's key: the key, and the path that it came on. Raises 400 for one that is none.

    `segments` are the path's variables, of which a digest is told: metadata has little room.
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
        raise Fault("stands twice; send one key", "duplicate")
    key = values[0]
    if not 0 < len(key) <= MAX_LENGTH:
        raise Fault(f"must have 1 to {MAX_LENGTH} characters", "length")
    if not _KEY.fullmatch(key):
        raise Fault("must have printable ASCII characters alone", "characters")
    return key
