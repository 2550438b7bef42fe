"""The JSON of a list that comes in parts: the same bytes as of the whole list, without ever holding it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import orjson

HOLD_BYTES = 1024 * 1024
"""A list up to this size is one body with a length, an entity tag and a content coding; a longer one is sent as it comes."""


async def pieces(body: dict[str, Any], rest: AsyncIterator[dict[str, Any]]) -> AsyncGenerator[bytes, None]:
    """The bytes of the body whose first field is the list, continued by the same field of the parts that follow.

    `body` is what stands of the first part in the answer; its other fields close the body. No part after the first is empty.
    """
    key, *others = body
    yield b"{" + orjson.dumps(key) + b":" + orjson.dumps(body[key])[:-1]
    async for part in rest:
        yield b"," + orjson.dumps(part[key])[1:-1]
    yield b"]" + b"".join(b"," + orjson.dumps(name) + b":" + orjson.dumps(body[name]) for name in others) + b"}"


async def held(found: AsyncGenerator[bytes, None]) -> tuple[bytes, bool]:
    """The whole body and True; of one that is longer than HOLD_BYTES its beginning and False."""
    body = bytearray()
    async for piece in found:
        body += piece
        if len(body) > HOLD_BYTES:
            return bytes(body), False
    return bytes(body), True


async def after(beginning: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The beginning and what comes after it."""
    yield beginning
    async for piece in rest:
        yield piece
