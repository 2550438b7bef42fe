"""Designs as lines of standard input, without a terminal."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from types import SimpleNamespace

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from catenary_cli.exploration import explore

ENDED = """
import asyncio
import aiohttp
from catenary_cli.exploration import explore

class Socket:
    async def send_str(self, text):
        pass

    async def receive(self):
        return aiohttp.WSMessage(aiohttp.WSMsgType.CLOSE, 1001, None)

try:
    asyncio.run(explore._answer_lines(Socket(), {}))
except explore.EndedSessionError as error:
    print(error)
"""


def test_a_session_that_the_server_ends_ends_the_command_while_its_input_is_open() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ENDED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"{}\n")
        process.stdin.flush()
        told = process.stdout.read()
        assert process.wait(60) == 0
    assert told == b"The session ended: the server stops; begin another one\n"


async def test_a_ping_is_answered_while_no_line_comes_and_lines_then_have_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ponged = asyncio.Event()

    async def serve(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(autoping=False)
        await socket.prepare(request)
        await socket.ping(b"there?")
        async for message in socket:
            if message.type is aiohttp.WSMsgType.PONG:
                ponged.set()
            else:
                await socket.send_str(message.data)
        return socket

    theirs, ours = os.pipe()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(fileno=lambda: theirs))
    app = web.Application()
    app.router.add_get("/", serve)
    async with asyncio.timeout(60), TestClient(TestServer(app)) as client, client.ws_connect("/") as socket:
        answering = asyncio.create_task(explore._answer_lines(socket, {"b": 2}))
        await ponged.wait()
        os.write(ours, b'{"parameters": {"a": 1}}\n\n{"id": ')
        os.write(ours, b"7}")
        os.close(ours)
        await answering
    os.close(theirs)
    assert capsys.readouterr().out.splitlines() == [
        '{"id":1,"parameters":{"b":2,"a":1},"geometry":false}',
        '{"id":7,"parameters":{"b":2},"geometry":false}',
    ]
