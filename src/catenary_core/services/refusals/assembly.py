"""The parts that the refusals service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.refusals.servicer import RefusalServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.servicers["catenary.audit.v1.RefusalService"] = RefusalServicer(parts.counts)


ASSEMBLY = Assembly(assemble=assemble)
