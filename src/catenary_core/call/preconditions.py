"""If-Match: a write of one object that takes place only while the object is as its caller knows it.

RFC 9110, section 13.1.1; guide/conventions.md, "Caching and conditions". The tag of an object is a hash of its message
as the caller sees it: it changes with everything that the answer shows, and two callers who see the same have the same
tag. The dispatcher sends it as `etag` with the answers of methods that read, make or change one object. A write
compares the tags of `if-match` while it holds the row (`check`), so that of any number of writers who know the same
version one wins.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import orjson

from catenary_core.call.call import Call, Condition
from catenary_core.call.errors import DomainError, invalid
from catenary_core.call.methods import Binding

KEY = "if-match"
FIELD = "If-Match"
_WRITES_ONE = frozenset({"patch", "put", "delete"})
_LIST = re.compile(r'\s*(?:(?:W/)?"[\x21\x23-\x7e]*"\s*(?:,\s*|$))+')
_TAG = re.compile(r'(W/)?"([\x21\x23-\x7e]*)"')


def condition_of(binding: Binding, metadata: Mapping[str, str]) -> Condition | None:
    """The condition of a call. VALIDATION_ERROR for one that is malformed, or that the method can't keep.

    Data services compare strongly, so that a weak tag never matches; the platform's tags are weak and compared so. What a tag has
    after a `-` was added by the edge that the answer came through (its content coding, for one), and doesn't count.
    """
    text = metadata.get(KEY)
    if text is None or binding.reads:
        return None
    if binding.object_field is None or binding.verb not in _WRITES_ONE:
        message = (
            f"{FIELD} is taken where one object is changed, replaced or deleted; this method does not; leave it out."
        )
        raise invalid(FIELD, message, constraint="not_taken")
    if text.strip() == "*":
        return Condition(None)
    if not _LIST.fullmatch(text):
        raise invalid(FIELD, f"{FIELD} must be * or ETags in quotes, separated by commas.", constraint="etag")
    found = _TAG.findall(text)
    return Condition(frozenset(tag.partition("-")[0] for weak, tag in found if not weak or _is_weak(binding)))


def check(call: Call, message: Mapping[str, Any] | None) -> None:
    """PRECONDITION_FAILED unless the object is as the call's If-Match wants it; None: there is no such object.

    The caller of this holds the object's row until the end of its transaction.
    """
    condition, call.condition = call.condition, None  # once: the caller's own change doesn't break it
    if condition is None:
        return
    if message is None:
        raise DomainError("PRECONDITION_FAILED", f"{FIELD} names a version, and there is no such object now.")
    if condition.tags is not None and _digest(message) not in condition.tags:
        raise DomainError(
            "PRECONDITION_FAILED", f"The object is not as {FIELD} says; read it again and apply the change."
        )


def tag_of(binding: Binding, body: Mapping[str, Any]) -> str | None:
    """The entity tag of an answer with one object; None for other answers, without the object, and when it is now deleted."""
    if binding.object_field is None or binding.verb == "delete" or (binding.verb == "post" and not _is_made(binding)):
        return None
    if body[binding.object_field] is None:
        return None
    tag = f'"{_digest(body[binding.object_field])}"'
    return f"W/{tag}" if _is_weak(binding) else tag


def _is_made(binding: Binding) -> bool:
    return binding.options.success == 201


def _is_weak(binding: Binding) -> bool:
    return binding.surface == "platform"


_MOVING = frozenset({"last_used_at"})
"""Fields that move without a change of the object."""


def _digest(message: Mapping[str, Any]) -> str:
    message = {name: value for name, value in message.items() if name not in _MOVING}
    return hashlib.blake2b(orjson.dumps(message), digest_size=16).hexdigest()
