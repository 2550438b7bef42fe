"""RecordTypeService and RecordService: quality assurance records and their types."""

from __future__ import annotations

from collections.abc import AsyncIterator

from catenary.qa.v2 import (
    record_service_pb2,
    record_service_shapes,
    record_type_service_pb2,
    record_type_service_shapes,
)
from catenary_core.access.visibility import viewer
from catenary_core.call.call import Call
from catenary_core.call.item_faults import ItemFaults
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.resources.resource import unknown
from catenary_core.services.qa import queries


class RecordTypeServicer:
    """`catenary.qa.v2.RecordTypeService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_record_types(
        self, request: record_type_service_pb2.ListRecordTypesRequest, call: Call
    ) -> AsyncIterator[record_type_service_shapes.ListRecordTypesResponse]:
        """List all record types."""
        return await pages.parts(self._db, queries.RECORD_TYPES, request, {})

    async def create_record_type(
        self, request: record_type_service_pb2.CreateRecordTypeRequest, call: Call
    ) -> record_type_service_shapes.CreateRecordTypeResponse:
        """Create a record type."""
        async with self._db.transaction() as tx:
            (made,) = await queries.RECORD_TYPE.create(tx, call, [{"name": request.name}])
        return {"record_type": made}


class RecordServicer:
    """`catenary.qa.v2.RecordService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_records(
        self, request: record_service_pb2.ListRecordsRequest, call: Call
    ) -> AsyncIterator[record_service_shapes.ListRecordsResponse]:
        """List the records that every given filter matches."""
        given = pages.filters_of(request, "reference_id", "type_id")
        return await pages.parts(self._db, queries.RECORDS, request, given, **viewer(call))

    async def create_records(
        self, request: record_service_pb2.CreateRecordsRequest, call: Call
    ) -> record_service_shapes.CreateRecordsResponse:
        """Create records, with the caller as their creator."""
        items = [
            {
                "type_id": item.type_id,
                "reference_id": item.reference_id,
                "reference_table": item.reference_table,
                "reference_url": item.reference_url,
                "created_by": call.caller.user_id,
            }
            for item in request.records
        ]
        async with self._db.transaction() as tx:
            types = await queries.RECORD_TYPE.active(tx, list({item["type_id"] for item in items}))
            faults = ItemFaults()
            for index, item in enumerate(items):
                with faults.of(index):
                    if item["type_id"] not in types:
                        raise unknown(f"records[{index}].type_id", item["type_id"], "record type")
            faults.refuse()
            return {"records": await queries.RECORD.create(tx, call, items, path="records", **viewer(call))}

    async def get_record(
        self, request: record_service_pb2.GetRecordRequest, call: Call
    ) -> record_service_shapes.GetRecordResponse:
        """Return one record."""
        async with self._db.read() as tx:
            found = await queries.RECORD.get(tx, request.record_id, show_deleted=request.show_deleted, **viewer(call))
        return {"record": found}

    async def delete_record(
        self, request: record_service_pb2.DeleteRecordRequest, call: Call
    ) -> record_service_shapes.DeleteRecordResponse:
        """Delete a record. Only its creator and Admins may."""
        async with self._db.transaction() as tx:
            return {"record": await queries.RECORD.delete(tx, call, request.record_id, **viewer(call))}
