"""EntryService: the values of parameters, with their revisions."""

from __future__ import annotations

from collections.abc import AsyncIterator

from catenary.parameter.v1 import entry_service_pb2, entry_service_shapes
from catenary_core.access.visibility import viewer
from catenary_core.call.call import Call
from catenary_core.call.errors import not_found
from catenary_core.call.item_faults import ItemFaults
from catenary_core.frame import Frame, RecordReviews
from catenary_core.resources import pages
from catenary_core.services.parameter.assets import deletion
from catenary_core.services.parameter.entries import queries, writing
from catenary_core.services.parameter.entries.reviews import Reviewing
from catenary_core.services.parameter.types.known_types import KnownTypes


class EntryServicer:
    """`catenary.parameter.v1.EntryService`."""

    def __init__(self, frame: Frame, known: KnownTypes, record_reviews: RecordReviews) -> None:
        self._db = frame.db
        self._known = known
        self._reviewing = Reviewing(record_reviews, independent=frame.settings.independent_review)

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
        contents = writing.read_contents(
            (index, f"entries[{index}].", item.parameter_id, item) for index, item in enumerate(request.entries)
        )
        async with self._db.transaction() as tx:
            if request.texts_as_values:
                contents = await writing.with_texts_read(tx, self._known, contents)
            return {"entries": await writing.put(tx, call, self._known, contents, ItemFaults())}

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
        """Give revisions a status, each the latest of its entry."""
        async with self._db.transaction() as tx:
            return {"revisions": await self._reviewing.review(tx, call, request.revisions)}
