"""Keys of a terminal, from the bytes that it sends."""

from __future__ import annotations

import asyncio
import codecs
import os
import re
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

_SEQUENCES = {
    "\x1b[A": "up", "\x1b[B": "down", "\x1b[C": "right", "\x1b[D": "left",
    "\x1bOA": "up", "\x1bOB": "down", "\x1bOC": "right", "\x1bOD": "left",
    "\x1b[1;2C": "far right", "\x1b[1;2D": "far left", "\x1b[5~": "far right", "\x1b[6~": "far left",
    "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end",
    "\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", "\x1b": "escape", "\x04": "escape",
}  # fmt: skip
_KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|[^\x1b]|\x1b")


def decode(text: str) -> list[str]:
    """Return the names of the keys in what a terminal sent; a character is its own name, an unknown key has none."""
    names = (_SEQUENCES.get(found, found) for found in _KEY.findall(text))
    return [name for name in names if name in _SEQUENCES.values() or (len(name) == 1 and name.isprintable())]


@contextmanager
def pressed(descriptor: int) -> Iterator[asyncio.Queue[str]]:
    """Yield a queue of the keys that are pressed; lines and their echo are off until the block ends."""
    before = termios.tcgetattr(descriptor)
    keys: asyncio.Queue[str] = asyncio.Queue()
    text = codecs.getincrementaldecoder("utf-8")("replace")
    loop = asyncio.get_running_loop()

    def read() -> None:
        data = os.read(descriptor, 4096)
        if not data:
            loop.remove_reader(descriptor)
            keys.put_nowait("escape")
        for key in decode(text.decode(data)):
            keys.put_nowait(key)

    tty.setcbreak(descriptor, termios.TCSANOW)
    loop.add_reader(descriptor, read)
    try:
        yield keys
    finally:
        loop.remove_reader(descriptor)
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
