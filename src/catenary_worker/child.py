"""A child as its host sees it: three pipes and an end. `perform` gives it a task and receives the checked outcome."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import orjson

from catenary_wire.model_limits import RESULT_BYTES
from catenary_worker import received
from catenary_worker.printed import Printed
from catenary_worker.sandbox import async_pipe, pipe
from catenary_worker.task import ModelError, ModelFaultError, Outcome, Task

END_SECONDS = 5.0
"""Longest wait for a zygote to end, or to report the end of a killed child; then the zygote is killed or given up."""
GRACE_SECONDS = 1.0
"""The time in which a child that closed its pipe ends by itself."""
TOGETHER_SECONDS = 2.0
"""Longest time for points that were given to a child together: they are some 0.2 s of work."""
_LARGE_BYTES = 1024 * 1024
"""Bytes of a result above which a thread converts it, so that the event loop isn't blocked.

Expressions make even a small description take some tenths of a second.
"""
_KILLED = 128 + signal.SIGKILL
_SIGNALS = {
    signal.SIGSEGV: "a segmentation fault",
    signal.SIGABRT: "an abort",
    signal.SIGBUS: "a bus error",
    signal.SIGFPE: "an arithmetic error",
    signal.SIGILL: "an illegal instruction",
}


class WorkerFaultError(Exception):
    """The worker failed, not the model; the same task may be tried again."""


@dataclass(frozen=True)
class Child:
    """A forked process, with the host's ends of its pipes."""

    pid: int
    task: int
    """Descriptor to write tasks to."""
    result: int
    """Descriptor to read results from."""
    printed: int
    """Descriptor to read the model's output from."""
    ended: asyncio.Future[int]
    """Its exit code; ConnectionError if the zygote was lost."""
    kill: Callable[[], None]
    """Has the zygote kill the process."""

    def close(self) -> None:
        """Close the pipes."""
        for descriptor in (self.task, self.result, self.printed):
            os.close(descriptor)


async def perform(child: Child, task: Task, message: Sequence[pipe.Blob]) -> Outcome:
    """Send the message of a task and return the outcome, with the model's output and the duration.

    Raises:
        WorkerFaultError: The zygote was lost.
    """
    with _printed(child, task) as printed:
        started = time.perf_counter()

        def tell(outcome: Outcome) -> None:
            if task.on_early is not None:
                task.on_early(replace(outcome, duration_ms=(time.perf_counter() - started) * 1e3))

        outcome = await _exchange(child, task, message, tell)
        duration = (time.perf_counter() - started) * 1e3
        return replace(outcome, log=printed.text(), duration_ms=duration)


async def perform_together(
    child: Child, tasks: Sequence[Task], wanted: Callable[[Callable[[], None]], AbstractContextManager[None]]
) -> list[Outcome]:
    """Send several points of one model in one message; return the outcomes of the first of them, without output.

    Args:
        child: A child that has run a point of the model.
        tasks: The points, without geometry.
        wanted: Calls a function when the child should give back the points that it has not begun.

    Returns:
        The outcomes up to the first that did not complete; none if the child gave no sound answer in time.
    """
    with _printed(child, replace(tasks[0], on_progress=None)) as printed:
        started = time.perf_counter()
        try:
            async with asyncio.timeout(min(TOGETHER_SECONDS, tasks[0].timeout)):
                await async_pipe.write(child.task, pipe.pack({"points": [dict(task.parameters) for task in tasks]}))
                with wanted(lambda: async_pipe.write_at_once(child.task, _GIVE_BACK)):
                    header, _ = await _header(child.result)
            outcomes = received.outcomes(tasks, header)
            shares = received.shares(header, len(outcomes))
        except _UNSOUND:
            return []
        duration = (time.perf_counter() - started) * 1e3
        printed.text()  # read away: it doesn't say of which point it is
    return [replace(one, duration_ms=duration * share) for one, share in zip(outcomes, shares, strict=True)]


_GIVE_BACK = b"".join(pipe.pack({"points": []}))
"""The message at which a child gives back the points that it has not begun; between two messages it says nothing."""
_UNSOUND = (TimeoutError, BrokenPipeError, async_pipe.PipeClosedError, received.DamagedError, orjson.JSONDecodeError)


_OF_THE_HOST = {"source", "code", "files", "on_early", "on_progress"}
"""Fields of a task that are not in the header of its message."""


