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
import signal
import socket
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import orjson

from catenary_worker import received
from catenary_worker.printed import Printed
from catenary_worker.sandbox import async_pipe, pipe, runtime
from catenary_worker.task import RESULT_BYTES, SOURCE_BYTES, ModelError, ModelFaultError, Outcome, Task
from catenary_worker.zygote import LINGER_SECONDS, State

START_SECONDS = 60.0
"""Longest start of a zygote, and longest wait for a child to be ready."""
END_SECONDS = 5.0
"""Longest wait for a zygote to end, or to report the end of a killed child; then the zygote is killed or given up."""
SPARES = 2
"""Number of children that wait in their cells: the next task needs no fork while the last result is delivered."""
GRACE_SECONDS = 1.0
"""The time in which a child that closed its pipe ends by itself."""
_LARGE_BYTES = 1024 * 1024
"""Bytes of geometry above which a thread converts it, so that the event loop isn't blocked."""
_SIGNALS = {
    signal.SIGSEGV: "a segmentation fault",
    signal.SIGABRT: "an abort",
    signal.SIGBUS: "a bus error",
    signal.SIGFPE: "an arithmetic error",
    signal.SIGILL: "an illegal instruction",
}


class SandboxUnavailableError(ValueError):
    """Models cannot be sandboxed on this system, and running them without is not allowed; the text gives the reason."""


class CancelledRunError(Exception):
    """`Zygote.cancel` ended the run."""


class WorkerFaultError(Exception):
    """The worker failed, not the model; the same task may be tried again."""


def command(control: int, *, allow_unsandboxed: bool) -> list[str]:
    """Return the zygote's command line. `-P` keeps the current folder out of its import path."""
    line = [sys.executable, "-P", "-m", "catenary_worker.zygote", str(control)]
    return [*line, "unsandboxed"] if allow_unsandboxed else line


@dataclass(frozen=True)
class _Child:
    pid: int
    task: int
    result: int
    printed: int
    ended: asyncio.Future[int]

    def close(self) -> None:
        for descriptor in (self.task, self.result, self.printed):
            os.close(descriptor)


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
        self._births: deque[asyncio.Future[_Child]] = deque()
        self._spares: deque[asyncio.Task[_Child]] = deque()
        self._ends: dict[int, asyncio.Future[int]] = {}
        self._run_lock = asyncio.Lock()
        self._running: _Child | None = None
        self._busy = False
        self._cancelled = False
        self._lingering: dict[_Child, asyncio.TimerHandle] = {}
        self._openscad: tuple[str, int, int] | None = None

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
        async with self._run_lock:
            return await self._start()

    async def renew(self) -> bool:
        """Start the process again if another OpenSCAD program is installed than the one in its root.

        Returns whether it did. The next `run` starts a process that this could not start.

        Raises:
            SandboxUnavailableError: A restarted zygote cannot sandbox models.
            WorkerFaultError: The process did not start.
        """
        async with self._run_lock:
            if runtime.installed_openscad() == self._openscad:
                return False
            await self._start()
            return True

    async def run(self, task: Task) -> Outcome:
        """Run a task in a fresh child; a failed model is an outcome, not an exception.

        The child ends soon after its result has arrived, or at once when the call is cancelled or the task's time is
        over.

        Raises:
            WorkerFaultError: The zygote or its child was lost.
            SandboxUnavailableError: A restarted zygote cannot sandbox models.
            CancelledRunError: `cancel` ended the run.
        """
        if len(task.source) > SOURCE_BYTES:
            return _failed(f"The model file is larger than {SOURCE_BYTES >> 20} MiB.")
        async with self._run_lock:
            self._busy, self._cancelled = True, False
            try:
                outcome = await self._run(task)
            finally:
                self._busy = False
            if outcome is None or self._cancelled:
                raise CancelledRunError
            return outcome

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
            self._end(child)
        self._request_spares(SPARES)

    async def _run(self, task: Task) -> Outcome | None:
        """Run a task in a child; return None if it was cancelled before a child was ready."""
        child = self._running = await self._take(task)
        outcome = None
        try:
            if not self._cancelled:
                with _printed(child) as printed:
                    outcome = await self._perform(task, child)
                    outcome = replace(outcome, log=printed.text())
            return outcome
        finally:
            self._running = None
            if outcome is not None and outcome.status == "completed":
                self._lingering[child] = asyncio.get_running_loop().call_later(LINGER_SECONDS, self._end, child)
            else:
                self._end(child)
            self._request_spares(1)

    def _end(self, child: _Child) -> None:
        """End a child that has done its task."""
        if (timer := self._lingering.pop(child, None)) is not None:
            timer.cancel()
        child.close()
        self._send_control({"kill": child.pid})

    async def cancel(self) -> None:
        """Kill the child of the current `run`, if any; that `run` then raises `CancelledRunError`."""
        self._cancelled = self._busy
        if self._running is not None:
            self._send_control({"kill": self._running.pid})

    async def close(self) -> None:
        """End the zygote and all its children."""
        await self.cancel()
        async with self._run_lock:
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

    def _request_child(self, *, renders: bool) -> asyncio.Task[_Child]:
        """Request a child; the returned task ends when the child is in its cell."""
        birth: asyncio.Future[_Child] = asyncio.get_running_loop().create_future()
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
            self._births.popleft().set_result(_Child(message["child"], task, result, descriptors[2], ended))
        elif "ended" in message:
            self._ends.pop(message["ended"]).set_result(message["code"])
        else:
            self._lose()

    def _lose(self) -> None:
        """Close the control socket and raise ConnectionError in every waiting call."""
        for child in list(self._lingering):
            self._end(child)
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

    async def _take(self, task: Task) -> _Child:
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

    async def _take_spare(self) -> _Child:
        self._request_spares(1)
        self._check_alive()
        child = await asyncio.shield(self._spares[0])  # a cancelled run leaves the child to the next run
        self._check_alive()
        self._spares.popleft()
        return child

    async def _take_own(self) -> _Child:
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

    async def _perform(self, task: Task, child: _Child) -> Outcome:
        header = {name: value for name, value in vars(task).items() if name not in ("source", "code")}
        header["parameters"] = dict(task.parameters)
        try:
            async with asyncio.timeout(task.timeout):
                with contextlib.suppress(BrokenPipeError):
                    await async_pipe.write(child.task, pipe.pack(header, [task.source, task.code]))
                return await _receive(task, child.result)
        except TimeoutError:
            message = f"The model took longer than {task.timeout:g} s."
            return Outcome("timed_out", error=ModelError("EVALUATION_TIMEOUT", message))
        except (received.DamagedError, orjson.JSONDecodeError):
            return _failed(received.DAMAGED)
        except ModelFaultError as fault:
            return _failed(fault.message)
        except async_pipe.PipeClosedError:
            return _failed(_reason(await self._code(child), task))

    async def _code(self, child: _Child) -> int:
        """Return the exit code of a child that closed its pipe; kill a child that does not end by itself."""
        try:
            try:
                return await asyncio.wait_for(asyncio.shield(child.ended), GRACE_SECONDS)
            except TimeoutError:
                self._send_control({"kill": child.pid})
                return await asyncio.wait_for(asyncio.shield(child.ended), END_SECONDS)
        except (ConnectionError, TimeoutError) as error:
            raise WorkerFaultError("the zygote was lost") from error


