"""The rules of comments of projects: what a reply is on, whom a comment mentions, and who may change which comment."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from catenary.platform.v1 import comment_service_pb2 as pb
from catenary.platform.v1 import role_pb2
from catenary.platform.v1.comment_pb2 import CommentAnchor
from catenary.platform.v1.comment_shapes import Comment
from catenary.platform.v1.comment_shapes import CommentAnchor as AnchorShape
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, invalid
from catenary_core.database.statements import Row
from catenary_wire.sentences import Fields


def check_parent(request: pb.CreateCommentRequest, parent: Row | None) -> Row:
    """Return the comment that a request replies to.

    Args:
        request: the request; it has a `parent_id`.
        parent: the active comment with this id; None if there is none.

    Raises VALIDATION_ERROR: it is no comment of the project, a reply, or on another variant than the request says.
    """
    if parent is None or parent["project_id"] != request.project_id:
        raise invalid(
            "parent_id",
            "{field} names no active comment of this project; give the id of one, or leave it out for a new thread.",
            value=request.parent_id,
            constraint="unknown",
        )
    if parent["parent_id"] is not None:
        raise invalid(
            "parent_id",
            "{field} names a reply; give the id of the comment that it replies to.",
            value=request.parent_id,
            constraint="reply",
        )
    if request.HasField("variant_id") and request.variant_id != parent["variant_id"]:
        raise invalid(
            "variant_id",
            "{field} must be that of the comment {parent}; leave it out in a reply.",
            value=request.variant_id,
            constraint="equal",
            parent=Fields("parent_id"),
        )
    return parent


def unknown_variant(variant_id: str) -> DomainError:
    """Return the refusal of an id that is no variant of the project."""
    return invalid(
        "variant_id",
        "{field} names no variant of this project; give the id of one.",
        value=variant_id,
        constraint="unknown",
    )


def check_mentions(mentions: Sequence[str], members: Collection[str]) -> None:
    """Check that every mentioned user has a role in the project.

    Raises VALIDATION_ERROR: one has none.
    """
    for index, user_id in enumerate(mentions):
        if user_id not in members:
            raise invalid(
                f"mentions[{index}]",
                "{field} names nobody with a role in this project; give the user id of a member.",
                value=user_id,
                constraint="unknown",
            )


def check_author(comment: Comment, call: Call) -> None:
    """Check that the caller may change the text of a comment.

    Raises PERMISSION_DENIED: it is another user's.
    """
    if not _is_author(comment, call):
        raise DomainError(
            "PERMISSION_DENIED", "Only its author may change the text of a comment; write a reply instead."
        )


def check_deletion(comment: Comment, call: Call) -> None:
    """Check that the caller may delete a comment.

    Raises PERMISSION_DENIED: it is another user's, and the caller is no editor.
    """
    if call.role < role_pb2.ROLE_EDITOR and not _is_author(comment, call):
        raise DomainError(
            "PERMISSION_DENIED", "This comment is another user's; an editor of the project may delete it."
        )


def shown_to(comment: Comment, call: Call) -> Comment:
    """Return a comment as the caller sees it: a share link shows nobody, so it has no mentions there."""
    return comment if call.caller.is_user else {**comment, "mentions": []}


def anchor_of(anchor: CommentAnchor) -> AnchorShape:
    """Return an anchor as it is stored and shown."""
    return {"x": anchor.x, "y": anchor.y, "z": anchor.z, "geometry": anchor.geometry, "part": anchor.part}


def _is_author(comment: Comment, call: Call) -> bool:
    author = comment["created_by"]
    return author is not None and author["user_id"] == call.caller.user_id
