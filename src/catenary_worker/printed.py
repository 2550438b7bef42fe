"""A model's output: the first and the last bytes of a stream that may be endless, as text that is safe to show."""

import os
import re
from collections.abc import Callable
from typing import Any

from catenary_wire.model_limits import LABEL
from catenary_wire.printable import escape_lines, one_line
from catenary_worker.task import ModelProgress

KEPT_BYTES = 16 * 1024
"""Bytes kept of the beginning, and of the end."""
WARNINGS_BYTES = 4 * 1024
"""Bytes kept of the warnings between both."""
_WARNING = re.compile(rb"^WARNING:[^\n]*", re.MULTILINE)
"""A line by which OpenSCAD warns, or Python's `logging`."""
_CHUNK_BYTES = 64 * 1024
_PROGRESS = re.compile(rb"^progress[ \t]+(\d{0,9}(?:\.\d{0,20})?)(?:[ \t]+([^\n]*))?$")
"""A line by which a model tells its progress: `progress 0.4 meshing`."""
_LONGEST_LINE = 1_024
"""Bytes of an unfinished line that are kept for the rest of it."""
_MOST_CHUNKS = 32
"""Chunks that are read after the end of a task: what a pipe holds, and no more of a model that prints for ever."""


class Printed:
    """The first and the last KEPT_BYTES that a child writes to its pipe, and the warnings between both."""

    def __init__(self, descriptor: int, on_progress: Callable[[ModelProgress], None] | None = None) -> None:
        """Begin without a byte.

        Args:
            descriptor: The pipe's end for reading, which must not block.
            on_progress: Called when the model tells its progress, or has printed a line.
        """
        self._descriptor = descriptor
        self._on_progress = on_progress
        self._told = ModelProgress()
        self._line = b""
        self._first = bytearray()
        self._last = bytearray()
        self._left_out = 0
        self._cut = b""
        self._warnings: dict[bytes, None] = {}

    def receive(self) -> bool:
        """Read the next bytes, so that the child can go on; return False once the child has closed its end."""
        return self._read() != b""

    def text(self) -> str:
        """Read the rest, and return all as text without characters that control a terminal."""
        for _ in range(_MOST_CHUNKS):
            if not self._read():
                break
        return escape_lines(b"".join([self._first, self._middle(), self._last]).decode("utf-8", "replace"))

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
            self._leave_out(bytes(self._last[:over]))
            del self._last[:over]
        return piece

    def _leave_out(self, piece: bytes) -> None:
        """Count the next bytes that are left out, and keep the warnings among them, each once."""
        if not self._left_out:
            self._cut = bytes(self._first.rpartition(b"\n")[2])
        self._left_out += len(piece)
        lines, _, rest = (self._cut + piece).rpartition(b"\n")
        self._cut = rest[:_LONGEST_LINE]
        self._keep_warnings(lines)

    def _keep_warnings(self, lines: bytes) -> None:
        for line in _WARNING.findall(lines):
            warning = line[:_LONGEST_LINE].rstrip()
            if sum(map(len, self._warnings)) + len(warning) <= WARNINGS_BYTES:
                self._warnings[warning] = None

    def _middle(self) -> bytes:
        """Return what stands for the bytes that are left out."""
        if not self._left_out:
            return b""
        self._keep_warnings(self._cut + bytes(self._last.partition(b"\n")[0]))
        if not self._warnings:
            return f"\n[{self._left_out:,} bytes are left out]\n".encode()
        first = f"\n[{self._left_out:,} bytes are left out; the warnings among them:]".encode()
        return b"\n".join([first, *self._warnings, b"[The end of the output:]", b""])

    def _tell_progress(self, piece: bytes, tell: Callable[[ModelProgress], None]) -> None:
        """Tell the last progress of the finished lines, and the last line that is none."""
        lines, _, rest = (self._line + piece).rpartition(b"\n")
        self._line = rest[:_LONGEST_LINE]
        found: dict[str, Any] = {}
        for line in reversed(lines.split(b"\n")):
            if (progress := _progress_in(line)) is None:
                if "output" not in found and line.strip():
                    found["output"] = _shown(line)
            elif "fraction" not in found:
                found |= progress
            if len(found) == len(ModelProgress._fields) or ("output" in found and b"progress" not in lines):
                break
        if found:
            self._told = self._told._replace(**found)
            tell(self._told)


def _progress_in(line: bytes) -> dict[str, Any] | None:
    """Return the fraction and the message of a line of progress; None of any other line."""
    if (match := _PROGRESS.match(line)) is None or not match[1].strip(b".") or (fraction := float(match[1])) > 1:
        return None
    return {"fraction": fraction, "message": _shown(match[2] or b"")}


def _shown(text: bytes) -> str:
    return one_line(text.decode("utf-8", "replace")).strip()[:LABEL]
