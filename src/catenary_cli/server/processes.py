"""Child processes of the supervisor: started, watched, restarted, and stopped with it."""

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
"""Seconds for which running work may go on after a process is told to stop."""
READY = "ready"
FAILED = "failed"
READY_FD = "CATENARY_READY_FD"


def die_with_parent() -> None:
    """Have the kernel send SIGTERM to this process when its parent dies.

    A killed supervisor then leaves nothing running.
    """
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)


def report_ready(note: str = "") -> None:
    """Tell the supervisor, if there is one, that this process works; `/readyz` shows `note` with it."""
    _report(READY, note)


def report_failed(reason: str) -> None:
    """Tell the supervisor, if there is one, why this process ends before it was ready."""
    _report(FAILED, reason)


def _report(word: str, note: str) -> None:
    descriptor = os.environ.pop(READY_FD, None)
    if descriptor:
        os.write(int(descriptor), f"{word} {' '.join(note.split())}"[:_LONGEST_REPORT].encode(errors="replace"))
        os.close(int(descriptor))


def settle() -> None:
    """Exclude all objects made so far from garbage collection, in a process that is ready for callers.

    These many objects stay until the end; repeated collections over them took a tenth of the time of a write. A request
    makes a few thousand objects, nearly all of which are freed without the collector, so that it can run less often.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


class ChildProcess:
    """One child process that is kept running until it is told to stop."""

    def __init__(self, name: str, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        """Prepare a child.

        Args:
            name: Name in logs and in `/readyz`.
            arguments: Arguments after `python -m catenary_cli`.
            environment: All variables of the child.
        """
        self.name = name
        self.ready = asyncio.Event()
        self._arguments = arguments
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self.failing = asyncio.Event()
        """Set after the child ended three times in a row without becoming ready."""
        self.note = ""
        """The child's note when it reported that it is ready."""
        self._failures = 0
        self._failed_for = ""
        self._stopping = False

    @property
    def pid(self) -> int | None:
        """The process id while the child runs."""
        return None if self._process is None else self._process.pid

    @property
    def state(self) -> str:
        """`ok` while the child works, else `not ready` with the reason that the child gave."""
        if self.ready.is_set():
            return "ok"
        return f"not ready: {self._failed_for}" if self._failed_for else "not ready"

    def start(self) -> None:
        """Start the child and keep it running."""
        self._task = asyncio.create_task(self._keep(), name=f"keep {self.name}")

    def request_stop(self) -> None:
        """Ask the child to end, by SIGTERM first, then by SIGINT, and do not restart it."""
        # Two equal pending signals merge into one (signal(7)); a node must see both.
        number = signal.SIGINT if self._stopping else signal.SIGTERM
        self._stopping = True
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def wait_ended(self, grace: float) -> None:
        """Wait for the end of the child after `ask`; kill it after `grace` seconds."""
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
            _log.warning("child ended; restarting it", child=self.name, code=code, pause=pause)
            await asyncio.sleep(pause)

    async def _run(self) -> bool:
        reading, writing = os.pipe()
        os.set_inheritable(writing, True)
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",  # the folder that the operator stands in may hold a `catenary` or a `random.py`
                "-m",
                "catenary_cli",
                *self._arguments,
                env={**self._environment, READY_FD: str(writing)},
                stdin=asyncio.subprocess.DEVNULL,
                pass_fds=(writing,),
                # Only the supervisor gets a Ctrl-C; it ends the workers before the nodes that receive their results.
                start_new_session=True,
            )
        finally:
            os.close(writing)
        try:
            if self._stopping:  # asked while it was being started
                self.request_stop()
            word, _, note = (await _read(reading)).partition(" ")
            if word == READY:
                self.note, self._failed_for = note, ""
                self.ready.set()
            else:
                self._failed_for = note
            await self._process.wait()
            return self.ready.is_set()
        finally:
            self.ready.clear()
            os.close(reading)


async def _read(descriptor: int) -> str:
    """Return the child's report, or an empty text if the child ends without one."""
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
    """SIGTERM and SIGINT of this process, from construction on; the first of them sets `first`."""

    def __init__(self) -> None:
        self.first = asyncio.Event()
        self._second = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._on_signal)

    async def second_until(self, end: float) -> None:
        """Wait for the second signal, until `time.monotonic()` is `end`."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._second.wait(), max(0.0, end - time.monotonic()))

    def _on_signal(self) -> None:
        (self._second if self.first.is_set() else self.first).set()
