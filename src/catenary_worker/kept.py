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
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
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
TOGETHER_SECONDS = 0.2
"""Work of the points that one message gives to a child."""
MOST_TOGETHER = 64
"""Maximum number of points that one message gives to a child."""
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
        self._seconds = 0.0
        self._alone = False

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

    async def evaluate(
        self,
        parameters: Mapping[str, object],
        *,
        geometry: bool = True,
        on_early: Callable[[Outcome], None] | None = None,
    ) -> Outcome:
        """Run one point. A crash or a time-out ends the child; the next call gets another one.

        Args:
            parameters: The values of the point.
            geometry: False to run it as of a task without geometry.
            on_early: Called once with the completed outcome before its geometry is looked at; not called where no
                geometry is wanted, or the model failed before. The outcome that is returned has the same numbers, or has
                failed: a fault that was found later.

        Raises:
            WorkerFaultError: The zygote or its child was lost; the same call may be made again.
            SandboxUnavailableError: A restarted zygote cannot sandbox models.
            CancelledRunError: `Zygote.cancel` ended the run.
        """
        is_wanted = geometry and self._task.geometry
        if on_early is None or not is_wanted:
            (outcome,) = await self._working_on([parameters], geometry=is_wanted)
            return outcome
        early = _Early(on_early)
        (outcome,) = await self._working_on([parameters], geometry=True, on_early=early)
        return early.confirmed(outcome)

    @property
    def seconds(self) -> float:
        """Seconds of a point in a reused child, as far as is known; else 0."""
        return self._seconds

    @property
    def together(self) -> int:
        """Number of points that one message gives to the child: as many as are about TOGETHER_SECONDS of work.

        One as long as that is not known, for points with geometry, and once a child was lost with several.
        """
        if self._alone or self._task.geometry or not self._seconds or not self._reuses:
            return 1
        return max(1, min(MOST_TOGETHER, int(TOGETHER_SECONDS / self._seconds)))

    async def evaluate_all(self, points: Sequence[Mapping[str, object]]) -> list[Outcome]:
        """Run points as `evaluate` does one after the other, those in a reused child by `together`.

        The outcomes of these have no output of the model.

        Raises:
            As `evaluate`.
        """
        outcomes: list[Outcome] = []
        while len(outcomes) < len(points):
            few = points[len(outcomes) :][: self.together]
            outcomes += await self._working_on(few, geometry=self._task.geometry)
        return outcomes

    async def _working_on(
        self,
        points: Sequence[Mapping[str, object]],
        *,
        geometry: bool,
        on_early: Callable[[Outcome], None] | None = None,
    ) -> list[Outcome]:
        """Hold the zygote's place and run the first of some points, as `_evaluate` does."""
        async with self._working():
            if (described := await self._described()) is not None:
                outcomes = [described]
            else:
                task = replace(self._task, geometry=geometry, early=on_early is not None, on_early=on_early)
                outcomes = await self._evaluate([replace(task, parameters=parameters) for parameters in points])
        if self.not_repeatable:
            return [replace(outcome, not_repeatable=self.not_repeatable) for outcome in outcomes]
        return outcomes

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

    async def _evaluate(self, points: Sequence[Task]) -> list[Outcome]:
        """Run the first of some points; return their outcomes: none if the child was lost with several of them."""
        try:
            tasks = await self._filled(points)
        except FileGoneError as error:
            return [failed(str(error))]
        used = await self._next(tasks[0]) if self._reuses else None
        if used is None:
            return [await self._children.run_once(tasks[0])]
        if not used.points:
            return [await used.run(tasks[0])]
        if len(tasks) == 1:
            outcomes = [await used.run(tasks[0])]
        else:
            outcomes = await used.run_together(tasks)
            self._alone = not outcomes
        completed = [replace(outcome, reused=True) for outcome in outcomes if outcome.status == "completed"]
        if completed:
            self._note(used, tasks[len(completed) - 1], completed)
        if len(completed) < len(outcomes):
            return [*completed, await self._again(tasks[len(completed)], outcomes[-1])]
        return completed

    async def _filled(self, points: Sequence[Task]) -> list[Task]:
        """Return the first points with their files: those that have the files of the first one.

        Raises:
            FileGoneError: A file of the first one is gone.
        """
        tasks = [await self._fill(points[0])]
        with contextlib.suppress(FileGoneError):
            for point in points[1:]:
                task = await self._fill(point)
                if task.files != tasks[0].files:
                    break
                tasks.append(task)
        return tasks

    def _note(self, used: ReusedChild, last: Task, outcomes: Sequence[Outcome]) -> None:
        """Note what points of a reused child took, and that the last of them is to be confirmed."""
        seconds = [outcome.duration_ms / 1e3 for outcome in outcomes]
        self._seconds = sum(seconds) / len(seconds)
        self._pays = max(seconds) < PAYING_SECONDS or used.loading > 2 * max(seconds)
        self._unconfirmed = last, outcomes[-1]

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


class _Early:
    """Tells what comes early of one point, however many children run the point; the first one counts."""

    def __init__(self, tell: Callable[[Outcome], None]) -> None:
        self._tell = tell
        self._told: Outcome | None = None

    def __call__(self, outcome: Outcome) -> None:
        if self._told is None:
            self._told = outcome
            self._tell(outcome)

    def confirmed(self, outcome: Outcome) -> Outcome:
        """Return an outcome, failed where another child than the first one computed it and found other numbers."""
        if self._told is None or outcome.status != "completed":
            return outcome
        found = difference(self._told, replace(outcome, geometry=[]))
        if found is None:
            return outcome
        return replace(
            failed(f"{found}, when the geometry was computed again: {WAY_OUT}."),
            duration_ms=outcome.duration_ms,
            not_repeatable=outcome.not_repeatable,
        )


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
