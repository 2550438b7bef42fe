"""What the models service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.models.checks import JOB_KIND, Checks
from catenary_core.services.models.servicer import DeploymentServicer, ModelParameterServicer, ModelServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.servicers |= {
        "catenary.platform.v1.DeploymentService": DeploymentServicer(frame),
        "catenary.platform.v1.ModelService": ModelServicer(frame),
        "catenary.platform.v1.ParameterService": ModelParameterServicer(frame),
    }
    parts.job_owners[JOB_KIND] = Checks()


ASSEMBLY = Assembly(assemble=assemble)
