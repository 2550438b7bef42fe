"""The parts of a running core that every service gets."""

from __future__ import annotations

from dataclasses import dataclass, field

from catenary_core.database.transactions import Database
from catenary_core.database.wakeups import Wakeups
from catenary_core.jobs.handover import WaitingWorkers
from catenary_core.objects import Objects
from catenary_core.secrets import Secrets
from catenary_core.settings import CoreSettings


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts of a running core, one of each per process."""

    settings: CoreSettings
    """Settings of the core."""
    db: Database
    """Database of the core."""
    secrets: Secrets
    """Keys of the installation."""
    objects: Objects
    """Object store."""
    wakeups: Wakeups
    """Wake-ups by the database's notifications."""
    waiting: WaitingWorkers = field(default_factory=WaitingWorkers)
    """Workers that wait in this process for a job."""

    def __post_init__(self) -> None:
        self.wakeups.follow(self.db.commits)
