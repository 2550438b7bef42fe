"""Streams with long lines, as points with large results make them."""

from __future__ import annotations

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from catenary_cli.remote import api
from catenary_cli.remote.api import Access, Api
from catenary_wire.model_limits import RESULT_BYTES


async def _lengths(length: int) -> list[int]:
    """Return the lengths of the read lines of a stream: one of this length, and a short one."""

    async def token(_: web.Request) -> web.Response:
        return web.json_response({"access_token": "t"})

    async def stream(_: web.Request) -> web.Response:
        return web.Response(body=b"x" * length + b"\ny\n")

    app = web.Application()
    app.router.add_post("/v1/auth/token", token)
    app.router.add_get("/v1/stream", stream)
    async with (
        TestServer(app) as server,
        Api(Access(f"{server.make_url('/v1/')}", "i", "s")) as client,
        client.stream("stream", (), {}) as content,
    ):
        return [len(line) async for line in content]


async def test_a_point_with_the_largest_result_is_read_and_a_longer_line_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    largest = RESULT_BYTES + 16 * 1024 * 1024
    assert await _lengths(largest) == [largest + 1, 2]
    monkeypatch.setattr(api, "_LINE_BYTES", 1024 * 1024)
    with pytest.raises(ValueError, match="a line of over 1 MiB"):
        await _lengths(largest)
