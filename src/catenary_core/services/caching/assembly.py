"""The parts that the caching service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.caching.servicer import VersionServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.servicers["catenary.caching.v1.VersionService"] = VersionServicer(frame)


ASSEMBLY = Assembly(assemble=assemble, unwatched={"caching.change_count": "the counters themselves"})
