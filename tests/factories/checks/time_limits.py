"""A time limit of each test: a test that hangs shows where, and must not hold up the others."""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psutil

SECONDS = 480.0
"""For a test with its fixtures: three times what the longest takes on a slow machine."""
SLOW_SECONDS = 900.0
EXIT_CODE = 70


@contextmanager
def bounded(name: str, seconds: float, descriptor: int) -> Iterator[None]:
    """End the process when the block isn't done in time.

    What each thread and each task does is written to `descriptor` first. The processes that it started, as its PostgreSQL, end
    with it. With pytest-xdist the test is then reported as one that crashed, and a new process goes on with the others.
    """
    timer = threading.Timer(seconds, _give_up, [f"{name} hangs for {seconds:g} s\n", descriptor])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _give_up(title: str, descriptor: int) -> None:
    try:
        os.write(descriptor, title.encode())
        faulthandler.dump_traceback(descriptor)
        tasks = [one for one in gc.get_objects() if isinstance(one, asyncio.Task) and not one.done()]
        for task in tasks:
            places = "".join(f"  {place}\n" for place in _places(task.get_coro()))
            os.write(descriptor, f"task {task.get_name()} waits in\n{places}".encode())
    finally:
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                process.kill()
        os._exit(EXIT_CODE)


def _places(awaited: Any) -> Iterator[str]:
    """Yield the place where a coroutine waits, then the place of what it awaits, and so on."""
    while awaited is not None:
        frame = getattr(awaited, "cr_frame", None) or getattr(awaited, "gi_frame", None)
        if frame is not None:
            yield f"{frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_qualname}"
        awaited = getattr(awaited, "cr_await", None) or getattr(awaited, "gi_yieldfrom", None)
