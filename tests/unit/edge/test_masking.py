"""The refusal of unmasked frames, over aiohttp's own parser."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import Mock

import pytest
from aiohttp import WebSocketError, WSMsgType
from aiohttp._websocket.reader import WebSocketDataQueue, WebSocketReader
from aiohttp.base_protocol import BaseProtocol
from hypothesis import given
from hypothesis import strategies as st

from catenary_edge.live.masking import MaskedFrames

LENGTHS = st.sampled_from([0, 1, 125, 126, 127, 300, 65_535, 65_536, 70_000])


def frame(length: int, *, masked: bool = True, extended: int = 0) -> bytes:
    """Return a binary frame with `length` zero bytes; `extended`: bytes of its length, the least if 0."""
    extended = extended or (0 if length < 126 else 2 if length < 1 << 16 else 8)
    flag = 0x80 if masked else 0
    size = {0: length, 2: 126, 8: 127}[extended]
    head = bytes([0x82, flag | size]) + (length.to_bytes(extended) if extended else b"")
    return head + (b"\0\0\0\0" if masked else b"") + bytes(length)


class Read:
    """A parser of aiohttp with the messages that it has read."""

    def __init__(self, *, guarded: bool = True) -> None:
        self.queue = WebSocketDataQueue(Mock(BaseProtocol), 2**30, loop=Mock())
        reader: Any = WebSocketReader(self.queue, 2**20, compress=False, decode_text=True)
        self.parser = MaskedFrames(reader) if guarded else reader

    def feed(self, data: bytes, cuts: list[int]) -> None:
        """Feed the bytes in pieces that end at the cuts."""
        ends = sorted({cut % (len(data) + 1) for cut in cuts} | {len(data)})
        for start, end in zip([0, *ends], ends, strict=False):
            self.parser.feed_data(data[start:end])

    async def messages(self) -> list[int]:
        """Return the lengths of the messages that have come."""
        found = []
        while self.queue._buffer:
            message = await self.queue.read()
            assert message.type is WSMsgType.BINARY
            found.append(len(message.data))
        return found

    async def code(self) -> int:
        """Return the code with which the parser refuses."""
        with pytest.raises(WebSocketError) as refused:
            await self.queue.read()
        return int(refused.value.code)


@given(lengths=st.lists(LENGTHS, max_size=5), cuts=st.lists(st.integers(0, 2**20), max_size=30))
def test_masked_frames_pass_whole_however_they_come(lengths: list[int], cuts: list[int]) -> None:
    read = Read()
    read.feed(b"".join(map(frame, lengths)), cuts)
    assert asyncio.run(read.messages()) == lengths


@given(
    lengths=st.lists(LENGTHS, max_size=3),
    unmasked=LENGTHS,
    after=st.binary(max_size=50),
    cuts=st.lists(st.integers(0, 2**20), max_size=30),
)
def test_the_first_unmasked_frame_ends_the_socket_with_1002(
    lengths: list[int], unmasked: int, after: bytes, cuts: list[int]
) -> None:
    read = Read()
    read.feed(b"".join(map(frame, lengths)) + frame(unmasked, masked=False) + after, cuts)
    assert asyncio.run(read.messages()) == lengths
    assert asyncio.run(read.code()) == 1002


def test_without_the_guard_aiohttp_takes_an_unmasked_frame() -> None:
    read = Read(guarded=False)
    read.feed(frame(7, masked=False), [])
    assert asyncio.run(read.messages()) == [7]


@pytest.mark.parametrize("extended", [2, 8])
def test_a_length_in_more_bytes_than_it_needs_is_read_as_it_stands(extended: int) -> None:
    read = Read()
    read.feed(frame(3, extended=extended) + frame(4), [])
    assert asyncio.run(read.messages()) == [3, 4]
