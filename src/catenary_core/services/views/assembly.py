"""The parts that the views service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.views.servicer import ViewServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    servicer = ViewServicer(frame)
    parts.servicers["catenary.platform.v1.ViewService"] = servicer
    parts.project_of["view_id"] = servicer.project_of


ASSEMBLY = Assembly(
    assemble=assemble,
    unwatched={"views.view": "shown without what a later deployment lacks, and edges don't cache it"},
)
