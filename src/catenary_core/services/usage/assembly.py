"""The parts that the usage service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.usage.servicer import UsageServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.servicers["catenary.platform.v1.UsageService"] = UsageServicer(frame, parts.role_of)


ASSEMBLY = Assembly(assemble=assemble)
