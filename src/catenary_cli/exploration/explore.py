"""`catenary explore`: a live session in the terminal, or as lines of JSON without one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

import aiohttp
import orjson

from catenary_cli import show
from catenary_cli.exploration import keys, screen
from catenary_cli.exploration.design import FAR, EditedDesign
from catenary_cli.exploration.keeping import DesignKeeper
from catenary_cli.remote.api import Access, Api
from catenary_cli.remote.declared_order import order_of
from catenary_cli.remote.use import parse_value

_MOVES = {"right": 1, "left": -1, "far right": FAR, "far left": -FAR}
_BEGIN_OF_NUMBER = "0123456789-."
_PIECE_BYTES = 64 * 1024
_ENDS = {
    1000: "ten minutes passed without a design, or an hour since the beginning",
    1001: "the server stops",
    1008: "your credential or role has ended",
    1012: "another version was deployed",
    1013: "the compute seconds of the month are used up, or the server lost a part of itself",
}
"""Reasons by the code with which the server closes (guide/live_sessions.md, "Ends")."""


class EndedSessionError(ValueError):
    """A live session that the server ended; the text says why."""


async def explore(access: Access, project_id: str, values: Sequence[str]) -> None:
    """Change the parameters of a project's deployed model by keys, and show its metrics at once.

    Without a terminal, designs are lines of JSON at standard input, and each answer is a line.

    Raises:
        EndedSessionError: The server ended the session.
        ValueError: The model has no such parameter, or a line is no design.
    """
    given = dict(map(parse_value, values))
    async with Api(access) as api:
        project = (await api.get(f"projects/{project_id}"))["project"]
        declared = await api.pages(f"projects/{project_id}/parameters", "parameters")
        design = EditedDesign(declared, given)
        async with api.socket("/ws/explore", {"project_id": project_id}) as socket:
            begun = _read(await socket.receive())["session"]
            if not (sys.stdin.isatty() and show.is_terminal()):
                await _answer_lines(socket, given)
                return
            if not design.declared:
                raise ValueError("the model has no parameter that keys can change; `catenary evaluate` evaluates it")
            told = screen.Told(await order_of(api, project_id, begun["model_version_id"]))
            keeper = DesignKeeper(api, project_id, begun["model_version_id"], told.note_kept)
            try:
                await _Session(socket, project["name"], design, told, keeper).run()
            finally:
                for evaluation_id in keeper.ids:  # the screen that told them is gone
                    show.line(f"Kept: {evaluation_id}")
                show.line(screen.command(project_id, design))


class _Session:
    """A live session with a screen."""

    def __init__(
        self,
        socket: aiohttp.ClientWebSocketResponse,
        title: str,
        design: EditedDesign,
        told: screen.Told,
        keeper: DesignKeeper,
    ) -> None:
        self._socket = socket
        self._title = title
        self._design = design
        self._told = told
        self._keeper = keeper
        self._typed: str | None = None
        self._number = 0
        self._sent: dict[int, float] = {}

    async def run(self) -> None:
        """Serve keys and answers until the person leaves.

        Raises:
            EndedSessionError: The server ended the session.
        """
        loop = asyncio.get_running_loop()
        with keys.pressed(sys.stdin.fileno()) as pressed, show.screen() as paint:
            loop.add_signal_handler(signal.SIGWINCH, pressed.put_nowait, "resized")
            key: asyncio.Task[str] = asyncio.create_task(pressed.get())
            answer = asyncio.create_task(self._socket.receive())
            try:
                await self._send()
                while True:
                    size = shutil.get_terminal_size()
                    paint(screen.draw(self._title, self._design, self._told, self._typed, size.columns, size.lines))
                    wanted = (key, answer, *self._keeper.pending)
                    await asyncio.wait(wanted, return_when=asyncio.FIRST_COMPLETED)
                    if answer.done():
                        self._take(_read(answer.result()))
                        answer = asyncio.create_task(self._socket.receive())
                    if key.done():
                        if not await self._press(key.result()):
                            await self._keeper.finish()
                            return
                        key = asyncio.create_task(pressed.get())
            finally:
                loop.remove_signal_handler(signal.SIGWINCH)
                self._keeper.cancel()
                key.cancel()
                answer.cancel()

    async def _send(self) -> None:
        self._number += 1
        self._sent[self._number] = time.monotonic()
        design = {"id": self._number, "parameters": self._design.all_values}
        await self._socket.send_str(orjson.dumps(design).decode())

    def _take(self, answer: dict[str, Any]) -> None:
        """Take an answer; those to designs before the shown one are passed over."""
        number = answer["id"]
        began = self._sent.pop(number, None)
        if answer.get("error") is not None:
            self._told.refuse(answer["error"]["message"])
        elif answer.get("evaluation") is not None and began is not None:
            evaluation = answer["evaluation"]
            self._told.take(evaluation, (time.monotonic() - began) * 1000)
            if number == self._number:
                self._design.take(evaluation["parameters"])

    async def _press(self, key: str) -> bool:
        """Follow a key; return whether the session goes on."""
        if key != "resized":
            self._told.kept = None
        if self._typed is not None:
            changed = self._type(key)
        elif key in ("q", "escape"):
            return False
        elif key == "enter" or (key in _BEGIN_OF_NUMBER and not self._design.chosen["choices"]):
            self._typed, changed = "" if key == "enter" else key, False
        elif key == "s":
            self._keeper.keep(self._design.all_values)
            return True
        else:
            changed = self._move(key)
        if changed:
            await self._send()
        return True

    def _move(self, key: str) -> bool:
        """Choose a parameter or move its value; return whether the design changed."""
        if key in ("up", "down"):
            self._design.choose(1 if key == "down" else -1)
        elif key in _MOVES:
            return self._design.move(_MOVES[key])
        elif key in ("home", "end"):
            return self._design.end("min" if key == "home" else "max")
        elif key == "r":
            return self._design.reset()
        return False

    def _type(self, key: str) -> bool:
        """Follow a key while a value is typed; return whether the design changed."""
        typed = self._typed or ""
        if key == "enter":
            self._typed = None
            return bool(typed) and self._design.type_in(typed)
        if key == "escape":
            self._typed = None
        elif key == "backspace":
            self._typed = typed[:-1]
        elif len(key) == 1:
            self._typed = typed + key
        return False


def _read(message: aiohttp.WSMessage) -> dict[str, Any]:
    """Return an answer.

    Raises:
        EndedSessionError: The server ended the session.
    """
    if message.type is not aiohttp.WSMsgType.TEXT:
        code = message.data if message.type is aiohttp.WSMsgType.CLOSE else None
        raise EndedSessionError(
            f"The session ended: {_ENDS.get(code or 0, 'the connection was lost')}; begin another one"
        )
    return dict(orjson.loads(message.data))


async def _answer_lines(socket: aiohttp.ClientWebSocketResponse, given: dict[str, Any]) -> None:
    """Evaluate the designs of standard input one after the other; print an answer for each.

    Each waits for the answer before it: of designs that wait, the server would evaluate the newest alone. The socket is
    read while a line is waited for too, so that the server's pings are answered and its end is told at once.

    Raises:
        EndedSessionError: The server ended the session.
        ValueError: A line is no design.
    """
    lines, number, newest = _Lines(sys.stdin.fileno()), 0, 0
    line = asyncio.create_task(lines.next())
    answer = asyncio.create_task(socket.receive())
    try:
        while True:
            await asyncio.wait((line, answer), return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                # Nothing was asked, so that this is the end of the session.
                show.json(_read(answer.result()), indent=False)
                answer = asyncio.create_task(socket.receive())
                continue
            if (text := line.result()) is None:
                return
            number += 1
            if text.strip():
                design = {"id": max(number, newest + 1), **_design(text, number, given)}
                if isinstance(design["id"], int):
                    newest = max(newest, design["id"])  # the numbers of a session grow
                await socket.send_str(orjson.dumps(design).decode())
                show.json(_read(await answer), indent=False)
                answer = asyncio.create_task(socket.receive())
            line = asyncio.create_task(lines.next())
    finally:
        line.cancel()
        answer.cancel()


def _design(line: bytes, number: int, given: dict[str, Any]) -> dict[str, Any]:
    """Return a design as its line gives it, with the values of the command line.

    Raises:
        ValueError: The line is no design.
    """
    try:
        design = orjson.loads(line)
    except orjson.JSONDecodeError:
        design = None
    if not isinstance(design, dict) or not isinstance(parameters := design.get("parameters", {}), dict):
        raise ValueError(f'line {number} is no design; write {{"parameters": {{"span": 30}}}}')
    return {**design, "parameters": {**given, **parameters}, "geometry": False}


class _Lines:
    """Lines of a descriptor, which a thread reads: it may be a pipe, a file or a terminal.

    The thread doesn't use `sys.stdin`: it may still wait for input when the program ends, which then ends by SIGABRT
    because the thread holds the lock of that object.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._pieces: asyncio.Queue[bytes] = asyncio.Queue()
        self._wanted = threading.Semaphore(0)
        self._found: deque[bytes] = deque()
        self._rest = b""
        self._ended = False
        threading.Thread(target=self._read, daemon=True).start()

    async def next(self) -> bytes | None:
        """Return the next line without its end; None after the last one."""
        while not self._found and not self._ended:
            self._wanted.release()
            piece = await self._pieces.get()
            *found, self._rest = (self._rest + piece).split(b"\n")
            self._found += found
            if not piece:
                self._ended = True
                self._found.append(self._rest)
        return self._found.popleft() if self._found else None

    def _read(self) -> None:
        # The loop is gone once the command has ended.
        with contextlib.suppress(RuntimeError):
            while self._wanted.acquire():
                try:
                    piece = os.read(self._descriptor, _PIECE_BYTES)
                except OSError:  # as of a terminal that hung up
                    piece = b""
                self._loop.call_soon_threadsafe(self._pieces.put_nowait, piece)
