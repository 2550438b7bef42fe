"""A model's output: the first and the last bytes of a stream that may be endless, as text that is safe to show."""

import os

from catenary_wire.printable import escape_lines

KEPT_BYTES = 16 * 1024
"""Bytes kept of the beginning, and of the end."""
_CHUNK_BYTES = 64 * 1024
_MOST_CHUNKS = 32
"""Chunks that are read after the end of a task: what a pipe holds, and no more of a model that prints for ever."""


class Printed:
    """The first and the last KEPT_BYTES that a child writes to its pipe."""

    def __init__(self, descriptor: int) -> None:
        """Begin without a byte; `descriptor` is the pipe's end for reading, which must not block."""
        self._descriptor = descriptor
        self._first = bytearray()
        self._last = bytearray()
        self._left_out = 0

    def receive(self) -> bool:
        """Read the next bytes, so that the child can go on; return False once the child has closed its end."""
        return self._read() != b""

    def text(self) -> str:
        """Read the rest, and return all as text without characters that control a terminal."""
        for _ in range(_MOST_CHUNKS):
            if not self._read():
                break
        left_out = f"\n[{self._left_out:,} bytes are left out]\n".encode() if self._left_out else b""
        return escape_lines(b"".join([self._first, left_out, self._last]).decode("utf-8", "replace"))

    def _read(self) -> bytes | None:
        """Read and keep the next bytes; return None if there are none yet, no byte at the end."""
        try:
            piece = os.read(self._descriptor, _CHUNK_BYTES)
        except BlockingIOError:
            return None
        room = KEPT_BYTES - len(self._first)
        self._first += piece[:room]
        self._last += piece[room:]
        if (over := len(self._last) - KEPT_BYTES) > 0:
            del self._last[:over]
            self._left_out += over
        return piece
