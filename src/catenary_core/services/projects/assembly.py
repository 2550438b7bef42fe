"""The parts that the projects service adds to a core: who has a role in a project, beside its own methods."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.projects.servicer import ProjectServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    servicer = ProjectServicer(frame)
    parts.servicers["catenary.platform.v1.ProjectService"] = servicer
    parts.role_of = servicer.role_of


ASSEMBLY = Assembly(
    assemble=assemble, unwatched={"projects.access": "no response shows it; it only decides who sees an event"}
)
