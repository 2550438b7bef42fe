"""The parts that the import of files adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.parameter.imports.servicer import ImportServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the parts."""
    parts.servicers["catenary.platform.v1.ImportService"] = ImportServicer(frame, parts.data_calls)


ASSEMBLY = Assembly(assemble=assemble)