@contextlib.contextmanager
def _printed(child: _Child) -> Iterator[Printed]:
    """Receive the output of a child while the block runs."""
    loop, printed = asyncio.get_running_loop(), Printed(child.printed)

    def receive() -> None:
        if not printed.receive():
            loop.remove_reader(child.printed)

    loop.add_reader(child.printed, receive)
    try:
        yield printed
    finally:
        loop.remove_reader(child.printed)


async def _when_in_cell(birth: asyncio.Future[_Child]) -> _Child:
    """Return a new child once it is in its cell."""
    child = await birth
    try:
        await async_pipe.read(child.result, len(pipe.READY))
    except BaseException:
        child.close()
        raise
    return child


def _discarded(spare: asyncio.Task[_Child]) -> None:
    """Close the child that no task will use; mark a failure as handled."""
    if not spare.cancelled() and spare.exception() is None:
        spare.result().close()


def _failed(message: str) -> Outcome:
    return Outcome("failed", error=ModelError("MODEL_FAILED", message))


def _reason(code: int, task: Task) -> str:
    """Explain from its exit code why a child ended without a result."""
    memory = f"more than {task.memory >> 20} MiB of memory"
    if code == 128 + signal.SIGKILL:
        return f"The model's process was killed from outside, as happens when it uses {memory}."
    if code > 128:
        crash = _SIGNALS.get(signal.Signals(code - 128), f"signal {code - 128}") if code - 128 < 65 else "a crash"
        return f"The model's process crashed with {crash}, as happens in deep recursion or with {memory}."
    return "The model ended its own process without returning a result."


async def _receive(task: Task, descriptor: int) -> Outcome:
    """Receive the result of a task, as large as it may be and no larger; large geometry is converted in a thread."""
    (size,) = pipe.LENGTH.unpack(await async_pipe.read(descriptor, pipe.LENGTH.size))
    if size > RESULT_BYTES:
        raise received.DamagedError
    header = orjson.loads(await async_pipe.read(descriptor, size))
    announced = received.announced(task, header)
    blobs = [await async_pipe.read(descriptor, size) for size in announced.sizes]
    if sum(announced.sizes) > _LARGE_BYTES:
        return await asyncio.to_thread(received.outcome, task, header, announced.geometry, blobs)
    return received.outcome(task, header, announced.geometry, blobs)
