"""The JSON of a list in parts: the same bytes as the whole list's, never held whole in memory."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import orjson

HOLD_BYTES = 1024 * 1024
"""Largest list sent as one body with a length, entity tag and content encoding; a longer one is streamed."""


async def pieces(body: dict[str, Any], rest: AsyncIterator[dict[str, Any]]) -> AsyncGenerator[bytes, None]:
    """Yield the bytes of a body: its first field is the list, continued by the later parts.

    `body` has the response fields of the first part; its other fields close the body. No part after the first is empty.
    """
    key, *others = body
    yield b"{" + orjson.dumps(key) + b":" + orjson.dumps(body[key])[:-1]
    async for part in rest:
        yield b"," + orjson.dumps(part[key])[1:-1]
    yield b"]" + b"".join(b"," + orjson.dumps(name) + b":" + orjson.dumps(body[name]) for name in others) + b"}"


async def read_up_to_limit(found: AsyncGenerator[bytes, None]) -> tuple[bytes, bool]:
    """Return the whole body and True, or the beginning of a body over HOLD_BYTES and False."""
    body = bytearray()
    async for piece in found:
        body += piece
        if len(body) > HOLD_BYTES:
            return bytes(body), False
    return bytes(body), True


async def after(beginning: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """Yield the beginning and then the rest."""
    yield beginning
    async for piece in rest:
        yield piece
