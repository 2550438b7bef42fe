"""Workers at this process's door that wait for a job: whoever adds one here leases it to one of them in the same transaction.

That spares the wake-up of every worker, the look of each and the commit of a lease; and the worker begins while the commit is on
its way to the disk. What it then says of the job waits until the job is `added`; if that fails, the job is none that it holds. A
job for which no worker waits here is left free, and the nodes are woken.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Job = dict[str, Any]
"""The row of a leased job."""


class WaitingWorker:
    """A worker that looked for a job in vain. `job` is the one that it is handed, or None when it must look again."""

    def __init__(self, worker_id: str, forgone: Callable[[Job], None], adding: dict[str, asyncio.Event]) -> None:
        self.worker_id = worker_id
        self.job: asyncio.Future[Job | None] = asyncio.get_running_loop().create_future()
        self.is_taken = False
        self.is_woken = False
        self._forgone = forgone
        self._adding = adding
        self._handed = ""

    def hand(self, job: Job) -> None:
        """Hands it a job that is about to be written and committed."""
        self._handed = job["id"]
        self._adding[self._handed] = asyncio.Event()
        if self.job.done():
            self._forgone(job)
        else:
            self.job.set_result(job)

    def let_go(self) -> None:
        """The job that it was handed is added, or never will be."""
        if (added := self._adding.pop(self._handed, None)) is not None:
            added.set()


class WaitingWorkers:
    """The waiting workers of one process, longest first."""

    def __init__(self) -> None:
        self._waiters: deque[WaitingWorker] = deque()
        self._adding: dict[str, asyncio.Event] = {}

    async def added(self, job_id: str) -> None:
        """Waits while a job that a worker was handed is being committed."""
        if (added := self._adding.get(job_id)) is not None:
            await added.wait()

    async def all_added(self) -> None:
        """Waits for all that are being committed now."""
        for added in list(self._adding.values()):
            await added.wait()

    @contextmanager
    def waiter(self, worker_id: str, forgone: Callable[[Job], None]) -> Iterator[WaitingWorker]:
        """Lets a worker wait inside of the block; `forgone` is called with a job that came when it had gone."""
        waiter = WaitingWorker(worker_id, forgone, self._adding)
        self._waiters.append(waiter)
        try:
            yield waiter
        except asyncio.CancelledError:
            if waiter.job.done() and not waiter.job.cancelled() and (job := waiter.job.result()) is not None:
                forgone(job)
            raise
        finally:
            waiter.job.cancel()
            if not waiter.is_taken:
                self._waiters.remove(waiter)

    @contextmanager
    def taken(self) -> Iterator[WaitingWorker | None]:
        """A worker for a job that is added and committed inside of the block, if one waits; handed none, it waits on."""
        waiter = self._waiters.popleft() if self._waiters else None
        if waiter is not None:
            waiter.is_taken = True
        try:
            yield waiter
        finally:
            if waiter is not None:
                waiter.let_go()
            if waiter is not None and not waiter.job.done():
                if waiter.is_woken:
                    waiter.job.set_result(None)
                else:
                    waiter.is_taken = False
                    self._waiters.appendleft(waiter)
