"""The event `system.service.updated` for a release that starts on this database for the first time."""

from __future__ import annotations

from importlib import metadata

from catenary.platform.v1.event_shapes import SystemEvent
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.services.events import queries
from catenary_core.services.events.servicer import SUBJECT


def installed() -> str | None:
    """Return the version of this installation, or None in a source tree that isn't installed."""
    try:
        return metadata.version("catenary")
    except metadata.PackageNotFoundError:
        return None


async def announce(tx: Transaction, release: str | None) -> None:
    """Write the event unless the release has run on this database before, or is None."""
    if release is None or not await tx.execute(queries.NOTE_RELEASE, release=release):
        return
    system_event: SystemEvent = {
        "type": "system.service.updated",
        "message": f"Catenary {release} is running.",
        "starts_at": None,
        "ends_at": None,
        "release": release,
    }
    await events.write(tx, None, "system.service.updated", subject=SUBJECT, data={"system_event": system_event})
