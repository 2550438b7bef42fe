"""The parts that the limits service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.limits.servicer import LimitServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.servicers["catenary.limits.v1.LimitService"] = LimitServicer(frame)


ASSEMBLY = Assembly(assemble=assemble)
