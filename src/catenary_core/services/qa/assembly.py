"""The parts that the QA service adds to a core: beside its own methods, the records of reviews."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.qa import catalogue
from catenary_core.services.qa.reviews import record_reviews_of
from catenary_core.services.qa.servicer import RecordServicer, RecordTypeServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.servicers |= {
        "catenary.qa.v2.RecordService": RecordServicer(frame),
        "catenary.qa.v2.RecordTypeService": RecordTypeServicer(frame),
    }
    parts.record_reviews = record_reviews_of(frame)


ASSEMBLY = Assembly(assemble=assemble, catalogues=(catalogue,))
