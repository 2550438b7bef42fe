"""One range of bytes (RFC 9110, section 14), and whether it is of the bytes that the caller knows (section 13.1.5)."""

from __future__ import annotations

import re

from catenary_core.call.errors import DomainError

_RANGE = re.compile(r"bytes=(?P<first>\d{1,18})?-(?P<last>\d{1,18})?", re.ASCII | re.IGNORECASE)


def parse(header: str, size: int) -> tuple[int, int] | None:
    """The first byte and the number of bytes that a Range header asks for, of a content of `size` bytes.

    None: the whole content, for an empty header, another unit, several ranges or one that isn't well formed, all of which a
    server may ignore (section 14.2). RANGE_NOT_SATISFIABLE when it lies outside the content.
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
    """First byte, number of bytes, and the response metadata for a download of `size` bytes.

    Their entity tag is the hash of their content. With another one, or a date, in `if_range`, they come whole: a date matches
    a Last-Modified only, which no download has.
    """
    tag = f'"{sha256}"'
    headers = {"content-type": content_type, "accept-ranges": "bytes", "etag": tag}
    asked = parse(header, size) if if_range.strip() in ("", tag) else None
    if asked is None:
        return 0, size, {**headers, "content-length": str(size)}
    first, length = asked
    partial = {"catenary-status": "206", "content-range": f"bytes {first}-{first + length - 1}/{size}"}
    return first, length, {**headers, **partial, "content-length": str(length)}
