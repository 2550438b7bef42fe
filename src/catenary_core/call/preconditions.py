"""Preconditions: If-Match makes a write take place only while the object is in the version that the caller knows.

RFC 9110, section 13.1.1; guide/conventions.md, "Caching and conditions". An object's entity tag is a hash of its
message as the caller sees it: it changes with everything that the response shows, and two callers who see the same get
the same tag. The dispatcher sends the tag as `etag` with the responses of methods that read, create or change one
object. A write compares the tags of `if-match` while it holds the row lock (`check`), so of several writers who know
the same version exactly one succeeds.
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
"""Name of the header in a call's metadata."""
FIELD = "If-Match"
"""Name of the header in error messages."""
_WRITES_ONE = frozenset({"patch", "put", "delete"})
_LIST = re.compile(r'\s*(?:(?:W/)?"[\x21\x23-\x7e]*"\s*(?:,\s*|$))+')
_TAG = re.compile(r'(W/)?"([\x21\x23-\x7e]*)"')


def condition_of(binding: Binding, metadata: Mapping[str, str]) -> Condition | None:
    """Return the condition of a call, None without one.

    Data services compare strongly, so a weak tag never matches; the platform's tags are weak and compared weakly. The
    part of a tag after `-` was added by the edge through which the response came (such as its content encoding) and is
    ignored.

    Raises VALIDATION_ERROR: the header is malformed, or the method does not write one object.
    """
    text = metadata.get(KEY)
    if text is None or binding.reads:
        return None
    if binding.object_field is None or binding.verb not in _WRITES_ONE:
        raise invalid(
            FIELD,
            "{field} is taken where one object is changed, replaced or deleted; this method does not; leave it out.",
            value=text,
            constraint="not_taken",
        )
    if text.strip() == "*":
        return Condition(None)
    if not _LIST.fullmatch(text):
        raise invalid(
            FIELD, "{field} must be * or ETags in quotes, separated by commas.", value=text, constraint="etag"
        )
    found = _TAG.findall(text)
    return Condition(frozenset(tag.partition("-")[0] for weak, tag in found if not weak or _is_weak(binding)))


def check(call: Call, message: Mapping[str, Any] | None) -> None:
    """Compare the object with the call's If-Match.

    The caller must hold the object's row lock until the end of its transaction.

    Args:
        call: the call; its condition is removed.
        message: the object as the caller sees it; None if there is no such object.

    Raises PRECONDITION_FAILED: the object has another version, or does not exist.
    """
    condition, call.condition = call.condition, None  # compare once: the call's own change must not fail it
    if condition is None:
        return
    if message is None:
        raise DomainError("PRECONDITION_FAILED", f"{FIELD} names a version, and there is no such object now.")
    if condition.tags is not None and _digest(message) not in condition.tags:
        raise DomainError(
            "PRECONDITION_FAILED", f"The object is not as {FIELD} says; read it again and apply the change."
        )


def tag_of(binding: Binding, body: Mapping[str, Any]) -> str | None:
    """Return the entity tag of a response with one object.

    None for all other responses, for an empty one, and after a deletion.
    """
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


_UNTAGGED_FIELDS = frozenset({"last_used_at"})
"""Fields that change without a change of the object."""


def _digest(message: Mapping[str, Any]) -> str:
    message = {name: value for name, value in message.items() if name not in _UNTAGGED_FIELDS}
    return hashlib.sha256(orjson.dumps(message)).hexdigest()[:32]
