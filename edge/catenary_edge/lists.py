"""The JSON of a list that comes in parts: the same bytes as of the whole list, without ever holding it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import orjson


async def pieces(
    body: dict[str, Any], second: dict[str, Any], rest: AsyncIterator[dict[str, Any]]
) -> AsyncGenerator[bytes, None]:
    """The bytes of the body whose first field is the list, continued by the same field of the parts that follow.

    `body` is what stands of the first part in the answer; its other fields close the body. No part after the first is empty.
    """
    key, *others = body
    yield b"{" + orjson.dumps(key) + b":" + orjson.dumps(body[key])[:-1]
    yield b"," + orjson.dumps(second[key])[1:-1]
    async for part in rest:
        yield b"," + orjson.dumps(part[key])[1:-1]
    yield b"]" + b"".join(b"," + orjson.dumps(name) + b":" + orjson.dumps(body[name]) for name in others) + b"}"
