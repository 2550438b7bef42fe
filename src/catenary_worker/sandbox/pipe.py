"""The messages between a host and a sandboxed child: a length, a JSON header of that length, then blobs.

The header gives the sizes of the blobs. JSON only: nothing from a child is trusted, so nothing is unpickled.
"""

import json
import os
import struct
from collections.abc import Sequence
from typing import Any

LENGTH = struct.Struct(">I")
Blob = bytes | memoryview
"""Bytes of a message; a memoryview is one of bytes."""
READY = b"R"
"""The child's first byte: the child is in its cell and waits for a task."""


def pack(header: dict[str, Any], blobs: Sequence[Blob] = ()) -> list[Blob]:
    """Return the pieces of a message in order: the length with the header, which so take one call of the kernel; the blobs."""
    text = json.dumps({**header, "blobs": [len(blob) for blob in blobs]}, allow_nan=False).encode()
    return [LENGTH.pack(len(text)) + text, *blobs]


def write_all(descriptor: int, pieces: Sequence[Blob]) -> None:
    """Write the pieces, blocking."""
    for piece in pieces:
        view = memoryview(piece)
        while view:
            view = view[os.write(descriptor, view) :]


def read_exactly(descriptor: int, size: int) -> bytes:
    """Read `size` bytes, blocking.

    Raises:
        EOFError: The other end closes first.
    """
    found = bytearray()
    while len(found) < size:
        piece = os.read(descriptor, min(size - len(found), 1 << 20))
        if not piece:
            raise EOFError
        found += piece
    return bytes(found)


def read_message(descriptor: int) -> tuple[dict[str, Any], list[bytes]]:
    """Read a message of a trusted sender, blocking."""
    (size,) = LENGTH.unpack(read_exactly(descriptor, LENGTH.size))
    header = json.loads(read_exactly(descriptor, size))
    return header, [read_exactly(descriptor, length) for length in header["blobs"]]
