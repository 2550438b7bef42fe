"""The parts that the evaluations service adds to a core."""

from __future__ import annotations

from catenary_core.background.periodic import Periodic
from catenary_core.database.retention import remove
from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.jobs import sessions
from catenary_core.jobs.endings import EndWaiters
from catenary_core.services.evaluations import messages, queries
from catenary_core.services.evaluations.batches import points
from catenary_core.services.evaluations.batches.servicer import BatchServicer
from catenary_core.services.evaluations.batches.streams import BatchStreams
from catenary_core.services.evaluations.conversions import Conversions
from catenary_core.services.evaluations.exchange.servicer import ExchangeServicer
from catenary_core.services.evaluations.files import collection
from catenary_core.services.evaluations.files.servicer import FileServicer
from catenary_core.services.evaluations.kept import KeptEvaluations
from catenary_core.services.evaluations.owner import KIND, EvaluationOwner
from catenary_core.services.evaluations.pictures import Pictures
from catenary_core.services.evaluations.plans import queries as plan_queries
from catenary_core.services.evaluations.plans.servicer import PlanServicer
from catenary_core.services.evaluations.points.geometry import PointGeometry
from catenary_core.services.evaluations.servicer import EvaluationServicer
from catenary_core.services.evaluations.sessions.owner import SessionOwner
from catenary_core.services.evaluations.sessions.servicer import ExploreServicer
from catenary_core.services.evaluations.sessions.watch import SessionWatch
from catenary_core.services.evaluations.studies.driver import StudyDriver
from catenary_core.services.evaluations.studies.servicer import StudyServicer
from catenary_core.services.evaluations.studies.tables import STUDIES
from catenary_core.services.evaluations.tables import BATCHES, CHANNEL, IDLE_BATCHES


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    endings = EndWaiters(frame.db, frame.wakeups, CHANNEL, queries.FINAL, "evaluation_id", messages.FINAL)
    conversions = Conversions(frame.db, frame.objects, frame.space)
    point_geometry = PointGeometry(frame)
    servicer = EvaluationServicer(frame, endings, conversions, point_geometry)
    parts.servicers["catenary.platform.v1.EvaluationService"] = servicer
    parts.project_of["evaluation_id"] = servicer.project_of
    parts.evaluations = KeptEvaluations(frame, Pictures(frame.db, conversions, point_geometry))
    plans = PlanServicer(frame)
    parts.servicers["catenary.platform.v1.PlanService"] = plans
    parts.project_of["plan_id"] = plans.project_of
    files = FileServicer(frame)
    parts.servicers["catenary.platform.v1.FileService"] = files
    parts.project_of["file_id"] = files.project_of
    parts.background.append(Periodic("removing old plans", 600, lambda: remove(frame.db, plan_queries.REMOVE_OLD)))
    parts.background.append(Periodic("deleting files that nothing names", 600, lambda: collection.collect(frame.db)))
    parts.job_owners[KIND] = EvaluationOwner(endings)
    watch = SessionWatch(frame, parts)
    parts.servicers["catenary.platform.v1.ExploreService"] = ExploreServicer(frame, watch)
    parts.job_owners[sessions.KIND] = SessionOwner()
    parts.background.append(watch)
    parts.closers.append(frame.sessions.close)
    streams = BatchStreams(frame, parts.recheck, parts.role_of)
    parts.closers.append(streams.close)
    batches = BatchServicer(frame, streams)
    parts.servicers["catenary.platform.v1.BatchService"] = batches
    parts.project_of["batch_id"] = batches.project_of
    studies = StudyServicer(frame)
    parts.servicers["catenary.platform.v1.StudyService"] = studies
    parts.project_of["study_id"] = studies.project_of
    parts.background.append(StudyDriver(frame))
    parts.servicers["catenary.platform.v1.ExchangeService"] = ExchangeServicer(frame, batches)
    parts.job_owners[points.KIND] = parts.chunk_owners[points.KIND] = points.PointOwner(frame.settings.tiers)


ASSEMBLY = Assembly(
    assemble=assemble,
    channels=(CHANNEL, BATCHES, IDLE_BATCHES, STUDIES),
    unwatched={
        "evaluations.evaluation": "its state changes without a caller's write, so edges don't cache responses that show it",
        "evaluations.batch": "its state changes without a caller's write, so edges don't cache responses that show it",
        "evaluations.point": "its state changes without a caller's write, so edges don't cache responses that show it",
        "evaluations.study": "its state changes without a caller's write, so edges don't cache responses that show it",
        "evaluations.score": "its state changes without a caller's write, so edges don't cache responses that show it",
        "evaluations.later_request": "shown by the log of an evaluation only, as the evaluation itself",
        "evaluations.plan": "a plan goes after a day without a caller's write, so edges don't cache responses that show one",
        "evaluations.input_file": "its schema is none of those that edges ask about, so they don't cache responses that show it",
        "evaluations.conversion": "shown in downloads only, which edges don't cache",
    },
)
