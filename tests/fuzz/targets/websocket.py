"""The reading of a client's WebSocket frames, as the edge sets the parser up.

An input: one byte for the size of the pieces in which the frames come, then the frames.
"""

from __future__ import annotations

import asyncio
import atexit
from typing import Any

from aiohttp._websocket.reader import WebSocketDataQueue, WebSocketReader
from aiohttp.base_protocol import BaseProtocol

from catenary_edge.live.masking import MaskedFrames
from catenary_edge.live.websocket import MAX_FRAME

_LOOP = asyncio.new_event_loop()
atexit.register(_LOOP.close)
_PROTOCOL = BaseProtocol(_LOOP)


def run(data: bytes) -> str:
    """Read one client's bytes: messages are bounded, have no more bytes than were sent, and end at an unmasked frame."""
    queue = WebSocketDataQueue(_PROTOCOL, 2**30, loop=_LOOP)
    reader: Any = WebSocketReader(queue, MAX_FRAME, compress=False, decode_text=True)
    parser = MaskedFrames(reader)
    most = data[0] + 1 if data else 1
    ended = False
    for start in range(1, len(data), most):
        ended, _ = parser.feed_data(data[start : start + most])
        if ended:
            break
    contents = [message.data for message, _ in queue._buffer]
    sizes = [len(content) for content in contents if isinstance(content, str | bytes)]  # of a close frame, its code
    assert all(size <= MAX_FRAME for size in sizes)
    assert sum(sizes) <= len(data)
    refused = queue.exception()
    assert refused is None or type(refused).__name__ == "WebSocketError", refused
    assert refused is not None or not ended
    return "taken" if refused is None else "refused"
