"""EventService: streams of events for callers, and announcements by Admins."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Literal

from google.protobuf.timestamp_pb2 import Timestamp

from catenary.platform.v1 import event_service_pb2, event_service_shapes
from catenary.platform.v1.event_shapes import SystemEvent
from catenary_core.call.call import Call
from catenary_core.call.errors import invalid
from catenary_core.call.methods import Binding
from catenary_core.call.resource_paths import posted_path
from catenary_core.event_log import events
from catenary_core.event_log.event_types import Selection, covered, known_types
from catenary_core.frame import Frame
from catenary_core.services.events.feed import Feed
from catenary_wire.sentences import Fields
from catenary_wire.timestamps import shown_time, timestamp_text

SUBJECT = posted_path(event_service_pb2, "CreateSystemEvent")
"""The subject of all system events."""
_YEAR_10000 = 253_402_300_800


class EventServicer:
    """`catenary.platform.v1.EventService`."""

    def __init__(self, frame: Frame, feed: Feed, bindings: Mapping[str, Binding]) -> None:
        self._db = frame.db
        self._feed = feed
        self._known = known_types(bindings)

    async def subscribe(
        self, request: event_service_pb2.SubscribeRequest, call: Call
    ) -> AsyncGenerator[event_service_shapes.SubscribeResponse, None]:
        """Stream the events that the caller selects and may see."""
        selection = Selection(
            covered(request.types, self._known), request.project_id if request.HasField("project_id") else None
        )
        for field in ("last_event_id", "after"):
            if request.HasField(field):
                return await self._feed.subscribe(call.caller, selection, getattr(request, field), field)
        return await self._feed.subscribe(call.caller, selection, None)

    async def create_system_event(
        self, request: event_service_pb2.CreateSystemEventRequest, call: Call
    ) -> event_service_shapes.CreateSystemEventResponse:
        """Write an event that every caller may see."""
        starts_at, ends_at = _time(request, "starts_at"), _time(request, "ends_at")
        if starts_at is not None and ends_at is not None and _is_before(request.ends_at, request.starts_at):
            raise invalid(
                "ends_at",
                "{field} is before {start}; give a later time.",
                value=ends_at,
                constraint="order",
                start=Fields("starts_at"),
            )
        system_event: SystemEvent = {
            "type": request.type,
            "message": request.message,
            "starts_at": starts_at,
            "ends_at": ends_at,
            "release": request.release if request.HasField("release") else None,
        }
        async with self._db.transaction() as tx:
            await events.write(tx, call, request.type, subject=SUBJECT, data={"system_event": system_event})
        return {"system_event": system_event}


def _is_before(one: Timestamp, other: Timestamp) -> bool:
    return (one.seconds, one.nanos) < (other.seconds, other.nanos)


def _time(request: event_service_pb2.CreateSystemEventRequest, field: Literal["starts_at", "ends_at"]) -> str | None:
    """Format a time of the request as RFC 3339 in UTC; None without one.

    With six digits of a second.
    """
    if not request.HasField(field):
        return None
    value: Timestamp = getattr(request, field)
    if not (0 <= value.seconds < _YEAR_10000 and 0 <= value.nanos < 1_000_000_000):
        raise invalid(field, "{field} is not a time from 1970 to 9999.", value=shown_time(value), constraint="range")
    return timestamp_text(value)
