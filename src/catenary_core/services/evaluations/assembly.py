"""The parts that the evaluations service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.jobs.endings import EndWaiters
from catenary_core.services.evaluations import messages, queries
from catenary_core.services.evaluations.owner import KIND, EvaluationOwner
from catenary_core.services.evaluations.servicer import EvaluationServicer
from catenary_core.services.evaluations.tables import CHANNEL


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    endings = EndWaiters(frame.db, frame.wakeups, CHANNEL, queries.FINAL, "evaluation_id", messages.FINAL)
    servicer = EvaluationServicer(frame, endings)
    parts.servicers["catenary.platform.v1.EvaluationService"] = servicer
    parts.project_of["evaluation_id"] = servicer.project_of
    parts.job_owners[KIND] = EvaluationOwner(endings)


ASSEMBLY = Assembly(
    assemble=assemble,
    channels=(CHANNEL,),
    unwatched={
        "evaluations.evaluation": "its state changes without a caller's write, so edges don't cache responses that show it",
        "evaluations.later_request": "shown by the log of an evaluation only, as the evaluation itself",
        "evaluations.conversion": "shown in downloads only, which edges don't cache",
    },
)
