"""The live sessions of one process: between a caller, who sends designs, and a worker, which computes them.

A session is state of this process alone. Its worker comes by an ordinary job, which ends when the worker's stream begins;
from then on designs and results pass through here without a statement. Of the designs that wait only the newest is kept.
The answers that wait for a slow reader are bounded: behind them wait the worker's bytes and the caller's next messages.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from catenary_core.call.call import Identity
from catenary_core.call.errors import DomainError
from catenary_core.jobs.designs import (
    Answer,
    Computed,
    Design,
    FailedGeometry,
    GeometryFiles,
    RefusedDesign,
    Superseded,
)
from catenary_core.jobs.queue import JobEnd
from catenary_wire.limit_sentences import counted

KIND = "session"
"""Kind of the job that finds a worker."""
MOST_SESSIONS = 1000
"""Maximum number of sessions in a process."""
MOST_ANSWERS = 16
"""Maximum number of answers that wait for their reader."""
MOST_RESULTS = 2
"""Number of results that wait for their reader beyond which no further design is computed: a result may have megabytes."""
ATTEMPTS = 2
"""Workers that may be lost with a design before it is refused."""
IDLE_SECONDS = 600.0
"""Seconds without a design after which a session ends."""
LONGEST_SECONDS = 3600.0
"""Seconds after which a session ends."""
RETRY_SECONDS = 5.0
"""Seconds after which a refused caller may try again."""


class _Owed(Enum):
    """The part of its answer that a design at a worker still lacks."""

    ALL = auto()
    GEOMETRY = auto()
    """The geometry or its fault: the result is there, and no file is announced yet."""
    REST = auto()
    """The rest of an answer that is begun."""
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class ExploredVersion:
    """The model version of a session."""

    project_id: str
    """Id of the project."""
    model_version_id: str
    """Id of the version."""
    payload: Mapping[str, Any]
    """The part of the job that the owner knows."""
    is_chosen: bool = False
    """True if the caller has named the version, so that another deployment doesn't end the session."""


