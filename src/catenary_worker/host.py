"""The asynchronous side of a zygote: start it, give it one task at a time, end what takes too long.

zygote = Zygote()
await zygote.start()
outcome = await zygote.run(Task("evaluate", "python", source, {"span": 24.0}))
await zygote.close()
"""

import asyncio
import contextlib
import json
import os
import socket
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import Any

from catenary_worker.child import END_SECONDS, Child, WorkerFaultError, failed, first_message, perform
from catenary_worker.kept import Kept
from catenary_worker.reused import IdleChildren, LeftChild
from catenary_worker.sandbox import async_pipe, pipe, runtime
from catenary_worker.task import SOURCE_BYTES, Outcome, Task
from catenary_worker.turns import WorkTurns
from catenary_worker.zygote import LINGER_SECONDS, State

START_SECONDS = 60.0
"""Longest start of a zygote, and longest wait for a child to be ready."""
SPARES = 2
"""Number of children that wait in their cells: the next task needs no fork while the last result is delivered."""


class SandboxUnavailableError(ValueError):
    """Models cannot be sandboxed on this system, and running them without is not allowed; the text gives the reason."""


class CancelledRunError(Exception):
    """`Zygote.cancel` ended the run."""


def command(control: int, *, allow_unsandboxed: bool) -> list[str]:
    """Return the zygote's command line. `-P` keeps the current folder out of its import path."""
    line = [sys.executable, "-P", "-m", "catenary_worker.zygote", str(control)]
    return [*line, "unsandboxed"] if allow_unsandboxed else line


