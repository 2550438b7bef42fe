"""The time at which a new credential or share ends, from a request's `expires_at`."""

from __future__ import annotations

from typing import Any, Protocol

from google.protobuf.timestamp_pb2 import Timestamp

from catenary_core.call.errors import invalid
from catenary_wire.timestamps import LAST_SECOND, shown_time


class EndingRequest(Protocol):
    """A request with an optional `expires_at`."""

    @property
    def expires_at(self) -> Timestamp:
        """The wanted end."""
        ...

    def HasField(self, name: Any) -> bool:  # noqa: N802 (protobuf's name)
        """Return whether a field is set."""
        ...


def end_of(request: EndingRequest, now: float) -> float | None:
    """Return the end in Unix seconds; None without one.

    Raises VALIDATION_ERROR: it is not in the future, or after the year 9999.
    """
    if not request.HasField("expires_at"):
        return None
    seconds = request.expires_at.seconds + request.expires_at.nanos / 1e9
    if not now < seconds <= LAST_SECOND:
        raise invalid(
            "expires_at",
            "{field} must be in the future, before the year 10000.",
            value=shown_time(request.expires_at),
            constraint="future",
        )
    return float(seconds)
