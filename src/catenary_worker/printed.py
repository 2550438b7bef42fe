"""A model's output: the first and the last bytes of a stream that may be endless, as text that is safe to show."""

import os
import re
from collections.abc import Callable

from catenary_wire.model_limits import LABEL
from catenary_wire.printable import escape_lines, one_line

KEPT_BYTES = 16 * 1024
"""Bytes kept of the beginning, and of the end."""
_CHUNK_BYTES = 64 * 1024
_PROGRESS = re.compile(rb"^progress[ \t]+(\d{0,9}(?:\.\d{0,20})?)(?:[ \t]+([^\n]*))?$", re.MULTILINE)
"""A line by which a model tells its progress: `progress 0.4 meshing`."""
_LONGEST_LINE = 1_024
"""Bytes of an unfinished line that are kept for the rest of it."""
_MOST_CHUNKS = 32
"""Chunks that are read after the end of a task: what a pipe holds, and no more of a model that prints for ever."""


class Printed:
    """The first and the last KEPT_BYTES that a child writes to its pipe."""

    def __init__(self, descriptor: int, on_progress: Callable[[float, str], None] | None = None) -> None:
        """Begin without a byte.

        Args:
            descriptor: The pipe's end for reading, which must not block.
            on_progress: Called with a fraction from 0 to 1 and a text of one line when the model tells its progress.
        """
        self._descriptor = descriptor
        self._on_progress = on_progress
        self._line = b""
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
        if self._on_progress is not None:
            self._tell_progress(piece, self._on_progress)
        room = KEPT_BYTES - len(self._first)
        self._first += piece[:room]
        self._last += piece[room:]
        if (over := len(self._last) - KEPT_BYTES) > 0:
            del self._last[:over]
            self._left_out += over
        return piece

    def _tell_progress(self, piece: bytes, tell: Callable[[float, str], None]) -> None:
        """Tell the last progress of the finished lines; what is no progress is output as any other."""
        lines, _, rest = (self._line + piece).rpartition(b"\n")
        self._line = rest[:_LONGEST_LINE]
        if b"progress" not in lines:
            return
        for number, text in reversed(_PROGRESS.findall(lines)):
            fraction = float(number) if number.strip(b".") else 2.0
            if fraction <= 1:
                tell(fraction, one_line(text.decode("utf-8", "replace")).strip()[:LABEL])
                return