class Zygote:
    """One warm process that runs one task at a time, each in a child of its own.

    `replenish` forks children ahead of their tasks, at a time when the fork delays nothing; a task that starts the
    OpenSCAD program gets a child forked for it. A process that has died is started again.
    """

    def __init__(self, *, allow_unsandboxed: bool = False) -> None:
        self.state: State | None = None
        self._allow_unsandboxed = allow_unsandboxed
        self._process: asyncio.subprocess.Process | None = None
        self._control: socket.socket | None = None
        self._state_received: asyncio.Future[State] | None = None
        self._births: deque[asyncio.Future[Child]] = deque()
        self._spares: deque[asyncio.Task[Child]] = deque()
        self._ends: dict[int, asyncio.Future[int]] = {}
        self._turns = WorkTurns()
        self._running: Child | None = None
        self._busy = False
        self._cancelled = False
        self._lingering: dict[Child, asyncio.TimerHandle] = {}
        self._openscad: tuple[str, int, int] | None = None
        self.left = LeftChild()
        """The child that waits for the next points of its sharers."""
        self.idle = IdleChildren()
        """Those who hold a child for their next point."""

    @property
    def pid(self) -> int | None:
        """The zygote's process id while it runs."""
        return None if self._process is None else self._process.pid

    async def start(self) -> State:
        """Start the process and load the runtime (about 1 s).

        Raises:
            SandboxUnavailableError: Models cannot be sandboxed here, and running them without is not allowed.
            WorkerFaultError: The process did not start.
        """
        async with self._turns.turn():
            return await self._start()

    async def renew(self) -> bool:
        """Start the process again if another OpenSCAD program is installed than the one in its root.

        Returns whether it did. The next `run` starts a process that this could not start.

        Raises:
            SandboxUnavailableError: A restarted zygote cannot sandbox models.
            WorkerFaultError: The process did not start.
        """
        # Looked at before the turn: else a worker would wait for the design that runs before each lease.
        if runtime.installed_openscad() == self._openscad:
            return False
        async with self._turns.turn():
            if runtime.installed_openscad() == self._openscad:
                return False
            await self._start()
            return True

    async def run(self, task: Task) -> Outcome:
        """Run a task in a fresh child; a failed model is an outcome, not an exception.

        An evaluation is judged by the description of its model; one without a description is described first, by a child
        of its own that runs none of the model.

        The child ends soon after its result has arrived, or at once when the call is cancelled or the task's time is
        over.

        Raises:
            WorkerFaultError: The zygote or its child was lost.
            SandboxUnavailableError: A restarted zygote cannot sandbox models.
            CancelledRunError: `cancel` ended the run.
        """
        async with self.slot(task):
            return await self.run_once(task)

    def keep(self, task: Task) -> Kept:
        """Return a context in which one child after the other runs points of a task's model.

        async with zygote.keep(task) as kept:
            outcome = await kept.evaluate({"span": 24.0})
        """
        return Kept(self, task)

    @contextlib.asynccontextmanager
    async def slot(self, task: Task) -> AsyncIterator[None]:
        """Hold the one place for work while the block runs, in the turn of the task's user and project.

        Raises:
            CancelledRunError: `cancel` ended the block's work.
        """
        async with self._turns.turn(task.user, task.project):
            self._busy, self._cancelled = True, False
            try:
                yield
            finally:
                self._busy = False
            if self._cancelled:
                raise CancelledRunError

    @contextlib.contextmanager
    def running(self, child: Child) -> Iterator[None]:
        """Let `cancel` kill a child while the block runs, in which the next spare child is made.

        Raises:
            CancelledRunError: `cancel` came before the block.
        """
        self._running = child
        try:
            if self._cancelled:
                raise CancelledRunError
            self._request_spares(1)
            yield
        finally:
            self._running = None

    def wanted(self, tell: Callable[[], None]) -> AbstractContextManager[None]:
        """Return a context in which a function is called for each that waits for the place for work."""
        return self._turns.wanted(tell)

    async def run_once(self, task: Task) -> Outcome:
        """Run a task as `run` does, within a slot."""
        if len(task.source) > SOURCE_BYTES:
            return failed(f"The model file is larger than {SOURCE_BYTES >> 20} MiB.")
        if task.mode == "evaluate" and task.description is None:
            described = await self._run(replace(task, mode="describe", parameters={}))
            if described.status != "completed":
                return described
            task = replace(task, description=described.description, code=described.code)
        return await self._run(task)

    async def ready(self) -> None:
        """Wait until a spare child is in its cell, so that a task would start at once.

        Returns at once if no spare was requested, and after START_SECONDS at the latest; `run` then handles the
        failure.
        """
        if self._spares:
            await asyncio.wait(list(self._spares), timeout=START_SECONDS, return_when=asyncio.FIRST_COMPLETED)

    def replenish(self) -> None:
        """End the last task's child and request the spare children for the next tasks.

        Best called after the last result is delivered: a fork takes a core for 20 ms, and a child that writes to pages
        shared with another runs at half the speed.
        """
        for child in list(self._lingering):
            self.end(child)
        self._request_spares(SPARES)

    async def _run(self, task: Task) -> Outcome:
        """Run a task in a child of its own."""
        child = await self.take(task)
        outcome = None
        try:
            with self.running(child):
                outcome = await perform(child, task, first_message(task))
            return outcome
        finally:
            if outcome is not None and outcome.status == "completed":
                self._lingering[child] = asyncio.get_running_loop().call_later(LINGER_SECONDS, self.end, child)
            else:
                self.end(child)

    def end(self, child: Child) -> None:
        """End a child that has done its work."""
        if (timer := self._lingering.pop(child, None)) is not None:
            timer.cancel()
        child.close()
        child.kill()

    async def cancel(self) -> None:
        """Kill the child of the current `run`, if any; that `run` then raises `CancelledRunError`."""
        self._cancelled = self._busy
        if self._running is not None:
            self._running.kill()

    async def close(self) -> None:
        """End the zygote and all its children."""
        await self.cancel()
        async with self._turns.turn():
            await self._stop()

    async def _start(self) -> State:
        await self._stop()
        loop = asyncio.get_running_loop()
        self._openscad = runtime.installed_openscad()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            ours.setblocking(False)
            self._control, self._state_received = ours, loop.create_future()
            self._process = await asyncio.create_subprocess_exec(
                *command(theirs.fileno(), allow_unsandboxed=self._allow_unsandboxed),
                env=runtime.environment(),
                cwd="/",
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # only the host gets a Ctrl-C, and it ends the zygote in good order
            )
        loop.add_reader(ours.fileno(), self._receive_control)
        try:
            self.state = await asyncio.wait_for(self._state_received, START_SECONDS)
        except (ConnectionError, TimeoutError) as error:
            await self._stop()
            raise WorkerFaultError("the zygote did not start") from error
        if not self.state.enforced and not self._allow_unsandboxed:
            await self._stop()
            raise SandboxUnavailableError(f"models cannot be sandboxed here: {self.state.reason}")
        self._request_spares(1)
        return self.state

    async def _stop(self) -> None:
        process, self._process = self._process, None
        self._lose()
        if process is None:
            return
        try:
            await asyncio.wait_for(process.wait(), END_SECONDS)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def _request_spares(self, wanted: int) -> None:
        """Request the missing spare children, unless the zygote is lost."""
        while self._control is not None and len(self._spares) < wanted:
            self._spares.append(self._request_child(renders=False))

    def _request_child(self, *, renders: bool) -> asyncio.Task[Child]:
        """Request a child; the returned task ends when the child is in its cell."""
        birth: asyncio.Future[Child] = asyncio.get_running_loop().create_future()
        self._births.append(birth)
        self._send_control({"fork": True, "renders": renders})
        return asyncio.create_task(_when_in_cell(birth), name="child")

    def _send_control(self, message: dict[str, Any]) -> None:
        if self._control is not None:
            with contextlib.suppress(OSError):  # a lost zygote is noticed when it no longer sends
                self._control.send(json.dumps(message).encode())

    def _receive_control(self) -> None:
        """Receive and handle one control message."""
        if self._control is None:
            return
        try:
            data, descriptors, _, _ = socket.recv_fds(self._control, 65_536, 3)
        except BlockingIOError:
            return
        except OSError:
            data, descriptors = b"", []
        message = json.loads(data) if data else {}
        if "state" in message and self._state_received is not None:
            self._state_received.set_result(State(**message["state"]))
        elif "child" in message and self._births:
            ended = self._ends[message["child"]] = asyncio.get_running_loop().create_future()
            task, result = map(async_pipe.make_nonblocking, descriptors[:2])
            os.set_blocking(descriptors[2], False)
            kill = partial(self._send_control, {"kill": message["child"]})
            self._births.popleft().set_result(Child(message["child"], task, result, descriptors[2], ended, kill))
        elif "ended" in message:
            self._ends.pop(message["ended"]).set_result(message["code"])
        else:
            self._lose()

    def _lose(self) -> None:
        """Close the control socket and raise ConnectionError in every waiting call."""
        self.left.end()
        for child in list(self._lingering):
            self.end(child)
        if self._control is not None:
            asyncio.get_running_loop().remove_reader(self._control.fileno())
            self._control.close()
        for waiting in (self._state_received, *self._births, *self._ends.values()):
            if waiting is not None and not waiting.done():
                waiting.set_exception(ConnectionError("the zygote ended"))
                waiting.exception()  # mark it as retrieved: perhaps no call waits
        for spare in self._spares:  # those not in their cells yet end with the zygote
            spare.add_done_callback(_discarded)
        self._control = None
        self._spares.clear()
        self._births.clear()
        self._ends.clear()

    async def take(self, task: Task) -> Child:
        """Return a child that is in its cell, from a new zygote if the old one has died.

        Raises:
            WorkerFaultError: No child was ready at the second attempt.
        """
        for attempt in (1, 2):
            if self._control is None:
                await self._start()
            try:
                async with asyncio.timeout(START_SECONDS):
                    return await (self._take_own() if task.renders else self._take_spare())
            except (ConnectionError, TimeoutError, async_pipe.PipeClosedError) as error:
                await self._stop()
                if attempt == 2:
                    raise WorkerFaultError("no child could enter its cell") from error
        raise AssertionError

    async def _take_spare(self) -> Child:
        self._request_spares(1)
        self._check_alive()
        child = await asyncio.shield(self._spares[0])  # a cancelled run leaves the child to the next run
        self._check_alive()
        self._spares.popleft()
        return child

    async def _take_own(self) -> Child:
        """Return a child forked for a task that renders: a spare child may start no program."""
        self._check_alive()
        own = self._request_child(renders=True)
        try:
            child = await asyncio.shield(own)
            self._check_alive()
        except BaseException:
            own.add_done_callback(_discarded)
            raise
        return child

    def _check_alive(self) -> None:
        """Raise ConnectionError if the zygote, and with it its children, is lost."""
        if self._control is None:
            raise ConnectionError


async def _when_in_cell(birth: asyncio.Future[Child]) -> Child:
    """Return a new child once it is in its cell."""
    child = await birth
    try:
        await async_pipe.read(child.result, len(pipe.READY))
    except BaseException:
        child.close()
        raise
    return child


def _discarded(spare: asyncio.Task[Child]) -> None:
    """Close the child that no task will use; mark a failure as handled."""
    if not spare.cancelled() and spare.exception() is None:
        spare.result().close()
