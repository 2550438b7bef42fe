"""What every service is given: the parts of a running core."""

from __future__ import annotations

from dataclasses import dataclass, field

from catenary_core.db import Database
from catenary_core.handover import Waiting
from catenary_core.objects import Objects
from catenary_core.secrets import Secrets
from catenary_core.settings import CoreSettings
from catenary_core.wakeups import Wakeups


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts of a running core, one of each a process."""

    settings: CoreSettings
    db: Database
    secrets: Secrets
    objects: Objects
    wakeups: Wakeups
    waiting: Waiting = field(default_factory=Waiting)

    def __post_init__(self) -> None:
        self.wakeups.follow(self.db.commits)