class LiveSession:
    """One caller's session with one model version."""

    def __init__(
        self,
        identity: Identity,
        version: ExploredVersion,
        declared: Sequence[Mapping[str, Any]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open a session without a worker.

        Args:
            identity: the caller; the watch replaces it.
            version: the model version.
            declared: the declared parameters; the watch replaces them.
            clock: monotonic clock, in seconds.
        """
        self.identity = identity
        self.version = version
        self.declared = declared
        self.last_id = -1
        """Number of the newest design that the caller sent; -1 before the first."""
        self._opened_at = self._used_at = clock()
        self.vacant = asyncio.Event()
        """Set while the session needs a worker and has none."""
        self.seconds = 0.0
        """Seconds of computation that are not counted yet."""
        self._clock = clock
        self.counting = asyncio.Lock()
        """Held while the seconds are written, so that none is counted twice."""
        self._answers: deque[Answer] = deque()
        self._results = 0
        self._answered = asyncio.Event()
        self._room = asyncio.Event()
        self._waiting: Design | None = None
        self._current: Design | None = None
        self._attempts = 0
        self._handed_at = 0.0
        self._charged = 0.0
        self._is_computing = False
        self._owed = _Owed.NOTHING
        self._has_worker = False
        self._staffed = asyncio.Event()
        self._wanted = asyncio.Event()
        self._finished = False
        self._is_over = False
        self._error: BaseException | None = None
        self.vacant.set()

    # The caller's side.

    def note_message(self) -> None:
        """Note that the caller sent a message now."""
        self._used_at = self._clock()

    def check_times(self) -> None:
        """End the session if it had no message for too long, or is too old."""
        now = self._clock()
        if now - self._used_at >= IDLE_SECONDS:
            self.end(DomainError("TIMEOUT", "The session had no design for ten minutes; open a new one."))
        elif now - self._opened_at >= LONGEST_SECONDS:
            self.end(DomainError("TIMEOUT", "The session is an hour old; open a new one."))

    async def ask(self, design: Design) -> None:
        """Put a design in the place of the one that waits; wait for room while the reader is slow.

        It also takes the place of a geometry that is not announced yet.
        """
        passed_over, self._waiting = self._waiting, design
        dropped = self._current if self._owed is _Owed.GEOMETRY else None
        self._wanted.set()
        if not self._has_worker:
            self.vacant.set()
        if dropped is not None:
            self._owed = _Owed.NOTHING
            await self.put(Superseded(dropped.id))
        if passed_over is not None:
            await self.put(Superseded(passed_over.id))

    async def put(self, answer: Answer) -> None:
        """Add an answer; wait for room while the reader is slow. An ended session drops it."""
        while len(self._answers) >= MOST_ANSWERS and not self._is_over:
            self._room.clear()
            await self._room.wait()
        if not self._is_over:
            self._results += isinstance(answer, Computed)
            self._answers.append(answer)
            self._answered.set()

    async def answer(self) -> Answer | None:
        """Wait for the next answer; return None at the end of the session, or raise the error that ended it."""
        while not self._answers:
            if self._error is not None:
                raise self._error
            if self._is_over or (self._finished and self._waiting is None and self._current is None):
                return None
            self._answered.clear()
            await self._answered.wait()
        answer = self._answers.popleft()
        self._room.set()
        if isinstance(answer, Computed):
            self._results -= 1
            self._wanted.set()
        return answer

    def finish(self) -> None:
        """Note that the caller sends nothing more: the session ends when all is answered."""
        self._finished = True
        self._answered.set()

    def end(self, error: BaseException | None) -> None:
        """End the session; answers that wait are dropped, and the reader gets the error."""
        if self._is_over:
            return
        self._charge_handed()
        self._is_over, self._error = True, error
        self._answers.clear()
        for event in (self._answered, self._room, self._wanted, self._staffed):
            event.set()

    @property
    def is_over(self) -> bool:
        """True once the session has ended."""
        return self._is_over

    async def staffed(self, seconds: float) -> bool:
        """Wait for a worker; return False if none has come in time."""
        try:
            async with asyncio.timeout(seconds):
                await self._staffed.wait()
        except TimeoutError:
            return False
        return True

    async def give_up(self) -> None:
        """Refuse the designs for which no worker has come."""
        self.vacant.clear()
        for design in (self._current, self._waiting):
            if design is not None:
                await self.put(RefusedDesign(design.id, _without_worker()))
        self._current = self._waiting = None
        self._answered.set()

    # The worker's side.

    @contextmanager
    def attached(self) -> Iterator[None]:
        """Let a worker compute the session's designs while the block runs."""
        self._has_worker = True
        self.vacant.clear()
        self._staffed.set()
        try:
            yield
        finally:
            self.leave()
            self._lose()

    async def next_design(self) -> Design | None:
        """Wait for a design to compute; return None when the session is over or the worker has left.

        A design that a lost worker left behind comes first.
        """
        while self._has_worker and not self._is_over:
            if self._current is None and self._waiting is not None and self._results < MOST_RESULTS:
                self._current, self._waiting = self._waiting, None
                self._attempts, self._handed_at = 0, 0.0
            if self._current is not None and not self._handed_at:
                self._handed_at, self._charged = self._clock(), 0.0
                self._is_computing, self._owed = True, _Owed.ALL
                return self._current
            self._wanted.clear()
            await self._wanted.wait()
        return None

    async def compute(self, ended: JobEnd, *, is_computing: bool = False) -> Design | None:
        """Answer the handed design with its outcome; return the design, or None if none was handed.

        Args:
            ended: the outcome.
            is_computing: True if the worker computes the geometry now.
        """
        design = self._current
        if design is None or not self._handed_at or self._owed is not _Owed.ALL:
            return None
        self._owed, self._is_computing = _Owed.REST, is_computing
        self._charge(ended.duration_ms / 1000)
        await self.put(Computed(design, ended))
        self._owed = _Owed.GEOMETRY if is_computing and ended.status == "completed" else _Owed.NOTHING
        return design

    async def add_geometry(self, ended: JobEnd) -> bool:
        """Answer the handed design with its geometry or the fault of it; return whether the bytes are wanted."""
        design, owed, self._is_computing = self._current, self._owed, False
        self._charge(ended.duration_ms / 1000)
        if design is None or owed is not _Owed.GEOMETRY:
            return False
        self._owed = _Owed.REST
        if ended.error is None:
            await self.put(GeometryFiles(design.id, ended.artefacts))
            return True
        await self.put(FailedGeometry(design.id, ended.error))
        self._owed = _Owed.NOTHING
        return False

    @property
    def handed_geometry(self) -> bool:
        """True if the geometry of the design that a worker has was asked for."""
        return self._current is not None and self._current.geometry

    @property
    def handed_seconds(self) -> float:
        """Seconds since a worker got the design that it has; 0 if it has none."""
        return self._clock() - self._handed_at if self._handed_at else 0.0

    def _charge(self, seconds: float) -> None:
        """Count the seconds that a worker has computed the handed design in all."""
        # A worker may say anything: more than the time that has passed it can't have computed.
        more = min(seconds, self.handed_seconds) - self._charged
        if more > 0:
            self.seconds += more
            self._charged += more

    def _charge_handed(self) -> None:
        """Count the time of a design that ends while it is computed: the worker may have computed all the while."""
        if self._is_computing:
            self._charge(self.handed_seconds)
            self._handed_at, self._is_computing = 0.0, False

    def complete(self) -> None:
        """Note that the handed design has all its answers."""
        self._current = None
        self._handed_at = 0.0
        self._owed = _Owed.NOTHING
        self._wanted.set()
        self._answered.set()

    def leave(self) -> None:
        """Note that the worker computes no more."""
        self._has_worker = False
        self._staffed.clear()
        self._wanted.set()

    def _lose(self) -> None:
        """Hand the design of a lost worker to the next one, or refuse it: after ATTEMPTS workers, or for its geometry."""
        self._charge_handed()
        design, self._handed_at = self._current, 0.0
        if design is not None and self._owed is _Owed.REST:  # half an answer can't be sent again
            self.end(_without_worker())
            return
        self._attempts += design is not None
        if design is not None and self._owed is _Owed.NOTHING:
            self._current = None
            self._answered.set()
        elif design is not None and (self._attempts >= ATTEMPTS or self._owed is _Owed.GEOMETRY):
            self._current, self._attempts, self._owed = None, 0, _Owed.NOTHING
            self._answers.append(RefusedDesign(design.id, _without_worker()))
            self._answered.set()
        if self._current is not None or self._waiting is not None:
            self.vacant.set()


class LiveSessions:
    """The sessions of one process."""

    def __init__(self) -> None:
        self.door = ""
        """Address at which this process takes the streams of workers; empty when it has none of its own."""
        self._sessions: set[LiveSession] = set()
        self._expecting: dict[str, LiveSession] = {}
        self._of_user: Counter[str] = Counter()
        self._is_closed = False

    def __iter__(self) -> Iterator[LiveSession]:
        """Iterate over a copy of the open sessions."""
        return iter(list(self._sessions))

    def find(self, job_id: str) -> LiveSession | None:
        """Return the session of this process that waits for the worker of a job."""
        return self._expecting.get(job_id)

    @contextmanager
    def expecting(self, job_id: str, session: LiveSession) -> Iterator[None]:
        """Let the worker of a job find a session while the block runs."""
        self._expecting[job_id] = session
        try:
            yield
        finally:
            del self._expecting[job_id]

    @contextmanager
    def holding(self, session: LiveSession, most_of_user: int) -> Iterator[None]:
        """Keep a session open while the block runs.

        Args:
            session: the session.
            most_of_user: sessions that a user may have in this process.

        Raises RATE_LIMIT_EXCEEDED: the user has too many. Raises UNAVAILABLE: the process has too many, or is stopping.
        """
        with self.opening(session.identity.user_id, most_of_user):
            self._sessions.add(session)
            try:
                yield
            finally:
                session.end(None)
                self._sessions.discard(session)

    @contextmanager
    def opening(self, user_id: str, most_of_user: int) -> Iterator[None]:
        """Keep the place of a session that opens while the block runs.

        So no statement is spent on one too many.

        Args:
            user_id: the user.
            most_of_user: sessions that the user may have in this process.

        Raises RATE_LIMIT_EXCEEDED or UNAVAILABLE: as `holding` does.
        """
        self._check_room(user_id, most_of_user)
        self._of_user[user_id] += 1
        try:
            yield
        finally:
            self._of_user[user_id] -= 1
            if not self._of_user[user_id]:
                del self._of_user[user_id]

    def _check_room(self, user_id: str, most_of_user: int) -> None:
        if self._is_closed:
            raise _stopping()
        if self._of_user[user_id] >= most_of_user:
            raise DomainError(
                "RATE_LIMIT_EXCEEDED",
                f"You have {counted(most_of_user, 'live session')} open here; close one. An operator may raise"
                " CATENARY_STREAMS_PER_USER.",
                details={"limit": most_of_user, "remaining": 0, "reset": math.ceil(time.time() + RETRY_SECONDS)},
                retry_after=RETRY_SECONDS,
            )
        if self._of_user.total() >= MOST_SESSIONS:
            raise DomainError("UNAVAILABLE", "There are too many sessions now; try again.", retry_after=RETRY_SECONDS)

    def close(self) -> None:
        """End every session, so that none delays a stop, and open no new one."""
        self._is_closed = True
        for session in self:
            session.end(_stopping())


def _stopping() -> DomainError:
    return DomainError("UNAVAILABLE", "This server is stopping; connect again.", retry_after=1.0)


def broken() -> DomainError:
    """Return the error of a session that an unforeseen failure ends."""
    return DomainError("UNAVAILABLE", "The session can't go on now; open a new one.", retry_after=RETRY_SECONDS)


def _without_worker() -> DomainError:
    return DomainError("UNAVAILABLE", "No worker computed this design; send it again.", retry_after=1.0)
