"""The asynchronous side of a zygote: start it, give it tasks one at a time, end what takes too long.

    zygote = Zygote()
    await zygote.start()
    outcome = await zygote.run(Task("evaluate", "python", source, {"span": 24.0}))
    await zygote.close()
"""

import asyncio
import contextlib
import fcntl
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

import orjson

from catenary_worker import pipe, received, runtime
from catenary_worker.task import RESULT_BYTES, SOURCE_BYTES, ModelError, Outcome, Task
from catenary_worker.zygote import PIPE_BYTES, State

START_SECONDS = 60.0
"""Longest start of a zygote, and longest wait for a child to be ready."""
END_SECONDS = 5.0
"""After this a zygote that does not report its killed child's end is killed itself."""
GRACE_SECONDS = 1.0
"""How long a child that closed its pipe may take to die of itself."""
_F_SETPIPE_SZ = 1031
_SIGNALS = {
    signal.SIGSEGV: "a segmentation fault",
    signal.SIGABRT: "an abort",
    signal.SIGBUS: "a bus error",
    signal.SIGFPE: "an arithmetic error",
    signal.SIGILL: "an illegal instruction",
}


class SandboxUnavailableError(Exception):
    """Models cannot be sandboxed on this system, and nobody allowed to run them without; the text says why."""


class WorkerFaultError(Exception):
    """The worker, not the model, failed; the same task may be tried again."""


def command(control: int, *, allow_unsandboxed: bool) -> list[str]:
    """The zygote's command line. -P keeps the current folder out of its import path."""
    line = [sys.executable, "-P", "-m", "catenary_worker.zygote", str(control)]
    return [*line, "unsandboxed"] if allow_unsandboxed else line


async def sandbox_state() -> State:
    """Whether this system can sandbox models, tried in a process of its own (about 0.2 s), for /readyz."""
    line = [sys.executable, "-P", "-m", "catenary_worker.zygote", "probe"]
    process = await asyncio.create_subprocess_exec(
        *line, env=runtime.environment(), stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, cwd="/"
    )
    said, _ = await process.communicate()
    try:
        return State(**json.loads(said))
    except (ValueError, TypeError):
        return State(False, f"the probe ended with code {process.returncode}")


