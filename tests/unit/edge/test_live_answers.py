"""The answers of a live session on its WebSocket: which frames follow each other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, cast

import orjson
import pytest

from catenary_edge.live import explore
from catenary_edge.surfaces import Context

_NOTHING: dict[str, Any] = {
    "id": None,
    "evaluation": None,
    "geometry": None,
    "error": None,
    "superseded": False,
    "chunk": b"",
}


class _Answers(explore._Answers):
    """The writer of a socket that keeps its frames: first byte and content."""

    def __init__(self) -> None:
        super().__init__(cast("Any", None), Context("r", ""))
        self.frames: list[tuple[int, bytes]] = []

    async def _write(self, data: bytes) -> None:
        assert data[1] < 126, "a short frame"
        self.frames.append((data[0], data[2:]))


def _announced(*sizes: int) -> dict[str, Any]:
    files = [{"name": f"f{number}", "format": "glb", "size": size} for number, size in enumerate(sizes)]
    return {**_NOTHING, "id": 7, "geometry": {"files": files}}


async def _parts(*parts: dict[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
    for part in parts:
        yield {**_NOTHING, **part}


async def test_answers_between_the_bytes_of_a_file_come_after_it() -> None:
    answers = _Answers()
    error = {"code": "UNKNOWN_PARAMETER", "message": "No.", "details": {}}
    await answers.send_all(
        _parts(
            _announced(6, 2),
            {"id": 6, "superseded": True},
            {"chunk": b"abc"},
            {"id": 8, "superseded": True},
            {"id": 9, "error": error},
            {"chunk": b"defg"},
            {"id": 10, "superseded": True},
            {"chunk": b"h"},
            {"id": 11, "superseded": True},
        )
    )
    told = [(first, orjson.loads(data)["id"] if first == 0x81 else data) for first, data in answers.frames]
    assert told == [
        (0x81, 7),
        (0x81, 6),
        (0x02, b"abc"),
        (0x80, b"def"),
        (0x81, 8),
        (0x81, 9),
        (0x02, b"g"),
        (0x80, b"h"),
        (0x81, 10),
        (0x81, 11),
    ]


async def test_a_client_waits_while_many_answers_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "_MOST_HELD", 2)
    answers, more = _Answers(), asyncio.Event()

    async def parts() -> AsyncGenerator[dict[str, Any], None]:
        yield _announced(2)
        yield {**_NOTHING, "chunk": b"a"}
        yield {**_NOTHING, "id": 8, "superseded": True}
        yield {**_NOTHING, "id": 9, "superseded": True}
        await more.wait()
        yield {**_NOTHING, "chunk": b"b"}

    sending = asyncio.create_task(answers.send_all(parts()))
    for _ in range(10):
        await asyncio.sleep(0)
    waiting = asyncio.create_task(answers.room())
    await asyncio.sleep(0)
    assert not waiting.done()
    more.set()
    await asyncio.gather(sending, waiting)
    assert [first for first, _ in answers.frames] == [0x81, 0x02, 0x80, 0x81, 0x81]
