"""The leader that drives studies: one course after the other for each, with pauses after failures."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

import structlog

from catenary_core.background.failures import run_step
from catenary_core.database.leader_election import Leader
from catenary_core.database.transactions import Session
from catenary_core.database.wakeups import POLL_SECONDS
from catenary_core.frame import Frame
from catenary_core.services.evaluations.studies import queries
from catenary_core.services.evaluations.studies.course import Course
from catenary_core.services.evaluations.studies.tables import STUDIES
from catenary_core.studies.prepared_engine import PreparedEngine

AT_ONCE = 16
"""Studies that are driven at one time, each with a process of some 80 MB; further ones and paused ones wait."""
ENGINE_TRIES = 3
"""Failures of the engine, without a new generation or a long course between them, after which a study ends."""
TRIES = 8
"""Failures but those of a lost database, counted in the same way, after which a study ends: ten minutes of them."""
PAUSE_SECONDS = 5.0
"""Pause after a first failure; each further one doubles it."""
LONGEST_PAUSE_SECONDS = 300.0
"""Longest pause after a failure; after a course that ran for longer, failures are counted anew."""
_ENGINE = "The engine of the study failed again and again; resume the study, or give another algorithm."
_PLATFORM = (
    "The platform failed again and again at this study; resume it later, or ask who runs the platform for the cause."
)


_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Failures:
    """Failures of one study, without a new generation or a long course between them."""

    of_engine: int = 0
    """Failures of the engine."""
    of_all: int = 0
    """Failures of any kind."""

    def add(self, *, of_engine: bool) -> None:
        """Count a failure."""
        self.of_engine += of_engine
        self.of_all += 1

    @property
    def reason(self) -> str | None:
        """Return the sentence with which the study ends; None while it is tried again."""
        if self.of_engine >= ENGINE_TRIES:
            return _ENGINE
        return _PLATFORM if self.of_all >= TRIES else None

    @property
    def pause(self) -> float:
        """Return the seconds before the next try."""
        return min(PAUSE_SECONDS * 2.0 ** (self.of_all - 1), LONGEST_PAUSE_SECONDS)


class StudyDriver(Leader):
    """The leader that drives all studies of the installation."""

    def __init__(self, frame: Frame) -> None:
        super().__init__("driving studies", frame.db)
        self._frame = frame
        self._driven: dict[str, asyncio.Task[None]] = {}
        self._failures: dict[str, Failures] = {}
        self._places = asyncio.Semaphore(AT_ONCE)
        self._prepared = PreparedEngine()

    async def work(self, session: Session) -> None:
        """Drive each study that has not ended, AT_ONCE of them at a time."""
        self._driven, self._failures, self._places = {}, {}, asyncio.Semaphore(AT_ONCE)
        async with PreparedEngine() as self._prepared, asyncio.TaskGroup() as group:
            while True:
                ticket = self._frame.wakeups.ticket(STUDIES)
                self._driven = {study_id: task for study_id, task in self._driven.items() if not task.done()}
                active = [row["study_id"] for row in await session.read.all(queries.ACTIVE)]
                self._failures = {
                    study_id: self._failures[study_id] for study_id in active if study_id in self._failures
                }
                for study_id in active:
                    if study_id not in self._driven:
                        self._driven[study_id] = group.create_task(self._drive(study_id), name=f"study {study_id}")
                await self._frame.wakeups.wait(ticket, POLL_SECONDS)

    async def _drive(self, study_id: str) -> None:
        """Drive a study in one of the places; after a failure pause outside of them."""
        async with self._places:
            pause = await self._try(study_id)
            self._prepared.renew()
        await asyncio.sleep(pause)

    async def _try(self, study_id: str) -> float:
        """Drive a study once; return the seconds to pause, after too many failures at the end of the study.

        A lost database doesn't count: an outage ends no study.
        """
        course, begun = Course(self._frame, study_id, self._prepared), time.monotonic()
        if await run_step("driving a study", course.run):
            self._failures.pop(study_id, None)
            return 0.0
        if course.has_advanced or time.monotonic() - begun > LONGEST_PAUSE_SECONDS:
            self._failures.pop(study_id, None)
        if course.lost_database:
            return PAUSE_SECONDS
        failures = self._failures.setdefault(study_id, Failures())
        failures.add(of_engine=course.engine_failed)
        reason = failures.reason
        _log.error("a study failed", study_id=study_id, failures=failures.of_all, ends=reason is not None)
        if reason is not None and await run_step("ending a study", lambda: course.fail(reason)):
            self._failures.pop(study_id, None)  # one that is resumed has all its tries again
            return 0.0
        return failures.pause