def first_message(task: Task, *, keeps: bool = False) -> list[pipe.Blob]:
    """Return the message that gives a new child its task; with `keeps` the child waits for further points."""
    header = {name: value for name, value in vars(task).items() if name not in _OF_THE_HOST}
    header["parameters"] = dict(task.parameters)
    header["file_names"] = {parameter: file.name for parameter, file in task.files.items()}
    contents = [file.content for file in task.files.values()]
    return pipe.pack({**header, "keeps": keeps}, [task.source, task.code, *contents])


def failed(message: str) -> Outcome:
    """Return the outcome of a model that failed."""
    return Outcome("failed", error=ModelError("MODEL_FAILED", message))


async def _exchange(child: Child, task: Task, message: Sequence[pipe.Blob], tell: Callable[[Outcome], None]) -> Outcome:
    try:
        async with asyncio.timeout(task.timeout):
            with contextlib.suppress(BrokenPipeError):
                await async_pipe.write(child.task, message)
            return await _receive(task, child.result, tell)
    except TimeoutError:
        text = f"The model took longer than {task.timeout:g} s."
        return Outcome("timed_out", error=ModelError("EVALUATION_TIMEOUT", text))
    except (received.DamagedError, orjson.JSONDecodeError):
        return failed(received.DAMAGED)
    except ModelFaultError as fault:
        return failed(fault.message)
    except async_pipe.PipeClosedError:
        code = await _code(child)
        return replace(failed(_reason(code, task)), exhausted=code == _KILLED)


async def _code(child: Child) -> int:
    """Return the exit code of a child that closed its pipe; kill a child that does not end by itself."""
    try:
        try:
            return await asyncio.wait_for(asyncio.shield(child.ended), GRACE_SECONDS)
        except TimeoutError:
            child.kill()
            return await asyncio.wait_for(asyncio.shield(child.ended), END_SECONDS)
    except (ConnectionError, TimeoutError) as error:
        raise WorkerFaultError("the zygote was lost") from error


@contextlib.contextmanager
def _printed(child: Child, task: Task) -> Iterator[Printed]:
    """Receive the output of a child while the block runs."""
    loop, printed = asyncio.get_running_loop(), Printed(child.printed, task.on_progress)

    def receive() -> None:
        if not printed.receive():
            loop.remove_reader(child.printed)

    loop.add_reader(child.printed, receive)
    try:
        yield printed
    finally:
        loop.remove_reader(child.printed)


def _reason(code: int, task: Task) -> str:
    """Explain from its exit code why a child ended without a result."""
    memory = f"more than {task.memory >> 20} MiB of memory"
    if code == _KILLED:
        return f"The model's process was killed from outside, as happens when it uses {memory}."
    if code > 128:
        crash = _SIGNALS.get(signal.Signals(code - 128), f"signal {code - 128}") if code - 128 < 65 else "a crash"
        return f"The model's process crashed with {crash}, as happens in deep recursion or with {memory}."
    return "The model ended its own process without returning a result."


async def _receive(task: Task, descriptor: int, tell: Callable[[Outcome], None]) -> Outcome:
    """Receive the result of a task, of whose two messages the first one is told where something is wanted early."""
    if not task.early:
        return await _message(descriptor, task, received.outcome)
    early = await _message(descriptor, task, received.early)
    if early.status != "completed":
        return early
    tell(early)
    return await _message(descriptor, task, partial(received.late, early))


async def _message(descriptor: int, task: Task, build: Callable[..., Outcome]) -> Outcome:
    """Receive a message, as large as it may be and no larger; a large one and a description are converted in a thread."""
    header, size = await _header(descriptor)
    announced = received.announced(task, header)
    blobs = [await async_pipe.read(descriptor, length) for length in announced.sizes]
    if task.mode == "describe" or size + sum(announced.sizes) > _LARGE_BYTES:
        return await asyncio.to_thread(build, task, header, announced.geometry, blobs)
    return build(task, header, announced.geometry, blobs)


async def _header(descriptor: int) -> tuple[Any, int]:
    """Receive the header of a result, and its size."""
    (size,) = pipe.LENGTH.unpack(await async_pipe.read(descriptor, pipe.LENGTH.size))
    if size > RESULT_BYTES:
        raise received.DamagedError
    return orjson.loads(await async_pipe.read(descriptor, size)), size
