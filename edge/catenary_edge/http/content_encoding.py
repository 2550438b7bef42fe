"""Content encodings (RFC 9110, section 8.4.1): requests are decompressed within a limit, responses compressed.

zstd is `backports.zstd`, the standard library's module of Python 3.14 for older versions; aiohttp uses the same.
"""

from __future__ import annotations

import re
import sys
import zlib
from typing import Any, Protocol

from catenary_edge.errors.problem import Problem, refusal

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CODINGS = ("zstd", "gzip", "deflate")
"""Supported encodings, the preferred one first."""
COMPRESS_OVER = 1024
"""Bytes above which a response is compressed."""
PIECE = 64 * 1024
"""Largest decompressed piece in bytes."""
MAX_MEMBERS = 100
"""Largest number of members in one compressed body."""
ZSTD_WINDOW_LOG = 23
"""8 MiB, the window that RFC 8878, section 3.1.1.1.2, asks a decoder to support.

A larger one would let callers claim more memory.
"""

_QUALITY = re.compile(r"\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*(?:;\s*[qQ]\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*)?")


class Inflater(Protocol):
    """A decompressor of one body, piece by piece."""

    def feed(self, data: bytes, most: int) -> bytes:
        """Return at most `most` decompressed bytes of this and earlier data; call again with b"" until empty."""

    def finish(self) -> None:
        """Check for the end of the compressed data.

        Raises:
            Problem: 400 when the data is incomplete.
        """


def inflater(encoding: str) -> Inflater | None:
    """Return the decompressor for a Content-Encoding value; None for an uncompressed body.

    Raises:
        Problem: 415 for an unsupported encoding.
    """
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return None
    if name in ("gzip", "x-gzip", "deflate"):
        return _Members("deflate" if name == "deflate" else "gzip")
    if name == "zstd":
        return _Members("zstd")
    raise Problem(
        415,
        "UNSUPPORTED_MEDIA_TYPE",
        f"The content coding {name[:40]!r} is not taken; use {', '.join(CODINGS)} or none.",
        {"parameter": "Content-Encoding"},
        {"Accept-Encoding": ", ".join(CODINGS)},
    )


class _Members:
    """A decompressor of one or more consecutive members."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._engine: Any = None
        self._rest = b""
        self._members = 0

    def feed(self, data: bytes, most: int) -> bytes:
        """See Inflater."""
        data = self._rest + data
        self._rest = b""
        while True:
            try:
                if self._engine is None or self._engine.eof:
                    if not data:
                        return b""
                    self._begin(data)
                out: bytes = self._engine.decompress(data, most)
            except (zlib.error, zstd.ZstdError):
                raise _damaged(self._name) from None
            if self._engine.eof:
                data = self._engine.unused_data
                if data and not out:  # an empty member; the next one may have data
                    continue
                self._rest = data
            elif self._name != "zstd":  # a zstd decompressor keeps its own rest
                self._rest = self._engine.unconsumed_tail
            return out

    def finish(self) -> None:
        """See Inflater."""
        if self._engine is None or not self._engine.eof or self._rest:
            raise _damaged(self._name)

    def _begin(self, data: bytes) -> None:
        self._members += 1
        if self._members > MAX_MEMBERS:  # each costs a copy of the remaining data
            raise _damaged(self._name)
        if self._name == "zstd":
            self._engine = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW_LOG})
        elif self._name == "gzip":
            self._engine = zlib.decompressobj(wbits=31)
        else:
            # `deflate` is the zlib format (RFC 9110, section 8.4.1.2); some clients send raw deflate, without its header.
            wrapped = len(data) < 2 or (data[0] & 15 == 8 and int.from_bytes(data[:2]) % 31 == 0)
            self._engine = zlib.decompressobj(wbits=15 if wrapped else -15)


def _damaged(name: str) -> Problem:
    return refusal(
        "VALIDATION_ERROR", f"The body is not complete, valid {name}.", parameter="body", value=None, constraint=name
    )


def accepted(header: str) -> str:
    """Choose a response's encoding by an Accept-Encoding value; "" for none.

    The highest quality wins; among equals, the first of `CODINGS`.
    """
    qualities: dict[str, float] = {}
    for part in header.split(","):
        if found := _QUALITY.fullmatch(part):
            qualities[found[1].lower()] = float(found[2] or 1)
    best, quality = "", 0.0
    for name in CODINGS:
        given = qualities.get(name, qualities.get("*", 0.0))
        if given > quality:
            best, quality = name, given
    return best if quality >= qualities.get("identity", 0.0) else ""


def compress(data: bytes, coding: str) -> bytes:
    """Compress data with an encoding of `CODINGS`.

    Levels are low: they cost half a millisecond for a page and save nearly as much as higher ones.
    """
    if coding == "zstd":
        return bytes(zstd.compress(data, 3))
    return zlib.compress(data, 5, wbits=31 if coding == "gzip" else 15)
