"""The parts that the models service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.jobs.endings import EndWaiters
from catenary_core.services.models import queries
from catenary_core.services.models.checks import JOB_KIND, Checks, revoke_repeatable
from catenary_core.services.models.deployment_servicer import DeploymentServicer
from catenary_core.services.models.derived_metric_servicer import DerivedMetricServicer
from catenary_core.services.models.parameter_servicer import ModelParameterServicer
from catenary_core.services.models.servicer import ModelServicer
from catenary_core.services.models.tables import CHANNEL, FINAL


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    checks = EndWaiters(frame.db, frame.wakeups, CHANNEL, queries.CHECKED, "model_version_id", FINAL)
    parts.servicers |= {
        "catenary.platform.v1.DeploymentService": DeploymentServicer(frame),
        "catenary.platform.v1.DerivedMetricService": DerivedMetricServicer(frame),
        "catenary.platform.v1.ModelService": ModelServicer(frame, checks),
        "catenary.platform.v1.ParameterService": ModelParameterServicer(frame),
    }
    parts.job_owners[JOB_KIND] = Checks()
    parts.revoke_repeatable = revoke_repeatable


ASSEMBLY = Assembly(assemble=assemble, channels=(CHANNEL,))
