"""The parts that the comments service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.comments.servicer import CommentServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.servicers["catenary.comments.v2.CommentService"] = CommentServicer(frame)


ASSEMBLY = Assembly(assemble=assemble)
