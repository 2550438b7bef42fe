"""CommentService of the platform: comments on projects and variants, replies, and the resolution of threads."""

from __future__ import annotations

import dataclasses

import uuid_utils

from catenary.platform.v1 import comment_service_pb2 as pb
from catenary.platform.v1 import comment_service_shapes as shapes
from catenary.platform.v1 import project_service_pb2, variant_service_pb2
from catenary.platform.v1.comment_shapes import Comment
from catenary_core.call import field_masks, preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import not_found
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import json_value, shaped
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Evaluations, Frame
from catenary_core.resources import cameras
from catenary_core.resources.platform_pages import page_of
from catenary_core.services.comments.discussion import changes, queries, rules
from catenary_core.services.comments.queries import COMMENT

_ROWS = dataclasses.replace(COMMENT, always=())
"""The rows as the comments service tells of them; who may write them is decided here."""
_PATHS = {
    "project": resource_path(project_service_pb2, "GetProject"),
    "variant": resource_path(variant_service_pb2, "GetVariant"),
}
"""Path of what a comment is on, by its `reference_table`."""


class ProjectCommentServicer:
    """`catenary.platform.v1.CommentService`."""

    def __init__(self, frame: Frame, evaluations: Evaluations) -> None:
        self._db = frame.db
        self._public_url = frame.settings.public_url
        self._evaluations = evaluations

    async def project_of(self, comment_id: str) -> str | None:
        """Return the active project of an active comment, for the policy."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.PROJECT_OF, comment_id=comment_id)
        return None if row is None else row["project_id"]

    async def variant_of(self, comment_id: str) -> str | None:
        """Return the variant that an active comment is on, for the policy."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.VARIANT_OF, comment_id=comment_id)
        return None if row is None else row["variant_id"]

    async def list_comments(self, request: pb.ListCommentsRequest, call: Call) -> shapes.ListCommentsResponse:
        """List the comments of a project, newest first."""
        page = page_of(request)
        of_variant = request.HasField("variant_id")
        resolved = request.resolved if request.HasField("resolved") else None
        given = {"variant_id": request.variant_id} if of_variant else {}
        found = queries.LIST[of_variant, resolved]
        async with self._db.read() as tx:
            rows, cursor = await found.read(tx, page, project_id=request.project_id, **given)
        return {"comments": [rules.shown_to(shaped(Comment, row), call) for row in rows], "next_cursor": cursor}

    async def create_comment(self, request: pb.CreateCommentRequest, call: Call) -> shapes.CreateCommentResponse:
        """Add a comment or a reply, with the caller as its author."""
        camera = cameras.read(request.camera, "camera") if request.HasField("camera") else None
        anchor = rules.anchor_of(request.anchor) if request.HasField("anchor") else None
        mentions = list(request.mentions)
        async with self._db.transaction() as tx:
            variant_id, evaluation_id = await self._place(tx, request)
            members = await tx.all(queries.MEMBERS, project_id=request.project_id, ids=mentions) if mentions else []
            rules.check_mentions(mentions, {row["user_id"] for row in members})
            comment_id = str(uuid_utils.uuid7())
            row = await tx.one(
                queries.INSERT_ROW,
                id=comment_id,
                **self._reference(call, request.project_id, variant_id),
                project_id=request.project_id,
                content=request.content,
                created_by=call.caller.user_id,
            )
            await tx.execute(
                queries.INSERT,
                comment_id=comment_id,
                project_id=request.project_id,
                variant_id=variant_id,
                evaluation_id=evaluation_id,
                parent_id=request.parent_id or None,
                anchor=None if anchor is None else json_value(anchor),
                camera=None if camera is None else json_value(camera),
                mentions=mentions,
                created_at=row["created_at"],
            )
            comment = await _one(tx, comment_id)
            await _ROWS.write_events(tx, call, "created", await _ROWS.read(tx, [comment_id]))
            await changes.write_event(tx, call, "created", comment)
        return {"comment": comment}

    async def get_comment(self, request: pb.GetCommentRequest, call: Call) -> shapes.GetCommentResponse:
        """Return one comment."""
        async with self._db.read() as tx:
            comment = await _one(tx, request.comment_id)
        if comment["deleted_at"] is not None:
            raise not_found("comment")
        return {"comment": rules.shown_to(comment, call)}

    async def update_comment(self, request: pb.UpdateCommentRequest, call: Call) -> shapes.UpdateCommentResponse:
        """Change the text of a comment, or resolve or reopen its thread. Without changes it stays as it is."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            comment, thread_id = await _locked(tx, request.comment_id)
            if "content" in values:
                rules.check_author(comment, call)
            preconditions.check(call, comment)
            is_changed = False
            if "resolved" in values:
                is_changed = await _set_resolved(tx, call, thread_id, resolved=values["resolved"])
            if "content" in values:
                is_changed = True
                await tx.execute(queries.UPDATE, comment_id=request.comment_id, new_content=values["content"])
                await _ROWS.write_events(tx, call, "updated", await _ROWS.read(tx, [request.comment_id]))
            if is_changed:
                comment = await _one(tx, request.comment_id)
                await changes.write_event(tx, call, "updated", comment)
        return {"comment": comment}

    async def delete_comment(self, request: pb.DeleteCommentRequest, call: Call) -> shapes.DeleteCommentResponse:
        """Delete a comment; its replies stay."""
        async with self._db.transaction() as tx:
            comment, _ = await _locked(tx, request.comment_id)
            rules.check_deletion(comment, call)
            preconditions.check(call, comment)
            await tx.execute(queries.DELETE, comment_id=request.comment_id)
            comment = await _one(tx, request.comment_id)
            await _ROWS.write_events(tx, call, "deleted", await _ROWS.read(tx, [request.comment_id]))
            await changes.write_event(tx, call, "deleted", comment)
        return {"comment": comment}

    async def _place(self, tx: Transaction, request: pb.CreateCommentRequest) -> tuple[str | None, str | None]:
        """Hold the place of a new comment; return the ids of its variant and evaluation."""
        if request.HasField("parent_id"):
            held = await tx.one_or_none(queries.HOLD_PARENT, comment_id=request.parent_id)
            parent = rules.check_parent(request, held)
            return parent["variant_id"], parent["evaluation_id"]
        if not request.HasField("variant_id"):
            return None, None
        place = {"project_id": request.project_id, "variant_id": request.variant_id}
        row = await tx.one_or_none(queries.EVALUATION_OF, **place)
        if row is None:
            raise rules.unknown_variant(request.variant_id)
        evaluation_id: str = row["evaluation_id"]
        # None if it was removed after its variant, while this call looked.
        if await self._evaluations.hold(tx, request.project_id, evaluation_id) is None:
            raise rules.unknown_variant(request.variant_id)
        return request.variant_id, evaluation_id

    def _reference(self, call: Call, project_id: str, variant_id: str | None) -> dict[str, str]:
        """Return the reference of a new row of the comments service."""
        table, id_ = ("project", project_id) if variant_id is None else ("variant", variant_id)
        base = (self._public_url or call.metadata.get("catenary-base-url", "")).rstrip("/")
        return {
            "reference_id": id_,
            "reference_table": table,
            "reference_url": f"{base}{_PATHS[table].format(id_)}",
        }


async def _one(tx: Transaction, comment_id: str) -> Comment:
    """Return a comment, also a deleted one.

    Raises NOT_FOUND: there is none.
    """
    comment = await changes.shown(tx, comment_id)
    if comment is None:
        raise not_found("comment")
    return comment


async def _locked(tx: Transaction, comment_id: str) -> tuple[Comment, str]:
    """Lock a comment and its thread; return the comment and the id of the thread's first comment.

    Raises NOT_FOUND: there is no active comment of this id.
    """
    thread = await tx.one_or_none(queries.LOCK_THREAD, comment_id=comment_id)
    if thread is None or await tx.one_or_none(queries.LOCK, comment_id=comment_id) is None:
        raise not_found("comment")
    return await _one(tx, comment_id), thread["comment_id"]


async def _set_resolved(tx: Transaction, call: Call, thread_id: str, *, resolved: bool) -> bool:
    """Resolve or reopen a thread; return False if it was so already."""
    if resolved:
        return await tx.execute(queries.RESOLVE, comment_id=thread_id, user_id=call.caller.user_id) > 0
    return await tx.execute(queries.REOPEN, comment_id=thread_id) > 0
