"""Turns at the one place for work of a worker: users take turns by seconds of work, and so do the projects of one user.

The designs of live sessions, the points of chunks and single evaluations meet here, after the queue of the core. The place
goes to the user who has worked the fewest seconds, of that user's projects to the one that has, then to who waits longest.
So a user with many sessions, each of which sends designs back to back, delays another user by the design that runs.

The seconds are a virtual time, as in the core's queue (start-time fair queueing: Goyal, Vin and Cheng, 1996): who begins to
wait takes at least the place of the first of the others. So nobody waits for seconds that were used while nobody else
wanted them, and nobody saves up turns.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class _Waiter:
    """Somebody who waits for the place or has it."""

    user: str
    project: str
    turn: asyncio.Future[None]
    """Done once the place is this waiter's."""


class _Seconds:
    """The virtual time of holders that take turns with each other."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    def enter(self, holder: str, others: Mapping[str, float]) -> None:
        """Give a holder a time, unless it waits or works already.

        Args:
            holder: The holder, which begins to wait.
            others: Those who wait or work, with the seconds of the work that is under way.
        """
        if not others:
            self._seconds = {holder: 0.0}
        elif holder not in others:
            first = min(self._seconds[other] + working for other, working in others.items())
            # A lesser time than the first one's says nothing any more, so it is not kept.
            self._seconds = {other: at for other, at in self._seconds.items() if other in others or at > first}
            self._seconds.setdefault(holder, first)

    def charge(self, holder: str, seconds: float) -> None:
        """Add seconds of work."""
        self._seconds[holder] += seconds

    def of(self, holder: str) -> float:
        """Return a holder's time."""
        return self._seconds[holder]


class WorkTurns:
    """One place for work, which its users take in turn."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with a free place; `clock` is monotonic, in seconds."""
        self._clock = clock
        self._users = _Seconds()
        self._projects: dict[str, _Seconds] = {}
        self._waiting: list[_Waiter] = []
        self._working: _Waiter | None = None
        self._began = 0.0
        self._tell: Callable[[], None] | None = None

    @contextlib.asynccontextmanager
    async def turn(self, user: str = "", project: str = "") -> AsyncIterator[None]:
        """Hold the place while the block runs.

        Args:
            user: Who takes turns with the other users; the worker's own work has no name.
            project: The user's project, which takes turns with the user's others.
        """
        waiter = _Waiter(user, project, asyncio.get_running_loop().create_future())
        self._enter(waiter)
        self._waiting.append(waiter)
        if self._working is None:
            self._pass_on()
        elif self._tell is not None:
            self._tell()
        try:
            await waiter.turn
            yield
        finally:
            self._leave(waiter)

    @contextlib.contextmanager
    def wanted(self, tell: Callable[[], None]) -> Iterator[None]:
        """Call a function of the place's holder for each that waits for the place while the block runs."""
        self._tell = tell
        try:
            if self._waiting:
                tell()
            yield
        finally:
            self._tell = None

    def _enter(self, waiter: _Waiter) -> None:
        competing = [*self._waiting, *([] if self._working is None else [self._working])]
        spent = self._clock() - self._began
        users = {other.user: spent if other is self._working else 0.0 for other in competing}
        projects = {
            other.project: spent if other is self._working else 0.0 for other in competing if other.user == waiter.user
        }
        if not projects:
            self._projects = {user: found for user, found in self._projects.items() if user in users}
        self._users.enter(waiter.user, users)
        self._projects.setdefault(waiter.user, _Seconds()).enter(waiter.project, projects)

    def _leave(self, waiter: _Waiter) -> None:
        if waiter is not self._working:
            self._waiting.remove(waiter)
            return
        seconds = self._clock() - self._began
        self._users.charge(waiter.user, seconds)
        self._projects[waiter.user].charge(waiter.project, seconds)
        self._working = None
        self._pass_on()

    def _pass_on(self) -> None:
        """Give the free place to the first of those who wait."""
        # One that was cancelled, and has not noticed yet, is passed over.
        if waiting := [waiter for waiter in self._waiting if not waiter.turn.done()]:
            first = min(waiting, key=self._place)
            self._waiting.remove(first)
            self._working, self._began = first, self._clock()
            first.turn.set_result(None)

    def _place(self, waiter: _Waiter) -> tuple[float, float]:
        return self._users.of(waiter.user), self._projects[waiter.user].of(waiter.project)
