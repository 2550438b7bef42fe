"""Child processes of the supervisor: started, watched, started again, and stopped with it."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence

import structlog

_log = structlog.get_logger(__name__)
_PR_SET_PDEATHSIG = 1
_LONGEST_PAUSE = 5.0
_STABLE_SECONDS = 10.0
_LONGEST_REPORT = 500
STOP_SECONDS = 30.0
"""How long what runs may go on when a process is told to stop."""
READY = "ready"
FAILED = "failed"
READY_FD = "CATENARY_READY_FD"


def die_with_parent() -> None:
    """Has the kernel send SIGTERM to this process when its parent dies, so that a killed supervisor leaves nothing running."""
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)


def report_ready(note: str = "") -> None:
    """Tells the supervisor, if there is one, that this process is at work; `note` is what `/readyz` says of it beside that."""
    _report(READY, note)


def report_failed(reason: str) -> None:
    """Tells the supervisor, if there is one, why this process ends without having been ready."""
    _report(FAILED, reason)


def _report(word: str, note: str) -> None:
    descriptor = os.environ.pop(READY_FD, None)
    if descriptor:
        os.write(int(descriptor), f"{word} {' '.join(note.split())}"[:_LONGEST_REPORT].encode(errors="replace"))
        os.close(int(descriptor))


def settle() -> None:
    """Has the garbage collector leave out all that was made so far, when a process that answers callers is up.

    It stays until the end, and there is much of it: looked through again and again it took a tenth of the time of a write. A
    request makes few thousand objects, nearly all of which go without the collector, so that it needs to look less often.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


class ChildProcess:
    """One child process that is kept running until `stop`."""

    def __init__(self, name: str, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        """`arguments` follow `python -m catenary_cli`."""
        self.name = name
        self.ready = asyncio.Event()
        self._arguments = arguments
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self.failing = asyncio.Event()
        """Set when it ended three times in a row without becoming ready."""
        self.note = ""
        """What it said of itself when it was ready."""
        self._failures = 0
        self._failed_for = ""
        self._stopping = False

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return None if self._process is None else self._process.pid

    @property
    def state(self) -> str:
        """`ok` when it is at work, else what it is not, with its reason where it gave one."""
        if self.ready.is_set():
            return "ok"
        return f"not ready: {self._failed_for}" if self._failed_for else "not ready"

    def start(self) -> None:
        """Starts it and keeps it running."""
        self._task = asyncio.create_task(self._keep(), name=f"keep {self.name}")

    def ask(self) -> None:
        """Asks it to end by SIGTERM, at a further call by SIGINT, and starts it no more."""
        # Two equal signals that come at once are one (signal(7)); a node must see both.
        number = signal.SIGINT if self._stopping else signal.SIGTERM
        self._stopping = True
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def ended(self, grace: float) -> None:
        """Waits until it has ended after `ask`, and kills it after `grace` seconds."""
        if self._task is None:
            return
        try:
            await asyncio.wait_for(asyncio.shield(self._task), grace)
        except TimeoutError:
            _log.error("killed a child that did not stop", child=self.name, seconds=grace)
            if self._process is not None:
                with contextlib.suppress(ProcessLookupError):
                    self._process.kill()
            await self._task

    async def _keep(self) -> None:
        pause = 0.1
        while not self._stopping:
            started = time.monotonic()
            was_ready = await self._run()
            if self._stopping:
                return
            self._failures = 0 if was_ready else self._failures + 1
            if self._failures >= 3:
                self.failing.set()
            pause = 0.1 if time.monotonic() - started > _STABLE_SECONDS else min(pause * 2, _LONGEST_PAUSE)
            code = self._process.returncode if self._process else None
            _log.warning("child ended; starting it again", child=self.name, code=code, pause=pause)
            await asyncio.sleep(pause)

    async def _run(self) -> bool:
        reading, writing = os.pipe()
        os.set_inheritable(writing, True)
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "catenary_cli",
                *self._arguments,
                env={**os.environ, **self._environment, READY_FD: str(writing)},
                pass_fds=(writing,),
                # A Ctrl-C is for the supervisor, which ends the workers before the nodes that take their results.
                start_new_session=True,
            )
        finally:
            os.close(writing)
        try:
            if self._stopping:  # asked while it was being started
                self.ask()
            word, _, said = (await _read(reading)).partition(" ")
            if word == READY:
                self.note, self._failed_for = said, ""
                self.ready.set()
            else:
                self._failed_for = said
            await self._process.wait()
            return self.ready.is_set()
        finally:
            self.ready.clear()
            os.close(reading)


async def _read(descriptor: int) -> str:
    """What the child reports, or nothing when it ends before."""
    loop = asyncio.get_running_loop()
    got: asyncio.Future[str] = loop.create_future()

    def readable() -> None:
        if not got.done():
            got.set_result(os.read(descriptor, 4 * _LONGEST_REPORT).decode(errors="replace"))

    loop.add_reader(descriptor, readable)
    try:
        return await got
    finally:
        loop.remove_reader(descriptor)


class StopSignals:
    """SIGTERM and SIGINT of this process, from its making on: `first` is set by the first of them."""

    def __init__(self) -> None:
        self.first = asyncio.Event()
        self._second = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._came)

    async def second_until(self, end: float) -> None:
        """Waits for the second one, until `time.monotonic()` is `end`."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._second.wait(), max(0.0, end - time.monotonic()))

    def _came(self) -> None:
        (self._second if self.first.is_set() else self.first).set()
