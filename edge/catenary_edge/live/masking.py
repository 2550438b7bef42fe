"""Refusal of unmasked frames: a client masks every frame that it sends (RFC 6455, section 5.1)."""

from __future__ import annotations

from typing import Protocol

_MASKED = 0x80
_LENGTH = 0x7F
_LENGTH_BYTES = {126: 2, 127: 8}
"""Bytes of an extended length by the 7 bits of the length (section 5.2)."""
_KEY_BYTES = 4
_REFUSED = b"\x83\x80\0\0\0\0"
"""A frame with a reserved opcode, for which the parser closes with 1002 (sections 5.2, 7.4.1)."""


class FrameParser(Protocol):
    """A parser of frames, as aiohttp feeds one."""

    def feed_data(self, data: bytes) -> tuple[bool, bytes]:
        """Parse bytes; return whether no more are parsed, and those which are left."""

    def feed_eof(self) -> None:
        """End the bytes."""


class MaskedFrames:
    """A parser of frames that gives masked frames to another one, which takes unmasked frames as well."""

    __slots__ = ("_head", "_left", "_parser")

    def __init__(self, parser: FrameParser) -> None:
        self._parser = parser
        self._head = b""
        self._left = 0

    def feed_data(self, data: bytes) -> tuple[bool, bytes]:
        """Pass the bytes on, but for the incomplete head of a last frame; replace an unmasked frame."""
        data = self._head + data
        start = self._left  # of the next frame
        while len(data) - start >= 2:
            second = data[start + 1]
            if not second & _MASKED:
                return self._parser.feed_data(data[:start] + _REFUSED)
            length = second & _LENGTH
            payload = start + 2 + _LENGTH_BYTES.get(length, 0)
            if len(data) < payload:
                break
            if length in _LENGTH_BYTES:
                length = int.from_bytes(data[start + 2 : payload])
            start = payload + _KEY_BYTES + length
        self._head = data[start:]
        self._left = max(0, start - len(data))
        return self._parser.feed_data(data[:start])

    def feed_eof(self) -> None:
        """Pass the end on."""
        self._parser.feed_eof()
