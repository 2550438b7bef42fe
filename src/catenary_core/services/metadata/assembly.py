"""The parts that the metadata service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.metadata.tag_link_servicer import TagLinkServicer
from catenary_core.services.metadata.tag_servicer import TagServicer
from catenary_core.services.metadata.tag_type_servicer import TagTypeServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.servicers |= {
        "catenary.metadata.v1.TagLinkService": TagLinkServicer(frame),
        "catenary.metadata.v1.TagService": TagServicer(frame),
        "catenary.metadata.v1.TagTypeService": TagTypeServicer(frame),
    }


ASSEMBLY = Assembly(assemble=assemble)
