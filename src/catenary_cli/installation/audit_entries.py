"""`catenary audit list`: the entries of the audit trail, read by the owner of the database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from catenary.platform.v1.audit_service_pb2 import ListAuditEntriesRequest
from catenary.platform.v1.audit_shapes import AuditEntry
from catenary_cli import show
from catenary_cli.installation.prepared import check_is_there, open_database, prepare
from catenary_core.call.errors import DomainError
from catenary_core.call.validation import check
from catenary_core.database.transactions import Database
from catenary_core.services.audit.lists import listed
from catenary_core.settings import CoreSettings

_TIMES = ("from", "to")
_PAGE = 200
"""Entries that one statement reads."""


async def show_entries(settings: CoreSettings, filters: Mapping[str, str], most: int, *, as_json: bool) -> None:
    """Print the newest entries that match, at most `most`.

    Args:
        settings: Settings of the installation.
        filters: Filters of `GET /v1/audit` by name.
        most: Largest number of entries.
        as_json: Whether to print JSON, one entry a line.

    Raises:
        ValueError: The data directory holds no installation, or a filter is none that the API takes.
    """
    check_is_there(settings)
    async with prepare(settings) as ready, open_database(ready.dsn) as database:
        found = await _entries(database, filters, most)
    if as_json:
        for entry in found:
            show.json(entry, indent=False)
        return
    shown = [
        (
            entry["occurred_at"],
            _actor(entry),
            entry["action"].rpartition("/")[2],
            entry["subject"],
            entry["outcome"] if entry["count"] == 1 else f"{entry['outcome']} ({entry['count']} times)",
            entry["address"],
        )
        for entry in found
    ]
    show.rows(("Time", "Who", "Action", "Subject", "Outcome", "Address"), shown, "No entry matches.")


async def _entries(database: Database, filters: Mapping[str, str], most: int) -> list[AuditEntry]:
    found: list[AuditEntry] = []
    cursor: str | None = ""
    given: dict[str, Any] = {name: _time(name, text) if name in _TIMES else text for name, text in filters.items()}
    request = ListAuditEntriesRequest(**given)
    try:
        while cursor is not None and len(found) < most:
            request.limit, request.cursor = min(_PAGE, most - len(found)), cursor
            check(request)
            async with database.read() as tx:
                page = await listed(tx, request)
            found += page["entries"]
            cursor = page["next_cursor"]
    except DomainError as error:
        raise ValueError(error.message) from None
    return found


def _time(name: str, text: str) -> Timestamp:
    found = Timestamp()
    try:
        found.FromJsonString(text)
    except ValueError:
        raise ValueError(f"--{name} takes a time such as 2030-01-31T12:00:00Z") from None
    return found


def _actor(entry: AuditEntry) -> str | None:
    """Return the name of who acted, or the id of a deleted user; None for a stranger and the platform itself."""
    actor = entry["actor"]
    return None if actor is None else actor["staff_name"] or actor["user_id"]
