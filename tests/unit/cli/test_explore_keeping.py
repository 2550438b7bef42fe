"""The key that keeps the design of a live session, against a server that answers as it is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import orjson
import pytest
from aiohttp import web
from aiohttp.test_utils import BaseTestServer, TestServer

from catenary_cli.exploration import explore, screen
from catenary_cli.exploration.design import EditedDesign
from catenary_cli.exploration.keeping import DesignKeeper
from catenary_cli.remote.api import Access, Api

REFUSED = {"error": {"code": "PARAMETER_OUT_OF_RANGE", "message": "span must be at most 60; it is 90."}}
_PLAIN: dict[str, Any] = {"step": None, "positive": False, "choices": [], "description": ""}
SPAN = {"name": "span", "type": "number", "default": 24.0, "min": 5.0, "max": 60.0, "unit": "m", **_PLAIN}
NOTE = {"name": "note", "type": "string", "default": "", "min": None, "max": None, "unit": None, **_PLAIN}


class Place:
    """A session, the server that it asks, and what the server was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.waits: list[str | None] = []
        self.is_open = asyncio.Event()
        self.is_open.set()
        self.is_refusing = False
        self.told = screen.Told()
        self.design = EditedDesign([SPAN, NOTE], {})
        self.keeper: Any = None
        self.session: Any = None

    async def evaluate(self, request: web.Request) -> web.Response:
        self.asked.append(orjson.loads(await request.read()))
        self.waits.append(request.headers.get("Prefer"))
        await self.is_open.wait()
        if self.is_refusing:
            return web.json_response(REFUSED, status=422)
        number = f"0199-{len(self.asked)}"
        return web.json_response({"data": {"evaluation": {"evaluation_id": number}}}, status=202)

    async def press(self, *keys: str) -> None:
        for key in keys:
            assert await self.session._press(key), "the session goes on"

    def shown(self) -> str:
        lines = screen.draw("Bridge", self.design, self.told, self.session._typed, 80, 24)
        return "".join(text for text, _ in lines[-3])


class _Socket:
    async def send_str(self, text: str) -> None:
        """Take a design."""


async def _token(request: web.Request) -> web.Response:
    return web.json_response({"access_token": "t"})


@asynccontextmanager
async def _place() -> AsyncIterator[tuple[Place, BaseTestServer]]:
    place, app = Place(), web.Application()
    app.router.add_post("/v1/auth/token", _token)
    app.router.add_post("/v1/projects/P/evaluate", place.evaluate)
    async with (
        asyncio.timeout(60),
        TestServer(app) as server,
        Api(Access(str(server.make_url("/v1/")), "c", "s")) as api,
    ):
        place.keeper = DesignKeeper(api, "P", "V", place.told.note_kept)
        socket = cast("Any", _Socket())
        place.session = explore._Session(socket, "Bridge", place.design, place.told, place.keeper)
        yield place, server


async def test_a_design_kept_twice_is_asked_for_once() -> None:
    async with _place() as (place, _):
        place.is_open.clear()
        await place.press("s", "s")
        assert "Keeping the design" in place.shown()
        place.is_open.set()
        await place.keeper.finish()
        assert place.shown().strip() == "Kept: 0199-1"
        await place.press("down")
        assert "Kept" not in place.shown(), "the next key takes it away"
        await place.press("s")
        assert place.shown().strip() == "Kept: 0199-1"
        expected = {"parameters": {"span": 24.0, "note": ""}, "model_version_id": "V"}
        assert (place.asked, place.waits) == ([expected], ["respond-async"])
        await place.press("up", "end", "s")
        await place.keeper.finish()
        assert [one["parameters"]["span"] for one in place.asked] == [24.0, 60.0]
        assert place.keeper.ids == ["0199-1", "0199-2"]


async def test_a_design_that_is_being_kept_holds_up_no_key() -> None:
    async with _place() as (place, _):
        place.is_open.clear()
        await place.press("s", "end", "s")
        assert place.design.values["span"] == 60.0
        assert len(place.keeper.pending) == 2
        place.is_open.set()
        await place.keeper.finish()
        assert (place.keeper.pending, len(place.keeper.ids)) == (set(), 2)


async def test_a_refusal_is_told_in_place_and_asked_again() -> None:
    async with _place() as (place, _):
        place.is_refusing = True
        await place.press("s")
        await place.keeper.finish()
        assert "Not kept: span must be at most 60; it is 90." in place.shown()
        assert place.keeper.ids == []
        place.is_refusing = False
        await place.press("s")
        await place.keeper.finish()
        assert place.shown().strip() == "Kept: 0199-2"


async def test_a_lost_server_ends_no_session_by_this_key() -> None:
    async with _place() as (place, server):
        await server.close()
        await place.press("s")
        await place.keeper.finish()
        assert "Not kept: Nothing answers at 127.0.0.1" in place.shown()


@pytest.mark.parametrize("begin", [("down", "enter"), ("3",)])
async def test_the_key_is_a_letter_while_a_value_is_typed(begin: tuple[str, ...]) -> None:
    async with _place() as (place, _):
        await place.press(*begin, "s")
        assert place.session._typed in ("s", "3s")
        assert (place.asked, place.keeper.pending) == ([], set())
        await place.press("escape", "s")
        await place.keeper.finish()
        assert len(place.asked) == 1
