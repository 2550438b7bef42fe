"""The parts that the reference data service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.reference import catalogue
from catenary_core.services.reference.servicer import SourceServicer, SourceTypeServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.servicers |= {
        "catenary.reference.v2.SourceService": SourceServicer(frame),
        "catenary.reference.v2.SourceTypeService": SourceTypeServicer(frame),
    }


ASSEMBLY = Assembly(assemble=assemble, catalogues=(catalogue,))
