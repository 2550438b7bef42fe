"""What the QA service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.qa.servicer import RecordServicer, RecordTypeServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.servicers |= {
        "catenary.qa.v2.RecordService": RecordServicer(frame),
        "catenary.qa.v2.RecordTypeService": RecordTypeServicer(frame),
    }


ASSEMBLY = Assembly(assemble=assemble)
