"""The parts that the environment context service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.environment import catalogue, servicer
from catenary_core.services.environment.erasure import erase_from_projects


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.erasers.append(erase_from_projects)
    parts.servicers |= {
        "catenary.environment.v2.CountryService": servicer.CountryServicer(frame),
        "catenary.environment.v2.OlderService": servicer.OlderEnvironmentServicer(frame),
        "catenary.environment.v2.ProjectService": servicer.EnvironmentProjectServicer(frame),
        "catenary.environment.v2.RegionService": servicer.RegionServicer(frame),
    }


ASSEMBLY = Assembly(assemble=assemble, catalogues=(catalogue,))
