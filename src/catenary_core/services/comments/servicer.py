"""CommentService: comments on anything that has an id."""

from __future__ import annotations

from collections.abc import AsyncIterator

from catenary.comments.v2 import comment_service_pb2, comment_service_shapes
from catenary_core.access.visibility import viewer
from catenary_core.call import field_masks
from catenary_core.call.call import Call
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.services.comments import queries
from catenary_core.services.comments.discussion import changes


class CommentServicer:
    """`catenary.comments.v2.CommentService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_comments(
        self, request: comment_service_pb2.ListCommentsRequest, call: Call
    ) -> AsyncIterator[comment_service_shapes.ListCommentsResponse]:
        """List the comments that every given filter matches."""
        given = pages.filters_of(request, "comment_id", "reference_id", "reference_table")
        return await pages.parts(self._db, queries.COMMENTS, request, given, **viewer(call))

    async def create_comments(
        self, request: comment_service_pb2.CreateCommentsRequest, call: Call
    ) -> comment_service_shapes.CreateCommentsResponse:
        """Create comments, with the caller as their author."""
        items = [
            {
                "reference_id": item.reference_id,
                "reference_table": item.reference_table,
                "reference_url": item.reference_url,
                "content": item.content,
                "created_by": call.caller.user_id,
            }
            for item in request.comments
        ]
        async with self._db.transaction() as tx:
            return {"comments": await queries.COMMENT.create(tx, call, items, path="comments", **viewer(call))}

    async def get_comment(
        self, request: comment_service_pb2.GetCommentRequest, call: Call
    ) -> comment_service_shapes.GetCommentResponse:
        """Return one comment."""
        async with self._db.read() as tx:
            found = await queries.COMMENT.get(tx, request.comment_id, show_deleted=request.show_deleted, **viewer(call))
        return {"comment": found}

    async def update_comment(
        self, request: comment_service_pb2.UpdateCommentRequest, call: Call
    ) -> comment_service_shapes.UpdateCommentResponse:
        """Change a comment's text. Only its author and Admins may."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            changed = await queries.COMMENT.change(tx, call, request.comment_id, values, **viewer(call))
            if values:
                await changes.write_event_of_row(tx, call, "updated", request.comment_id)
        return {"comment": changed}

    async def delete_comment(
        self, request: comment_service_pb2.DeleteCommentRequest, call: Call
    ) -> comment_service_shapes.DeleteCommentResponse:
        """Delete a comment. Only its author and Admins may."""
        async with self._db.transaction() as tx:
            deleted = await queries.COMMENT.delete(tx, call, request.comment_id, **viewer(call))
            await changes.write_event_of_row(tx, call, "deleted", request.comment_id)
        return {"comment": deleted}
