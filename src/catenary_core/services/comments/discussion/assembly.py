"""The parts that the comments of projects add to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.comments.discussion.servicer import ProjectCommentServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the parts."""
    servicer = ProjectCommentServicer(frame, parts.evaluations)
    parts.servicers["catenary.platform.v1.CommentService"] = servicer
    parts.project_of["comment_id"] = servicer.project_of
    parts.variant_of["comment_id"] = servicer.variant_of


ASSEMBLY = Assembly(
    assemble=assemble,
    unwatched={"comments.project_comment": "other people write while one reads, so edges don't cache it"},
)