class Zygote:
    """One warm process that runs one task at a time, each in a child of its own.

    It starts itself again when it has died. `state` says whether its children are sandboxed; None before the start.
    """

    def __init__(self, *, allow_unsandboxed: bool = False) -> None:
        self.state: State | None = None
        self._allow_unsandboxed = allow_unsandboxed
        self._process: asyncio.subprocess.Process | None = None
        self._control: socket.socket | None = None
        self._one = asyncio.Lock()
        self._running = False
        self._cancelled = False

    @property
    def pid(self) -> int | None:
        """The zygote's process id while it runs."""
        return None if self._process is None else self._process.pid

    async def start(self) -> State:
        """Start the process and load the runtime (about 2 s). Raises `SandboxUnavailableError`."""
        async with self._one:
            return await self._start()

    async def run(self, task: Task) -> Outcome:
        """Run a task in a fresh child. A model at fault is an outcome; `WorkerFaultError` and
        `SandboxUnavailableError` are ours. Cancelling the call ends the child."""
        if len(task.source) > SOURCE_BYTES:
            return _failed(f"The model file is larger than {SOURCE_BYTES >> 20} MiB.")
        async with self._one:
            self._running, self._cancelled = True, False
            try:
                task_pipe, result_pipe = await self._spare()
                return await self._perform(task, task_pipe, result_pipe)
            except OSError as error:
                await self._stop(gently=False)
                raise WorkerFaultError("the zygote was lost") from error
            finally:
                self._running = False

    async def cancel(self) -> None:
        """Kill the child that is running, if one is; its `run` then raises `asyncio.CancelledError`."""
        if self._running:
            self._cancelled = True
            self._kill()

    async def close(self) -> None:
        """End the zygote and everything behind it."""
        await self.cancel()
        async with self._one:
            await self._stop(gently=True)

    async def _start(self) -> State:
        await self._stop(gently=False)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._control = ours
            ours.setblocking(False)
            self._process = await asyncio.create_subprocess_exec(
                *command(theirs.fileno(), allow_unsandboxed=self._allow_unsandboxed),
                env=runtime.environment(),
                cwd="/",
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # a Ctrl-C is for the host, which ends the zygote in good order
            )
        try:
            async with asyncio.timeout(START_SECONDS):
                message, _ = await self._receive()
        except (OSError, TimeoutError) as error:
            await self._stop(gently=False)
            raise WorkerFaultError("the zygote did not start") from error
        self.state = State(**message["state"])
        if not self.state.enforced and not self._allow_unsandboxed:
            await self._stop(gently=True)
            raise SandboxUnavailableError(f"models cannot be sandboxed here: {self.state.reason}")
        return self.state

    async def _stop(self, *, gently: bool) -> None:
        process, control = self._process, self._control
        self._process = self._control = None
        if control is not None:
            control.close()
        if process is None:
            return
        try:
            async with asyncio.timeout(END_SECONDS if gently else 0.5):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _receive(self) -> tuple[dict[str, Any], list[int]]:
        """The next control message; ConnectionError when the zygote has ended."""
        control = self._control
        if control is None:
            raise ConnectionError
        while True:
            try:
                data, descriptors, _, _ = socket.recv_fds(control, 65_536, 2)
                break
            except BlockingIOError:
                await _ready(asyncio.get_running_loop().add_reader, control.fileno())
        if not data:
            raise ConnectionError
        return json.loads(data), descriptors

    async def _spare(self) -> tuple[int, int]:
        """The pipes of a child that is in its cell, from a new zygote when the old one has died."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ConnectionError, TimeoutError, _Ended):
                return await self._next_child()
        await self._start()
        try:
            return await self._next_child()
        except (_Ended, TimeoutError) as error:
            await self._stop(gently=False)
            raise WorkerFaultError("a child could not enter its cell") from error

    async def _next_child(self) -> tuple[int, int]:
        async with asyncio.timeout(START_SECONDS):
            message, descriptors = await self._receive()
            if "spare" not in message or len(descriptors) != 2:
                raise _Ended
            for descriptor in descriptors:
                os.set_blocking(descriptor, False)
                with contextlib.suppress(PermissionError):  # past the user's pipe quota: slower, not wrong
                    fcntl.fcntl(descriptor, _F_SETPIPE_SZ, PIPE_BYTES)
            try:
                await _read(descriptors[1], len(pipe.READY))
            except BaseException:
                _close(descriptors)
                raise
        return descriptors[0], descriptors[1]

    async def _perform(self, task: Task, task_pipe: int, result_pipe: int) -> Outcome:
        header = {name: value for name, value in vars(task).items() if name != "source"}
        header["parameters"] = dict(task.parameters)
        sent: object = None
        blobs: list[bytes] = []
        timed_out = False
        try:
            async with asyncio.timeout(task.timeout):
                with contextlib.suppress(BrokenPipeError):
                    for piece in pipe.pack(header, [task.source]):
                        await _write(task_pipe, piece)
                sent, blobs = await _message(result_pipe)
        except TimeoutError:
            timed_out = True
        except (_Ended, received.Damaged, orjson.JSONDecodeError):
            pass
        finally:
            _close([task_pipe, result_pipe])
            code = await asyncio.shield(self._ended(kill=timed_out or sent is not None or self._cancelled))
        if self._cancelled:
            raise asyncio.CancelledError
        if timed_out:
            message = f"The model took longer than {task.timeout:g} s."
            return Outcome("timed_out", error=ModelError("EVALUATION_TIMEOUT", message))
        if sent is None:
            return _failed(_reason(code, task))
        try:
            return received.outcome(task, sent, blobs)
        except received.Damaged:
            return _failed(received.DAMAGED)

    async def _ended(self, *, kill: bool) -> int:
        """Wait for the child's end, killing it at once or after its grace; its exit code."""
        if kill:
            self._kill()
        waiting = asyncio.ensure_future(self._receive())
        done, _ = await asyncio.wait([waiting], timeout=GRACE_SECONDS)
        if not done:
            self._kill()
            done, _ = await asyncio.wait([waiting], timeout=END_SECONDS)
        if not done:
            waiting.cancel()
            raise ConnectionError
        message, _ = waiting.result()
        return int(message["ended"])

    def _kill(self) -> None:
        if self._control is not None:
            with contextlib.suppress(OSError):
                self._control.send(b"kill")


class _Ended(Exception):  # noqa: N818 - a turn of events, not an error
    """The child closed its pipe."""


def _failed(message: str) -> Outcome:
    return Outcome("failed", error=ModelError("MODEL_FAILED", message))


def _reason(code: int, task: Task) -> str:
    """Why a child without a result ended, from its exit code."""
    memory = f"more than {task.memory >> 20} MiB of memory"
    if code == 128 + signal.SIGKILL:
        return f"The model's process was killed from outside, as happens when it uses {memory}."
    if code > 128:
        crash = _SIGNALS.get(signal.Signals(code - 128), f"signal {code - 128}") if code - 128 < 65 else "a crash"
        return f"The model's process crashed with {crash}, as happens in deep recursion or with {memory}."
    return "The model ended its own process without returning a result."


async def _message(descriptor: int) -> tuple[object, list[bytes]]:
    (size,) = pipe.LENGTH.unpack(await _read(descriptor, pipe.LENGTH.size))
    if size > RESULT_BYTES:
        raise received.Damaged
    header = orjson.loads(await _read(descriptor, size))
    return header, [bytes(await _read(descriptor, length)) for length in received.blob_sizes(header)]


async def _ready(add: Callable[..., Any], descriptor: int) -> None:
    """Wait until the loop's `add_reader` or `add_writer` calls back for a descriptor."""
    loop = asyncio.get_running_loop()
    event = asyncio.Event()
    add(descriptor, event.set)
    try:
        await event.wait()
    finally:
        (loop.remove_reader if add == loop.add_reader else loop.remove_writer)(descriptor)


async def _read(descriptor: int, size: int) -> bytearray:
    found = bytearray()
    while len(found) < size:
        try:
            piece = os.read(descriptor, min(size - len(found), PIPE_BYTES))
        except BlockingIOError:
            await _ready(asyncio.get_running_loop().add_reader, descriptor)
            continue
        if not piece:
            raise _Ended
        found += piece
    return found


async def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:
            await _ready(asyncio.get_running_loop().add_writer, descriptor)


def _close(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


