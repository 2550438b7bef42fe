"""SourceTypeService and SourceService: sources and their types."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from catenary.reference.v2 import (
    source_service_pb2,
    source_service_shapes,
    source_type_service_pb2,
    source_type_service_shapes,
)
from catenary_core.access.visibility import viewer
from catenary_core.call import field_masks
from catenary_core.call.call import Call
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.resources.resource import unknown
from catenary_core.services.reference import queries, rules

_OPTIONAL = (
    "reference",
    "url",
    "date_day",
    "date_month",
    "date_year",
    "time",
    "reference_id",
    "reference_table",
    "reference_url",
    "scope",
)


class SourceTypeServicer:
    """`catenary.reference.v2.SourceTypeService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_source_types(
        self, request: source_type_service_pb2.ListSourceTypesRequest, call: Call
    ) -> AsyncIterator[source_type_service_shapes.ListSourceTypesResponse]:
        """List all source types."""
        return await pages.parts(self._db, queries.SOURCE_TYPES, request, {})

    async def create_source_type(
        self, request: source_type_service_pb2.CreateSourceTypeRequest, call: Call
    ) -> source_type_service_shapes.CreateSourceTypeResponse:
        """Create a source type."""
        visible = request.visible if request.HasField("visible") else True
        async with self._db.transaction() as tx:
            (made,) = await queries.SOURCE_TYPE.create(tx, call, [{"name": request.name, "visible": visible}])
        return {"source_type": made}

    async def get_source_type(
        self, request: source_type_service_pb2.GetSourceTypeRequest, call: Call
    ) -> source_type_service_shapes.GetSourceTypeResponse:
        """Return one source type."""
        async with self._db.read() as tx:
            found = await queries.SOURCE_TYPE.get(tx, request.source_type_id, show_deleted=request.show_deleted)
        return {"source_type": found}

    async def update_source_type(
        self, request: source_type_service_pb2.UpdateSourceTypeRequest, call: Call
    ) -> source_type_service_shapes.UpdateSourceTypeResponse:
        """Change a source type's name or visibility."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            return {"source_type": await queries.SOURCE_TYPE.change(tx, call, request.source_type_id, values)}

    async def delete_source_type(
        self, request: source_type_service_pb2.DeleteSourceTypeRequest, call: Call
    ) -> source_type_service_shapes.DeleteSourceTypeResponse:
        """Delete a source type."""
        async with self._db.transaction() as tx:
            return {"source_type": await queries.SOURCE_TYPE.delete(tx, call, request.source_type_id)}


class SourceServicer:
    """`catenary.reference.v2.SourceService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_sources(
        self, request: source_service_pb2.ListSourcesRequest, call: Call
    ) -> AsyncIterator[source_service_shapes.ListSourcesResponse]:
        """List the sources that every given filter matches."""
        given = pages.filters_of(request, "source_id", "reference_id", "source_type_id", "title", "reference")
        return await pages.parts(self._db, queries.SOURCES, request, given, **viewer(call))

    async def create_source(
        self, request: source_service_pb2.CreateSourceRequest, call: Call
    ) -> source_service_shapes.CreateSourceResponse:
        """Create a source."""
        values: dict[str, Any] = {"source_type_id": request.source_type_id, "title": request.title}
        values |= field_masks.optional_values(request, *_OPTIONAL)
        values["created_by"] = call.caller.user_id
        rules.check_date(values)
        async with self._db.transaction() as tx:
            await _check_type(tx, values)
            (made,) = await queries.SOURCE.create(tx, call, [values], **viewer(call))
        return {"source": made}

    async def get_source(
        self, request: source_service_pb2.GetSourceRequest, call: Call
    ) -> source_service_shapes.GetSourceResponse:
        """Return one source."""
        async with self._db.read() as tx:
            found = await queries.SOURCE.get(tx, request.source_id, show_deleted=request.show_deleted, **viewer(call))
        return {"source": found}

    async def update_source(
        self, request: source_service_pb2.UpdateSourceRequest, call: Call
    ) -> source_service_shapes.UpdateSourceResponse:
        """Change a source. Only its creator and Admins may."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            before = await queries.SOURCE.lock_target(tx, call, request.source_id, **viewer(call))
            rules.check_date(before | values)
            if values.get("source_type_id") != before["source_type_id"]:
                await _check_type(tx, values)
            return {"source": await queries.SOURCE.change(tx, call, request.source_id, values, **viewer(call))}

    async def delete_source(
        self, request: source_service_pb2.DeleteSourceRequest, call: Call
    ) -> source_service_shapes.DeleteSourceResponse:
        """Delete a source. Only its creator and Admins may."""
        async with self._db.transaction() as tx:
            return {"source": await queries.SOURCE.delete(tx, call, request.source_id, **viewer(call))}


async def _check_type(tx: Transaction, values: dict[str, Any]) -> None:
    type_id = values.get("source_type_id")
    if type_id is not None and type_id not in await queries.SOURCE_TYPE.active(tx, [type_id]):
        raise unknown("source_type_id", type_id, "source type")
