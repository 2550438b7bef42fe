"""One event of the log on its way to the subscribers."""

from __future__ import annotations

from functools import cached_property

from catenary.platform.v1.event_shapes import Event
from catenary_core.access import linked_events
from catenary_core.access.audience import Viewers, may_see
from catenary_core.call.call import Identity
from catenary_core.database.statements import Row
from catenary_core.event_log import reader


class OfferedEvent:
    """An event with its viewers. Its forms for users and for share links are each built once, for all subscribers."""

    def __init__(self, row: Row, viewers: Viewers) -> None:
        """Take a row of `event_log.reader.read`, and the users who see the event."""
        self.sequence: int = row["sequence"]
        self.type: str = row["type"]
        self.project_id: str | None = row["project_id"]
        self._row = row
        self._viewers = viewers

    def message_for(self, identity: Identity) -> Event | None:
        """Return the event as an identity sees it; None if it may not."""
        if identity.shown is not None:
            event = self._for_links
            return event if event is not None and linked_events.is_shown(identity.shown, event) else None
        return self._for_users if may_see(identity, self.type, self._viewers) else None

    @cached_property
    def _for_users(self) -> Event:
        return reader.event_message(self._row)

    @cached_property
    def _for_links(self) -> Event | None:
        return linked_events.without_people(self._for_users)
