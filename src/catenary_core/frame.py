"""What every service is given: the parts of a running core."""

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
    """The parts of a running core, one of each a process."""

    settings: CoreSettings
    db: Database
    secrets: Secrets
    objects: Objects
    wakeups: Wakeups
    waiting: WaitingWorkers = field(default_factory=WaitingWorkers)

    def __post_init__(self) -> None:
        self.wakeups.follow(self.db.commits)
