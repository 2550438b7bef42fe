"""Workers at this process's door that wait for a job: whoever adds one here leases it to one of them in the same transaction.

That spares the wake-up of every worker, the look of each and the commit of a lease. A job for which none waits here is left free,
and the nodes are woken.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Job = dict[str, Any]
"""The row of a leased job."""


class Waiter:
    """A worker that looked for a job in vain. `job` is the one that it is handed, or None when it must look again."""

    def __init__(self, worker_id: str, forgone: Callable[[Job], None]) -> None:
        self.worker_id = worker_id
        self.job: asyncio.Future[Job | None] = asyncio.get_running_loop().create_future()
        self.is_taken = False
        self.is_woken = False
        self._forgone = forgone

    def hand(self, job: Job) -> None:
        """Hands it a job whose lease is committed."""
        if self.job.done():
            self._forgone(job)
        else:
            self.job.set_result(job)


class Waiting:
    """The waiting workers of one process, longest first."""

    def __init__(self) -> None:
        self._waiters: deque[Waiter] = deque()

    @contextmanager
    def waiter(self, worker_id: str, forgone: Callable[[Job], None]) -> Iterator[Waiter]:
        """Lets a worker wait inside of the block; `forgone` is called with a job that came when it had gone."""
        waiter = Waiter(worker_id, forgone)
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
    def taken(self) -> Iterator[Waiter | None]:
        """A worker for a job that is added inside of the block, if one waits; one that is handed none waits on."""
        waiter = self._waiters.popleft() if self._waiters else None
        if waiter is not None:
            waiter.is_taken = True
        try:
            yield waiter
        finally:
            if waiter is not None and not waiter.job.done():
                if waiter.is_woken:
                    waiter.job.set_result(None)
                else:
                    waiter.is_taken = False
                    self._waiters.appendleft(waiter)
