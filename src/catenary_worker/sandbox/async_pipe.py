"""The host's ends of a child's pipes, which never block the event loop; `pipe` defines the messages."""

import asyncio
import contextlib
import fcntl
import os
from collections.abc import Callable, Sequence
from typing import Any

from catenary_worker.sandbox import pipe

_BYTES = 1 << 20
_F_SETPIPE_SZ = 1031


class PipeClosedError(Exception):
    """The child closed its pipe."""


def make_nonblocking(descriptor: int) -> int:
    """Make a pipe's end non-blocking and its buffer 1 MiB; return its descriptor."""
    os.set_blocking(descriptor, False)
    with contextlib.suppress(PermissionError):  # past the user's pipe quota: slower, not wrong
        fcntl.fcntl(descriptor, _F_SETPIPE_SZ, _BYTES)
    return descriptor


async def read(descriptor: int, size: int) -> bytearray:
    """Read `size` bytes.

    Raises:
        PipeClosedError: The child closed its end first.
    """
    found = bytearray(size)
    missing = memoryview(found)
    while missing:
        try:
            count = os.readv(descriptor, [missing])
        except BlockingIOError:
            await _ready(asyncio.get_running_loop().add_reader, descriptor)
            continue
        if not count:
            raise PipeClosedError
        missing = missing[count:]
    return found


def is_empty(descriptor: int) -> bool:
    """Return whether a pipe whose other end is open has no byte to read; take one if there is."""
    try:
        os.read(descriptor, 1)
    except BlockingIOError:
        return True
    return False


async def write(descriptor: int, pieces: Sequence[pipe.Blob]) -> None:
    """Write the pieces.

    Raises:
        BrokenPipeError: The child has closed its end.
    """
    for piece in pieces:
        view = memoryview(piece)
        while view:
            try:
                view = view[os.write(descriptor, view) :]
            except BlockingIOError:
                await _ready(asyncio.get_running_loop().add_writer, descriptor)


def write_at_once(descriptor: int, message: bytes) -> None:
    """Write a message if there is a reader, and room: a pipe takes less than 512 bytes whole (POSIX)."""
    with contextlib.suppress(BlockingIOError, BrokenPipeError):
        os.write(descriptor, message)


async def _ready(add: Callable[..., Any], descriptor: int) -> None:
    """Wait until the loop's `add_reader` or `add_writer` calls back for a descriptor."""
    loop = asyncio.get_running_loop()
    event = asyncio.Event()
    add(descriptor, event.set)
    try:
        await event.wait()
    finally:
        (loop.remove_reader if add == loop.add_reader else loop.remove_writer)(descriptor)
