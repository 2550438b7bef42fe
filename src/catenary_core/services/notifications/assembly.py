"""The parts that the notifications service adds to a core."""

from __future__ import annotations

from catenary_core.background.periodic import Periodic
from catenary_core.database.retention import remove
from catenary_core.event_log.consumer import Consumer
from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.notifications import fan_out, queries
from catenary_core.services.notifications.servicer import NotificationServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.servicers["catenary.platform.v1.NotificationService"] = NotificationServicer(frame)
    parts.background += [
        Consumer(frame.db, frame.wakeups, fan_out.NAME, fan_out.WANTED, fan_out.make),
        Periodic("removing old notifications", 600, lambda: remove(frame.db, queries.REMOVE_OLD)),
    ]


ASSEMBLY = Assembly(
    assemble=assemble,
    unwatched={
        "notifications.notification": "rows appear without a caller's write, so edges don't cache responses that show them"
    },
)
