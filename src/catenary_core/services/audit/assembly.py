"""The parts that the audit service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.audit.servicer import AuditServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.servicers["catenary.platform.v1.AuditService"] = AuditServicer(frame)


ASSEMBLY = Assembly(assemble=assemble)
