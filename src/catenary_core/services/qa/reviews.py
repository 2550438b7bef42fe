"""The QA records of reviews: who gave which status to which revision, and when."""

from __future__ import annotations

from collections.abc import Sequence

from catenary_core.access.visibility import viewer
from catenary_core.call.base_url import base_url
from catenary_core.call.call import Call
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame, JudgedRevision, RecordReviews
from catenary_core.services.qa import queries

REFERENCE_TABLE = "revision"
"""The `reference_table` of a review's record."""


def record_reviews_of(frame: Frame) -> RecordReviews:
    """Return the writer of the records of reviews."""
    public_url = frame.settings.public_url

    async def record_reviews(tx: Transaction, call: Call, judged: Sequence[JudgedRevision]) -> None:
        base = base_url(public_url, call)
        names = {one.status: one.status.capitalize() for one in judged}
        types = {row["name"]: row["id"] for row in await tx.all(queries.TYPES_BY_NAME, names=list(names.values()))}
        items = [
            {
                "type_id": types[names[one.status]],
                "reference_id": one.revision_id,
                "reference_table": REFERENCE_TABLE,
                "reference_url": f"{base}{one.path}",
                "created_by": call.caller.user_id,
            }
            for one in judged
        ]
        await queries.RECORD.create(tx, call, items, **viewer(call))

    return record_reviews
