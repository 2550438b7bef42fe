"""Conditional requests (RFC 9110, section 13; guide/conventions.md, "Caching and conditions").

Entity tags of data services are strong, those of the platform weak. A strong tag ends with the content encoding of the
response (`"…-gzip"`), since its bytes differ from those of other encodings; conditions ignore that suffix. A tag is
hexadecimal. If-Match of a write goes to the core, which compares it under the row's lock.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from catenary_edge.errors.fault import shortened
from catenary_edge.errors.problem import refusal
from catenary_edge.http.content_encoding import CODINGS
from catenary_edge.surfaces.platform import Platform
from catenary_edge.transcoding.routes import Route

if TYPE_CHECKING:
    from multidict import CIMultiDictProxy

TAGS = r'^(\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$'
"""Pattern of If-Match for the OpenAPI documents (RFC 9110, section 13.1.1)."""
MAX_LENGTH = 1024
"""Longest If-Match in characters: gRPC metadata has room for 8 KiB in all."""
_PRINTABLE = re.compile(r"[\x20-\x7e]+")
_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_STRONG = re.compile(r'(?<!W/)"([^"]*)"')
_SUFFIXES = tuple(f"-{name}" for name in CODINGS)


def taken(route: Route) -> tuple[str, ...]:
    """Return the names of the conditions that requests to the route may have."""
    if route.has_etag:
        return ("If-None-Match", "If-Match")
    return ("If-Match",) if route.takes_if_match else ()


def metadata(route: Route, headers: CIMultiDictProxy[str]) -> dict[str, str]:
    """Return the condition of a write as metadata for the core; {} without one.

    Raises:
        Problem: 400 for If-None-Match on a write, and for an invalid If-Match.
    """
    if route.method == "GET":
        return {}
    if "If-None-Match" in headers:
        raise refusal(
            "VALIDATION_ERROR",
            "If-None-Match is taken with GET and HEAD only; a write takes If-Match.",
            parameter="If-None-Match",
            value=shortened(", ".join(headers.getall("If-None-Match"))),
            constraint="not_taken",
        )
    if "If-Match" not in headers:
        return {}
    text = ", ".join(headers.getall("If-Match")).strip()
    if len(text) > MAX_LENGTH or not _PRINTABLE.fullmatch(text):
        message = f"If-Match must have 1 to {MAX_LENGTH} printable ASCII characters."
        raise refusal("VALIDATION_ERROR", message, parameter="If-Match", value=shortened(text), constraint="etag")
    return {"if-match": text}


def tag_of(route: Route, *parts: bytes) -> str:
    """Hash the content of a GET response to an entity tag, for methods without a tag of their own."""
    digest = hashlib.sha256()  # OpenSSL's is faster than BLAKE2 where the processor has instructions for it
    for part in parts:
        digest.update(part)
    tag = f'"{digest.hexdigest()[:32]}"'
    return f"W/{tag}" if isinstance(route.surface, Platform) else tag


def of_view(tag: str, payload: bytes) -> str:
    """Extend the core's tag of an object by a hash of its older form in `payload`.

    The tag changes with the whole object, also with fields that the older version lacks. The core compares only the
    text before the `-`, so the tag works in If-Match as well.
    """
    return f'{tag[:-1]}-{hashlib.sha256(payload).hexdigest()[:16]}"'


def with_coding(tag: str, coding: str) -> str:
    """Return the tag of the same content in a content encoding; a weak tag is the same for all encodings."""
    return f'{tag[:-1]}-{coding}"' if coding and not tag.startswith("W/") else tag


def is_known(headers: CIMultiDictProxy[str], tag: str) -> bool:
    """Tell whether If-None-Match has the tag (weak comparison) or `*`: the caller already has the response."""
    values = headers.getall("If-None-Match", ())
    if not values:
        return False
    text = ", ".join(values).strip()
    return text == "*" or _bare(tag) in {_without_coding(found) for found in _TAG.findall(text)}


def is_only_condition(headers: CIMultiDictProxy[str], tag: str) -> bool:
    """Tell whether If-None-Match names the tag itself and is the only condition."""
    alone = "If-Match" not in headers and headers.get("If-None-Match", "").strip() != "*"
    return alone and is_known(headers, tag)


def check_read(headers: CIMultiDictProxy[str], tag: str) -> None:
    """Check If-Match of a GET, by strong comparison; weak on the platform, since all its tags are weak.

    Raises:
        Problem: 412 when If-Match lacks the tag.
    """
    values = headers.getall("If-Match", ())
    if not values:
        return
    text = ", ".join(values).strip()
    found = (_TAG if tag.startswith("W/") else _STRONG).findall(text)
    if text != "*" and _bare(tag) not in {_without_coding(one) for one in found}:
        raise refusal(
            "PRECONDITION_FAILED", "What is asked for is not as If-Match says; read it without the condition."
        )


def _bare(tag: str) -> str:
    return tag.removeprefix("W/").strip('"')


def _without_coding(tag: str) -> str:
    return next((tag.removesuffix(suffix) for suffix in _SUFFIXES if tag.endswith(suffix)), tag)
