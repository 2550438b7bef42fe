"""A child that runs several points of one model, as its host sees it; `reuse` is the child's side."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Protocol

from catenary_worker.child import Child, first_message, perform, perform_together
from catenary_worker.printed import Printed
from catenary_worker.sandbox import async_pipe, pipe
from catenary_worker.task import InputFile, Outcome, Task

SETTLE_SECONDS = 5.0
"""Longest wait for a child to be ready for its next point."""
LEFT_SECONDS = 5.0
"""Longest life of a child that waits for the next points of its sharers."""
MOST_IDLE = 8
"""Maximum number of children that wait for their next point: each holds 7 MiB and what its model keeps."""
_THREAD_SECONDS = 0.05
"""Longest wait for the kernel to end a thread whose end the model has waited for."""


class Children(Protocol):
    """The zygote as a `Kept` uses it: the source of children, and the one place for work."""

    left: LeftChild
    idle: IdleChildren

    def slot(self, task: Task) -> AbstractAsyncContextManager[None]:
        """Hold the place for work while the block runs, in the turn of the task's user and project."""
        ...

    def running(self, child: Child) -> AbstractContextManager[None]:
        """Mark a child as the one at work while the block runs."""
        ...

    def wanted(self, tell: Callable[[], None]) -> AbstractContextManager[None]:
        """Return a context in which a function is called for each that waits for the place."""
        ...

    async def take(self, task: Task) -> Child:
        """Return a fresh child."""
        ...

    def end(self, child: Child) -> None:
        """End a child."""
        ...

    async def run_once(self, task: Task) -> Outcome:
        """Run a task in a child of its own."""
        ...


class ReusedChild:
    """One child and the work that it has done; whoever uses it holds the zygote's place for work."""

    def __init__(self, children: Children, child: Child) -> None:
        """Begin with a fresh child."""
        self.points = 0
        """Number of points that it ran."""
        self.seconds = 0.0
        """Duration of all of them."""
        self.loading = 0.0
        """Duration of the first one, in which the model is loaded."""
        self.files: Mapping[str, InputFile] = {}
        """Files of its points: a child has those of one set of values alone."""
        self._children = children
        self._child: Child | None = child

    async def fits(self) -> bool:
        """Return whether the child may run another point: it is ready, its pipe is empty, and it has no more threads."""
        if self._child is None or self._child.ended.done():
            return False
        try:
            async with asyncio.timeout(SETTLE_SECONDS):
                ready = await async_pipe.read(self._child.result, len(pipe.READY))
        except (TimeoutError, async_pipe.PipeClosedError):
            return False
        if ready != pipe.READY or not async_pipe.is_empty(self._child.result):
            return False
        return await _has_one_thread(self._child.pid)

    async def run(self, task: Task) -> Outcome:
        """Run a point; end the child if the point does not complete."""
        if self._child is None:
            raise ValueError("the child has ended")
        outcome = None
        try:
            with self._children.running(self._child):
                if self.points:
                    Printed(self._child.printed).text()  # what came after the last point's end belongs to no point
                    message = pipe.pack(
                        {"parameters": dict(task.parameters), "geometry": task.geometry, "early": task.early}
                    )
                else:
                    message = first_message(task, keeps=True)
                    self.files = task.files
                outcome = await perform(self._child, task, message)
        finally:
            if outcome is None or outcome.status != "completed":
                self.end()
        seconds = outcome.duration_ms / 1e3
        if not self.points:
            self.loading = seconds
        self.points += 1
        self.seconds += seconds
        return outcome

    async def run_together(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Run points without geometry by one message, not the child's first ones; return the outcomes of the first of them.

        There are fewer than points where somebody waits for the place, or a point did not complete, which is then the
        last one and ends the child. There is none, and the child has ended, where it gave no sound answer in time or
        has more threads than at its start: who of the points is to blame shows when each runs alone.
        """
        child = self._child
        if child is None:
            raise ValueError("the child has ended")
        outcomes: list[Outcome] = []
        try:
            with self._children.running(child):
                found = await perform_together(child, tasks, self._children.wanted)
                if len(found) == 1 or await _has_one_thread(child.pid):
                    outcomes = found
        finally:
            if not outcomes or outcomes[-1].status != "completed":
                self.end()
        self.points += len(outcomes)
        self.seconds += sum(outcome.duration_ms for outcome in outcomes) / 1e3
        return outcomes

    def end(self) -> None:
        """End the child, unless it has ended."""
        child, self._child = self._child, None
        if child is not None:
            self._children.end(child)


class Holder(Protocol):
    """Somebody who holds an idle child."""

    def drop(self) -> None:
        """End the child."""


class IdleChildren:
    """Those who hold an idle child for their next point, the one that waits longest first; at most MOST_IDLE."""

    def __init__(self) -> None:
        """Begin without any."""
        self._holders: dict[Holder, None] = {}

    def add(self, holder: Holder) -> None:
        """Note that somebody holds an idle child from now on; end the child that waits longest if there are too many."""
        self._holders[holder] = None
        while len(self._holders) > MOST_IDLE:
            next(iter(self._holders)).drop()

    def remove(self, holder: Holder) -> None:
        """Note that somebody holds no idle child any more."""
        self._holders.pop(holder, None)


class LeftChild:
    """The child that one user of children leaves for the next one of equal `Task.sharers`.

    A child holds what it computed for its sharers, so it is never given to others.
    """

    def __init__(self) -> None:
        """Begin without a child."""
        self._task: Task | None = None
        self._child: ReusedChild | None = None
        self._timer: asyncio.TimerHandle | None = None

    def __bool__(self) -> bool:
        """Return whether there is a child."""
        return self._child is not None

    def put(self, task: Task, child: ReusedChild) -> None:
        """Leave a child that ran points of a task, instead of the one before; end the child of a task without sharers."""
        self.end()
        if not task.sharers:
            child.end()
            return
        self._task, self._child = task, child
        self._timer = asyncio.get_running_loop().call_later(LEFT_SECONDS, self.end)

    def take(self, task: Task) -> ReusedChild | None:
        """Return the child if it was left by the task's sharers, else end it and return None."""
        child = self._child
        if child is None or not self._is_of(task):
            self.end()
            return None
        self._child = None
        self.end()
        return child

    def end(self) -> None:
        """End the child, if there is one."""
        child, self._child = self._child, None
        if self._timer is not None:
            self._timer.cancel()
        if child is not None:
            child.end()

    def _is_of(self, task: Task) -> bool:
        """Return whether a task has the sharers of the left child, and the model and limits that the child has."""
        return bool(task.sharers) and self._task is not None and _shared(task) == _shared(self._task)


def _shared(task: Task) -> tuple[object, ...]:
    return task.sharers, task.kind, task.source, task.memory, task.timeout, task.geometry


async def _has_one_thread(pid: int) -> bool:
    """Return whether a process has one thread, as at its start; wait a little for others that are about to end."""
    until = time.monotonic() + _THREAD_SECONDS
    while (threads := _threads(pid)) > 1:
        if time.monotonic() > until:
            return False
        await asyncio.sleep(0.001)
    return threads == 1


def _threads(pid: int) -> int:
    """Return the number of a process's threads as the kernel counts them; 0 if it has ended."""
    try:
        descriptor = os.open(
            f"/proc/{pid}/stat", os.O_RDONLY
        )  # a Path's text costs three times as much, for each point
    except OSError:
        return 0
    try:
        return int(os.read(descriptor, 4_096).rpartition(b")")[2].split()[17])
    except (OSError, IndexError):
        return 0
    finally:
        os.close(descriptor)
