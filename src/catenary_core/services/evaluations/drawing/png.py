"""The writer of PNG files (W3C, "Portable Network Graphics (PNG) Specification (Third Edition)", 2025)."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import numpy.typing as npt

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_DEPTH, _COLOUR_WITH_ALPHA = 8, 6  # section 11.2.1
_UP = 2  # section 9.2: each byte less the one above it


def encode(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Return the file of an image: rows of pixels with red, green, blue (sRGB) and alpha."""
    height, width, _ = pixels.shape
    rows = np.empty((height, 1 + width * 4), np.uint8)
    rows[:, 0] = _UP
    flat = pixels.reshape(height, -1)
    rows[0, 1:] = flat[0]
    np.subtract(flat[1:], flat[:-1], out=rows[1:, 1:])
    header = struct.pack(">IIBBBBB", width, height, _DEPTH, _COLOUR_WITH_ALPHA, 0, 0, 0)
    return b"".join(
        [
            _SIGNATURE,
            _chunk(b"IHDR", header),
            _chunk(b"sRGB", b"\0"),
            _chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)),
            _chunk(b"IEND", b""),
        ]
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    """Return a chunk (section 5.3): length, kind, content and the CRC of the last two."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
