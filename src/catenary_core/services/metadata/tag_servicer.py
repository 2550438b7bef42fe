"""TagService: tags of projects and global tags."""

from __future__ import annotations

from catenary.metadata.v1 import tag_service_pb2, tag_service_shapes
from catenary_core.access.visibility import viewer, visible_projects
from catenary_core.call import field_masks
from catenary_core.call.call import Call
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.resources.resource import unknown
from catenary_core.services.metadata import links, queries, rules


class TagServicer:
    """`catenary.metadata.v1.TagService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_tags(
        self, request: tag_service_pb2.ListTagsRequest, call: Call
    ) -> tag_service_shapes.ListTagsResponse:
        """List a page of the visible tags that every given filter matches."""
        given = {
            **rules.id_filter("tag_id", request.tag_id),
            **rules.id_filter("tag_type_id", request.tag_type_id),
            **rules.scope_filters(request.tag_scope, omit_global=request.omit_global),
        }
        return await pages.page(self._db, queries.TAGS, request, given, **viewer(call))

    async def create_tag(
        self, request: tag_service_pb2.CreateTagRequest, call: Call
    ) -> tag_service_shapes.CreateTagResponse:
        """Create a tag of a project or, for Admins, a global one."""
        scope = request.tag_scope if request.HasField("tag_scope") else None
        rules.check_scope_given(call.caller, scope)
        async with self._db.transaction() as tx:
            tag_type = await tx.one_or_none(queries.HOLD_TYPE, id=request.tag_type_id)
            if tag_type is None:
                raise unknown("tag_type_id", request.tag_type_id, "tag type")
            rules.check_custom(call.caller, request.tag_type_id, scope, allow_custom=tag_type["allow_custom"])
            if scope is not None and not await visible_projects(tx, call, [scope]):
                raise unknown("tag_scope", scope, "project")
            item = {"name": request.name, "tag_type_id": request.tag_type_id, "tag_scope": scope}
            (made,) = await queries.TAG.create(tx, call, [item], **viewer(call))
        return {"tag": made}

    async def get_tag(self, request: tag_service_pb2.GetTagRequest, call: Call) -> tag_service_shapes.GetTagResponse:
        """Return one tag."""
        async with self._db.read() as tx:
            found = await queries.TAG.get(tx, request.tag_id, show_deleted=request.show_deleted, **viewer(call))
        return {"tag": found}

    async def update_tag(
        self, request: tag_service_pb2.UpdateTagRequest, call: Call
    ) -> tag_service_shapes.UpdateTagResponse:
        """Rename a tag."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            return {"tag": await queries.TAG.change(tx, call, request.tag_id, values, **viewer(call))}

    async def delete_tag(
        self, request: tag_service_pb2.DeleteTagRequest, call: Call
    ) -> tag_service_shapes.DeleteTagResponse:
        """Delete a tag and its links."""
        async with self._db.transaction() as tx:
            deleted = await queries.TAG.delete(tx, call, request.tag_id, **viewer(call))
            await links.delete_all(tx, call, deleted)
        return {"tag": deleted}
