"""Runs points of a repeatable model in one child after the other, instead of one child a point.

async with zygote.keep(task) as kept:
    outcomes = [await kept.evaluate(parameters) for parameters in points]
    if await kept.confirm():
        ...  # evaluate those again that are `reused`

That a version was found repeatable is no proof. So every new child begins with the last point of the one before, and its
result is compared bit by bit. A difference ends the reuse: from then on each point has its own child, every outcome has
the reason as `not_repeatable`, and what a reused child computed (`Outcome.reused`) is to be computed anew. The same
without a reason where the fresh child ran out of time or memory, or was killed: that says nothing of the model. A point
that did not complete in a reused child is run again in a child of its own, whose outcome counts.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Self

from catenary_worker.agreement import WAY_OUT, difference
from catenary_worker.child import failed
from catenary_worker.fetched_files import FileGoneError, Fill, unfilled
from catenary_worker.reused import Children, ReusedChild
from catenary_worker.task import WORK_SECONDS, Outcome, Task

PAYING_SECONDS = 0.3
"""Longest point for which reuse pays: a longer one costs more in the audit than fresh children do."""
_MOST_REMEMBERED = 10_000


class Kept:
    """Runs points of one model; see the module. Each call holds the zygote's place, and none is held between calls.

    A model that is not repeatable has a child of its own for each point.
    """

    def __init__(self, children: Children, task: Task, fill: Fill = unfilled) -> None:
        """Keep nothing yet.

        Args:
            children: Where children come from.
            task: The model, its limits, and whether it is repeatable.
            fill: Finds the files that values name.
        """
        self.not_repeatable = ""
        """The reason for which the model is no longer taken for repeatable; empty while there is none."""
        self._in_doubt = False
        self._children = children
        self._fill = fill
        self._task = replace(task, mode="evaluate")
        self._used: ReusedChild | None = None
        self._unconfirmed: tuple[Task, Outcome] | None = None
        self._pays = True

    async def __aenter__(self) -> Self:
        """Return this object."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave a confirmed child to the next points of the same sharers; end any other."""
        if self._used is not None and error is None and self._unconfirmed is None and self._reuses:
            self._children.left.put(self._task, self._used)
            self._used = None
        self.drop()

    async def evaluate(self, parameters: Mapping[str, object], *, geometry: bool = True) -> Outcome:
        """Run one point; without `geometry`, as of a task without it.

        A crash or a time-out ends the child; the next call gets another one.

        Raises:
            WorkerFaultError: The zygote or its child was lost; the same call may be made again.
            SandboxUnavailableError: A restarted zygote cannot sandbox models.
            CancelledRunError: `Zygote.cancel` ended the run.
        """
        async with self._working():
            described = await self._described()
            wanted = geometry and self._task.geometry
            outcome = described or await self._evaluate(replace(self._task, parameters=parameters, geometry=wanted))
        return replace(outcome, not_repeatable=self.not_repeatable) if self.not_repeatable else outcome

    async def confirm(self) -> bool:
        """Run the last point of a reused child in a fresh one; return whether `reused` points are to be computed anew.

        Call this before results are given away: what was computed since the last fresh child is known to be right only
        then.

        Raises:
            As `evaluate`.
        """
        if self._unconfirmed is not None:
            async with self._working():
                await self._audit(*self._unconfirmed)
        return self._in_doubt

    @contextlib.asynccontextmanager
    async def _working(self) -> AsyncIterator[None]:
        """Hold the zygote's place while the block runs, and count the child as idle afterwards; end it at an error."""
        async with self._children.slot(self._task):
            self._children.idle.remove(self)
            try:
                yield
            except BaseException:
                self.drop()
                raise
            if self._used is not None:
                self._children.idle.add(self)

    async def _described(self) -> Outcome | None:
        """Have the model described once; return the outcome of a description that failed."""
        if self._task.description is None:
            described = await self._children.run_once(replace(self._task, mode="describe", parameters={}))
            if described.status != "completed":
                return described
            self._task = replace(self._task, description=described.description, code=described.code)
        return None

    async def _evaluate(self, task: Task) -> Outcome:
        try:
            task = await self._fill(task)
        except FileGoneError as error:
            return failed(str(error))
        used = await self._next(task) if self._reuses else None
        if used is None:
            return await self._children.run_once(task)
        outcome = await used.run(task)
        if used.points == 1:
            return outcome
        if outcome.status != "completed":
            return await self._again(task, outcome)
        seconds = outcome.duration_ms / 1e3
        self._pays = seconds < PAYING_SECONDS or used.loading > 2 * seconds
        self._unconfirmed = task, outcome
        return replace(outcome, reused=True)

    @property
    def _reuses(self) -> bool:
        return self._task.repeatable and self._task.kind != "openscad" and not self._in_doubt and self._pays

    async def _next(self, task: Task) -> ReusedChild | None:
        """Return the child for the next point; None if its audit has ended the reuse.

        A point of other files has a fresh child, which no file of another point was given to.
        """
        if self._used is None and self._unconfirmed is None:
            self._used = self._children.left.take(self._task)
        while (
            self._used is None
            or self._used.seconds >= WORK_SECONDS
            or (self._used.points and self._used.files != task.files)
            or not await self._used.fits()
        ):
            if self._unconfirmed is None:
                return await self._fresh()
            await self._audit(*self._unconfirmed)
            if self._in_doubt:
                return None
        return self._used

    async def _fresh(self) -> ReusedChild:
        """Replace the child by a fresh one."""
        self.drop()
        used = self._used = ReusedChild(self._children, await self._children.take(self._task))
        return used

    async def _audit(self, task: Task, before: Outcome) -> None:
        """Run the last point of the child before in a fresh one, and compare.

        A fresh child that ran out of time or memory, or was killed from outside, tells nothing of the model: the reuse
        ends for these points, and the finding is kept.
        """
        again = await (await self._fresh()).run(task)
        self._unconfirmed = None
        if again.exhausted or again.status == "timed_out":
            self._doubt()
        elif (found := difference(before, again)) is not None:
            self._revoke(f"{found}, when a process that had run other points before and a fresh one ran the same point")

    async def _again(self, task: Task, outcome: Outcome) -> Outcome:
        """Run a point that did not complete in a reused child in one of its own.

        A failure that a fresh child doesn't have shows that the model keeps something. That memory, files, descriptors or
        time ran out doesn't.
        """
        fresh = await self._children.run_once(task)
        if fresh.status == "completed" and outcome.status == "failed" and not outcome.exhausted:
            self._revoke("A point failed in a process that had run other points before, and not in a fresh one")
        return fresh

    def _revoke(self, found: str) -> None:
        self._doubt()
        self.not_repeatable = f"{found}: {WAY_OUT}."

    def _doubt(self) -> None:
        self.drop()
        self._unconfirmed = None
        self._in_doubt = True

    def drop(self) -> None:
        """End the child, if there is one; the next point gets another one, which confirms what the last one computed."""
        self._children.idle.remove(self)
        used, self._used = self._used, None
        if used is not None:
            used.end()


class Keeper:
    """Keeps the children of models for one worker, and remembers which models have lost the reuse."""

    def __init__(self, children: Children) -> None:
        """Remember nothing yet; `children` is where children come from."""
        self._children = children
        self._not_repeatable: set[str] = set()

    @contextlib.asynccontextmanager
    async def keep(self, source_sha256: str, task: Task, fill: Fill = unfilled) -> AsyncIterator[Kept]:
        """Let a task's model run with one set of values after the other while the block runs.

        Once its reuse has ended for good it has a child for each point: the jobs that were made before the core knew of
        that still ask for the reuse.

        Args:
            source_sha256: The digest of the model's file.
            task: The model and its limits.
            fill: Finds the files that values name.
        """
        if source_sha256 in self._not_repeatable:
            task = replace(task, repeatable=False)
        async with Kept(self._children, task, fill) as kept:
            try:
                yield kept
            finally:
                if kept.not_repeatable:
                    self._remember(source_sha256)

    def _remember(self, source_sha256: str) -> None:
        if len(self._not_repeatable) >= _MOST_REMEMBERED:
            self._not_repeatable.clear()
        self._not_repeatable.add(source_sha256)
