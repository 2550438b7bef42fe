"""Reviews of revisions: each gives a status, and leaves a QA record.

See guide/conventions.md, "Values and revisions".
"""

from __future__ import annotations

from collections.abc import Sequence

from catenary.parameter.v1 import entry_pb2, entry_service_pb2
from catenary.parameter.v1.entry_shapes import Revision
from catenary_core.access import rights
from catenary_core.access.visibility import viewer
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, conflict, invalid
from catenary_core.call.item_faults import ItemFaults
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.frame import JudgedRevision, RecordReviews
from catenary_core.resources.resource import unknown
from catenary_core.services.parameter.entries import queries
from catenary_wire.json_form import enum_names

_STATUS = entry_pb2.RevisionStatus.DESCRIPTOR
_INDEPENDENT = (entry_pb2.REVISION_STATUS_CHECKED, entry_pb2.REVISION_STATUS_APPROVED)
_SHOWN_AT = resource_path(entry_service_pb2, "ListRevisions").removesuffix("/{}")
"""Path of the list that has the revision; there is no path of a single one."""


class Reviewing:
    """The rules of reviews, with the writer of their QA records."""

    def __init__(self, record_reviews: RecordReviews, *, independent: bool) -> None:
        """Set the rules.

        Args:
            record_reviews: writes the QA records.
            independent: whether the creator of a revision may neither check nor approve it.
        """
        self._record_reviews = record_reviews
        self._independent = independent

    async def review(
        self, tx: Transaction, call: Call, given: Sequence[entry_service_pb2.RevisionUpdate]
    ) -> list[Revision]:
        """Give revisions their status; return them in the order of `given`.

        Raises PERMISSION_DENIED: the caller may not review a revision's project, or a revision of its own.
        Raises VALIDATION_ERROR: a revision is given twice or is unknown, or a rejection has no comment.
        Raises CONFLICT: a revision is not the latest of its entry.
        """
        faults = ItemFaults()
        _check_items(given, faults)
        ids = [item.revision_id for item in given]
        rows = {row["revision_id"]: row for row in await tx.all(queries.HOLD_REVISED, ids=ids, **viewer(call))}
        if not faults:  # a fault of the body is told before a missing right
            await rights.check(tx, call, rights.VALUES, rows.values())
            if self._independent:
                _check_independence(call, given, rows)
        for index, id_ in enumerate(ids):
            field = f"revisions[{index}].revision_id"
            with faults.of(index):
                if id_ not in rows:
                    raise unknown(field, id_, "revision")
                if rows[id_]["latest_id"] != id_:
                    raise _not_latest(field, id_)
        faults.refuse()
        names = enum_names(_STATUS)
        judged = [
            JudgedRevision(
                item.revision_id, names[item.status], _SHOWN_AT.format(entry_id=rows[item.revision_id]["entry_id"])
            )
            for item in given
        ]
        await tx.execute(
            queries.SET_STATUS,
            revision_ids=ids,
            states=[one.status for one in judged],
            comments=[item.comment if item.HasField("comment") else None for item in given],
            reviewed_by=call.caller.user_id,
        )
        revisions = await queries.REVISION.read(tx, ids)
        projects = {id_: row["project_id"] for id_, row in rows.items()}
        await queries.REVISION.write_events(tx, call, "updated", revisions, projects)
        await self._record_reviews(tx, call, judged)
        return revisions


def _check_items(given: Sequence[entry_service_pb2.RevisionUpdate], faults: ItemFaults) -> None:
    """Record a fault for each revision that is given twice, and each rejection without a comment."""
    seen: set[str] = set()
    for index, item in enumerate(given):
        with faults.of(index):
            if item.revision_id in seen:
                raise invalid(
                    f"revisions[{index}].revision_id",
                    "{field} stands twice; give each revision once.",
                    value=item.revision_id,
                    constraint="unique",
                )
        with faults.of(index):
            if item.status == entry_pb2.REVISION_STATUS_REJECTED and not item.comment.strip():
                raise invalid(
                    f"revisions[{index}].comment",
                    "{field}: a rejection needs a comment that says why.",
                    value=item.comment if item.HasField("comment") else None,
                    constraint="required",
                )
        seen.add(item.revision_id)


def _check_independence(call: Call, given: Sequence[entry_service_pb2.RevisionUpdate], rows: dict[str, Row]) -> None:
    for item in given:
        row = rows.get(item.revision_id)
        if row is not None and item.status in _INDEPENDENT and row["created_by"] == call.caller.user_id:
            raise DomainError(
                "PERMISSION_DENIED",
                f"You gave the value of the revision {item.revision_id}; ask somebody else to check or approve it.",
            )


def _not_latest(field: str, revision_id: str) -> DomainError:
    return conflict(
        field,
        "{field}: only the latest revision of an entry changes, and a newer one is there; read the revisions again.",
        value=revision_id,
        constraint="latest",
    )
