"""Pages of audit entries, for the servicer and for the command line, which has the database."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp

from catenary.platform.v1.audit_service_pb2 import ListAuditEntriesRequest
from catenary.platform.v1.audit_service_shapes import ListAuditEntriesResponse
from catenary.platform.v1.audit_shapes import AuditEntry
from catenary_core.call.errors import invalid
from catenary_core.database.statements import shaped
from catenary_core.database.transactions import Transaction
from catenary_core.resources.platform_pages import page_of
from catenary_core.services.audit import queries
from catenary_wire.sentences import Fields
from catenary_wire.timestamps import is_told, shown_time, timestamp_text

_TEXTS = ("actor_id", "action", "subject", "outcome")


async def listed(tx: Transaction, request: ListAuditEntriesRequest) -> ListAuditEntriesResponse:
    """Return the requested page, newest entries first.

    Raises VALIDATION_ERROR: the cursor is damaged, a time is none that texts can say, or `to` is not after `from`.
    """
    page = page_of(request, numbered=True)
    given = {name: getattr(request, name) for name in _TEXTS if request.HasField(name)} | _times(request)
    statement = queries.page(queries.conditions(given), page.id is not None)
    found = await tx.all(statement, **given, **page.parameters)
    rows, next_cursor = page.cut(found, "sequence", "occurred_at")
    return {"entries": [shaped(AuditEntry, row) for row in rows], "next_cursor": next_cursor}


def _times(request: ListAuditEntriesRequest) -> dict[str, str]:
    """Return the times of the request that are given, as text."""
    given: dict[str, Timestamp] = {name: getattr(request, name) for name in ("from", "to") if request.HasField(name)}
    for name, value in given.items():
        if not is_told(value):
            raise invalid(
                name, "{field} is not a time of the years 1 to 9999.", value=shown_time(value), constraint="range"
            )
    texts = {name: timestamp_text(value) for name, value in given.items()}
    if len(texts) == 2 and texts["to"] <= texts["from"]:
        raise invalid(
            "to", "{field} must be after {start}.", value=texts["to"], constraint="range", start=Fields("from")
        )
    return texts
