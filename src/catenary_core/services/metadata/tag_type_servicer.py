"""TagTypeService: the types of tags."""

from __future__ import annotations

from catenary.metadata.v1 import tag_type_service_pb2, tag_type_service_shapes
from catenary_core.call import field_masks
from catenary_core.call.call import Call
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.services.metadata import queries, rules


class TagTypeServicer:
    """`catenary.metadata.v1.TagTypeService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_tag_types(
        self, request: tag_type_service_pb2.ListTagTypesRequest, call: Call
    ) -> tag_type_service_shapes.ListTagTypesResponse:
        """List a page of the tag types."""
        given = rules.id_filter("tag_type_id", request.tag_type_id)
        return await pages.page(self._db, queries.TAG_TYPES, request, given)

    async def create_tag_type(
        self, request: tag_type_service_pb2.CreateTagTypeRequest, call: Call
    ) -> tag_type_service_shapes.CreateTagTypeResponse:
        """Create a tag type."""
        item = {"name": request.name, "allow_custom": request.allow_custom}
        async with self._db.transaction() as tx:
            (made,) = await queries.TAG_TYPE.create(tx, call, [item])
        return {"tag_type": made}

    async def get_tag_type(
        self, request: tag_type_service_pb2.GetTagTypeRequest, call: Call
    ) -> tag_type_service_shapes.GetTagTypeResponse:
        """Return one tag type."""
        async with self._db.read() as tx:
            found = await queries.TAG_TYPE.get(tx, request.tag_type_id, show_deleted=request.show_deleted)
        return {"tag_type": found}

    async def update_tag_type(
        self, request: tag_type_service_pb2.UpdateTagTypeRequest, call: Call
    ) -> tag_type_service_shapes.UpdateTagTypeResponse:
        """Change a tag type's name or `allow_custom`."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            return {"tag_type": await queries.TAG_TYPE.change(tx, call, request.tag_type_id, values)}

    async def delete_tag_type(
        self, request: tag_type_service_pb2.DeleteTagTypeRequest, call: Call
    ) -> tag_type_service_shapes.DeleteTagTypeResponse:
        """Delete a tag type. Its tags stay."""
        async with self._db.transaction() as tx:
            return {"tag_type": await queries.TAG_TYPE.delete(tx, call, request.tag_type_id)}
