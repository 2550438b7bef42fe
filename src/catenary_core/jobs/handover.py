"""Handover of new jobs to workers that wait in this process.

A call that adds a job leases it to a waiting worker in the same transaction. This saves waking every worker, the query
of each, and the commit of a lease; and the worker starts while the commit is written to the disk. The worker's reports
on the job wait until the job is `added`; if the commit fails, the worker holds no job. A job for which no worker waits
here stays free, and the nodes are woken.
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
    """A worker that found no job and waits for one."""

    def __init__(self, worker_id: str, forgone: Callable[[Job], None], adding: dict[str, asyncio.Event]) -> None:
        """Prepare to wait.

        Args:
            worker_id: id of the worker.
            forgone: called with a job handed over after the worker had gone.
            adding: events of the jobs that are being committed, by job id; shared by the process.
        """
        self.worker_id = worker_id
        self.job: asyncio.Future[Job | None] = asyncio.get_running_loop().create_future()
        """The job handed over; None when the worker must look again."""
        self.is_taken = False
        self.is_woken = False
        self._forgone = forgone
        self._adding = adding
        self._handed = ""
        self._left = asyncio.Event()

    async def hand(self, job: Job) -> None:
        """Hand over a job before its row is written and committed, and let the worker be answered first."""
        self._handed = job["id"]
        self._adding[self._handed] = asyncio.Event()
        if self.job.done():
            self._forgone(job)
        else:
            self.job.set_result(job)
            await self._left.wait()

    def leave(self) -> None:
        """Tell that the worker waits no longer."""
        self._left.set()

    def let_go(self) -> None:
        """Release the reports on the job: its commit has succeeded or failed."""
        if (added := self._adding.pop(self._handed, None)) is not None:
            added.set()


class WaitingWorkers:
    """The waiting workers of one process; the first has waited longest."""

    def __init__(self) -> None:
        self._waiters: deque[WaitingWorker] = deque()
        self._adding: dict[str, asyncio.Event] = {}

    async def wait_committed(self, job_id: str) -> None:
        """Wait while a handed-over job is being committed."""
        if (added := self._adding.get(job_id)) is not None:
            await added.wait()

    async def wait_all_committed(self) -> None:
        """Wait for all jobs being committed now."""
        for added in list(self._adding.values()):
            await added.wait()

    @contextmanager
    def waiter(self, worker_id: str, forgone: Callable[[Job], None]) -> Iterator[WaitingWorker]:
        """Let a worker wait inside the block.

        Args:
            worker_id: id of the worker.
            forgone: called with a job that arrived after the worker had gone.
        """
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
            waiter.leave()
            if not waiter.is_taken:
                self._waiters.remove(waiter)

    @contextmanager
    def taken(self) -> Iterator[WaitingWorker | None]:
        """Reserve a waiting worker, if any, for a job added and committed inside the block.

        A worker without a job at the end waits on, or looks again if woken meanwhile.
        """
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
