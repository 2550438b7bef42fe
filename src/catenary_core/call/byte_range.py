"""Byte ranges (RFC 9110, section 14) and the If-Range condition on them (section 13.1.5)."""

from __future__ import annotations

import re

from catenary_core.call.errors import DomainError

_RANGE = re.compile(r"bytes=(?P<first>\d{1,18})?-(?P<last>\d{1,18})?", re.ASCII | re.IGNORECASE)


def parse(header: str, size: int) -> tuple[int, int] | None:
    """Return the first byte and the number of bytes that a Range header asks for.

    Args:
        header: value of the header, empty without one.
        size: size of the content in bytes.

    Returns:
        None for the whole content: the header is empty or malformed, has another unit or several ranges. A server may
            ignore all of these (section 14.2).

    Raises RANGE_NOT_SATISFIABLE: the range is outside the content.
    """
    match = _RANGE.fullmatch(header.strip())
    if match is None or (match["first"] is None and match["last"] is None):
        return None
    if match["first"] is None:
        first, last = max(0, size - int(match["last"])), size - 1
        outside = int(match["last"]) == 0
    else:
        first, last = int(match["first"]), size - 1 if match["last"] is None else min(int(match["last"]), size - 1)
        if match["last"] is not None and int(match["last"]) < first:
            return None
        outside = first >= size
    if outside:
        raise DomainError(
            "RANGE_NOT_SATISFIABLE", f"The content has {size} bytes; ask for a range inside it.", details={"size": size}
        )
    return first, last - first + 1


def reply_headers(
    header: str, if_range: str, *, size: int, sha256: str, content_type: str
) -> tuple[int, int, dict[str, str]]:
    """Return first byte, number of bytes and response metadata of a download.

    The entity tag is the hash of the content. If `if_range` has another tag or a date, the whole content is sent: a
    date matches only a Last-Modified, which no download has.

    Args:
        header: value of the Range header, empty without one.
        if_range: value of the If-Range header, empty without one.
        size: size of the content in bytes.
        sha256: hash of the content, hexadecimal.
        content_type: media type of the content.

    Raises RANGE_NOT_SATISFIABLE: the range is outside the content.
    """
    tag = f'"{sha256}"'
    headers = {"content-type": content_type, "accept-ranges": "bytes", "etag": tag}
    requested = parse(header, size) if if_range.strip() in ("", tag) else None
    if requested is None:
        return 0, size, {**headers, "content-length": str(size)}
    first, length = requested
    partial = {"catenary-status": "206", "content-range": f"bytes {first}-{first + length - 1}/{size}"}
    return first, length, {**headers, **partial, "content-length": str(length)}
