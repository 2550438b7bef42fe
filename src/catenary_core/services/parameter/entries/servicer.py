"""EntryService: the values of parameters, with their revisions."""

from __future__ import annotations

from collections.abc import AsyncIterator

from catenary.parameter.v1 import entry_pb2, entry_service_pb2, entry_service_shapes
from catenary_core.access.visibility import viewer
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, conflict, invalid, not_found
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.resources.resource import unknown
from catenary_core.services.parameter.assets import deletion
from catenary_core.services.parameter.entries import queries, writing
from catenary_core.services.parameter.types.known_types import KnownTypes
from catenary_wire.json_form import enum_names

_STATUS = entry_pb2.RevisionStatus.DESCRIPTOR


class EntryServicer:
    """`catenary.parameter.v1.EntryService`."""

    def __init__(self, frame: Frame, known: KnownTypes) -> None:
        self._db = frame.db
        self._known = known

    async def list_entries(
        self, request: entry_service_pb2.ListEntriesRequest, call: Call
    ) -> AsyncIterator[entry_service_shapes.ListEntriesResponse]:
        """List the entries that the caller may see, all of them or those of given parameters."""
        given = pages.filters_of(request, "parameter_id")
        return await pages.parts(self._db, queries.ENTRIES, request, given, **viewer(call))

    async def put_entries(
        self, request: entry_service_pb2.PutEntriesRequest, call: Call
    ) -> entry_service_shapes.PutEntriesResponse:
        """Give entries new content, each as its first or a further revision."""
        contents = [
            writing.NewContent(
                path=f"entries[{index}].",
                parameter_id=item.parameter_id,
                entry_id=item.entry_id,
                source_id=item.source_id,
                value=item.values[0],
                comment=item.comment if item.HasField("comment") else None,
                location=item.location_in_source if item.HasField("location_in_source") else None,
            )
            for index, item in enumerate(request.entries)
        ]
        async with self._db.transaction() as tx:
            if request.texts_as_values:
                contents = await writing.with_texts_read(tx, self._known, contents)
            return {"entries": await writing.put(tx, call, self._known, contents)}

    async def delete_entry(
        self, request: entry_service_pb2.DeleteEntryRequest, call: Call
    ) -> entry_service_shapes.DeleteEntryResponse:
        """Delete an entry."""
        async with self._db.transaction() as tx:
            return {"entry": await deletion.delete_entry(tx, call, request.entry_id)}

    async def list_revisions(
        self, request: entry_service_pb2.ListRevisionsRequest, call: Call
    ) -> AsyncIterator[entry_service_shapes.ListRevisionsResponse]:
        """List an entry's revisions, newest first. `show_deleted` also accepts a deleted entry."""
        context = {"entry_id": request.entry_id, **viewer(call)}
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.VISIBLE_ENTRY, **context)
        if row is None or (row["deleted_at"] is not None and not request.show_deleted):
            raise not_found("entry")
        return await pages.parts(self._db, queries.REVISIONS, request, {}, **context)

    async def update_revisions(
        self, request: entry_service_pb2.UpdateRevisionsRequest, call: Call
    ) -> entry_service_shapes.UpdateRevisionsResponse:
        """Set the status of revisions, each the latest of its entry."""
        ids = _revision_ids(request)
        states = [enum_names(_STATUS).get(item.status) for item in request.revisions]
        comments = [item.comment if item.HasField("comment") else None for item in request.revisions]
        async with self._db.transaction() as tx:
            rows = await tx.all(queries.HOLD_REVISED, ids=ids, **viewer(call))
            latest = {row["revision_id"]: row["latest_id"] for row in rows}
            for index, id_ in enumerate(ids):
                field = f"revisions[{index}].revision_id"
                if id_ not in latest:
                    raise unknown(field, id_, "revision")
                if latest[id_] != id_:
                    raise _not_latest(field, id_)
            await tx.execute(queries.SET_STATUS, revision_ids=ids, states=states, comments=comments)
            revisions = await queries.REVISION.read(tx, ids)
            projects = {row["revision_id"]: row["project_id"] for row in rows}
            await queries.REVISION.write_events(tx, call, "updated", revisions, projects)
        return {"revisions": revisions}


def _revision_ids(request: entry_service_pb2.UpdateRevisionsRequest) -> list[str]:
    """Return the ids of the revisions to judge.

    Raises VALIDATION_ERROR: a revision is given twice, or a rejection has no comment.
    """
    seen: set[str] = set()
    for index, item in enumerate(request.revisions):
        if item.revision_id in seen:
            raise invalid(
                f"revisions[{index}].revision_id",
                "{field} stands twice; give each revision once.",
                value=item.revision_id,
                constraint="unique",
            )
        if item.status == entry_pb2.REVISION_STATUS_REJECTED and not item.comment.strip():
            raise invalid(
                f"revisions[{index}].comment",
                "A rejection needs a comment that says why.",
                value=item.comment if item.HasField("comment") else None,
                constraint="required",
            )
        seen.add(item.revision_id)
    return [item.revision_id for item in request.revisions]


def _not_latest(field: str, revision_id: str) -> DomainError:
    return conflict(
        field,
        "Only the latest revision of an entry changes, and a newer one is there; read the revisions again.",
        value=revision_id,
        constraint="latest",
    )
