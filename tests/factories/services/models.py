"""Projects and models over one dispatcher, with people by name, and a stand-in for the worker that ends checks."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from catenary.platform.v1 import role_pb2
from catenary_core.call.call import Identity
from catenary_core.frame import Frame
from catenary_core.idempotency.replay import Idempotency
from catenary_core.jobs import queue
from catenary_core.jobs.endings import EndWaiters
from catenary_core.server.dispatch import Dispatch
from catenary_core.services.evaluations.conversions import Conversions
from catenary_core.services.evaluations.plans.servicer import PlanServicer
from catenary_core.services.evaluations.points.geometry import PointGeometry
from catenary_core.services.evaluations.servicer import EvaluationServicer
from catenary_core.services.models import queries
from catenary_core.services.models.checks import Checks
from catenary_core.services.models.deployment_servicer import DeploymentServicer
from catenary_core.services.models.derived_metric_servicer import DerivedMetricServicer
from catenary_core.services.models.parameter_servicer import ModelParameterServicer
from catenary_core.services.models.servicer import ModelServicer
from catenary_core.services.models.tables import CHANNEL, FINAL
from catenary_core.services.projects.servicer import ProjectServicer
from factories.services.calls import Caller
from factories.services.dispatchers import dispatch_of
from factories.services.people import add_user

PLATFORM = "catenary.platform.v1"
OWNER, EDITOR, EVALUATOR, VIEWER = (
    role_pb2.ROLE_OWNER,
    role_pb2.ROLE_EDITOR,
    role_pb2.ROLE_EVALUATOR,
    role_pb2.ROLE_VIEWER,
)
UNLIMITED = 10**9
NOBODY = "00000000-0000-7000-8000-000000000000"
SOURCE = b"PARAMETERS = []\ndef evaluate(p):\n    return {}\n"
PYTHON = "text/x-python"
SPAN: dict[str, Any] = {
    "name": "span",
    "type": "number",
    "default": 24,
    "min": 5,
    "max": 60,
    "step": 0.5,
    "unit": "m",
    "group": "Geometry",
}
COUNT: dict[str, Any] = {"name": "count", "type": "integer", "default": 450}
DESCRIPTION: dict[str, Any] = {
    "parameters": [SPAN, COUNT],
    "metrics": [{"name": "mass", "unit": "kg"}],
    "constraints": [{"name": "light", "metric": "mass", "op": "<=", "value": 450.0}],
}


class World:
    """The services of projects and models with people."""

    def __init__(self, frame: Frame, evaluations_per_hour: int = UNLIMITED) -> None:
        limits = {"evaluations_per_hour": evaluations_per_hour}
        frame = replace(frame, settings=frame.settings.model_copy(update=limits))
        self.db = frame.db
        self.projects = ProjectServicer(frame)
        self.checks = Checks()
        ends = EndWaiters(frame.db, frame.wakeups, CHANNEL, queries.CHECKED, "model_version_id", FINAL)
        plans = PlanServicer(frame)
        self.project_of = {
            "evaluation_id": EvaluationServicer(
                frame, ends, Conversions(frame.db, frame.objects, frame.space), PointGeometry(frame)
            ).project_of,
            "plan_id": plans.project_of,
        }
        self.idempotency = Idempotency(frame.db, frame.secrets)
        self.servicers = {
            f"{PLATFORM}.ProjectService": self.projects,
            f"{PLATFORM}.DerivedMetricService": DerivedMetricServicer(frame),
            f"{PLATFORM}.PlanService": plans,
            f"{PLATFORM}.ModelService": ModelServicer(frame, ends),
            f"{PLATFORM}.DeploymentService": DeploymentServicer(frame),
            f"{PLATFORM}.ParameterService": ModelParameterServicer(frame),
        }
        self.people: dict[str, Identity] = {}
        self._dispatch: Dispatch | None = None

    async def add(self, *names: str, admin: bool = False) -> None:
        """Add people."""
        for name in names:
            self.people[name] = await add_user(self.db, name, admin=admin)
        self._dispatch = None

    def become(self, name: str, identity: Identity) -> None:
        """Change how a person calls."""
        self.people[name] = identity
        self._dispatch = None

    def id(self, name: str) -> str:
        """Return a person's user id."""
        return self.people[name].user_id

    def dispatch(self) -> Dispatch:
        """Return the dispatcher of the six services."""
        if self._dispatch is None:
            self._dispatch = dispatch_of(
                self.servicers,
                self.people,
                self.projects.role_of,
                self.project_of,
                self.idempotency,
            )
        return self._dispatch

    def as_(self, name: str) -> Caller:
        """Call as a person."""
        return Caller(self.dispatch(), name)

    async def project(self, owner: str, name: str = "Bridge") -> str:
        """Make a new project and return its id."""
        answer = await self.as_(owner).call("CreateProject", name=name)
        return str(answer["project"]["project_id"])

    async def project_with_roles(self) -> str:
        """Make a project of `olga` with `ed`, `eva` and `vic` as editor, evaluator and viewer; return its id."""
        made = await self.project("olga")
        for name, role in (("ed", EDITOR), ("eva", EVALUATOR), ("vic", VIEWER)):
            await self.put("olga", made, self.id(name), role)
        return made

    async def put(self, owner: str, project_id: str, member_id: str, role: int) -> dict[str, Any]:
        """Give a person a role and return the member."""
        answer = await self.as_(owner).call("PutProjectMember", project_id=project_id, user_id=member_id, role=role)
        return dict(answer["member"])

    async def model(self, editor: str, project_id: str, name: str = "Arch") -> str:
        """Make a new model and return its id."""
        answer = await self.as_(editor).call("CreateModel", project_id=project_id, name=name)
        return str(answer["model"]["model_id"])

    async def upload(
        self, editor: str, project_id: str, model_id: str, source: bytes = SOURCE, content_type: str = PYTHON
    ) -> dict[str, Any]:
        """Make a new version."""
        messages = upload_messages(project_id, model_id, source, content_type)
        return dict((await self.as_(editor).send("UploadModelVersion", messages))["model_version"])

    async def ready(
        self, editor: str, project_id: str, model_id: str, description: Mapping[str, Any] = DESCRIPTION
    ) -> str:
        """Make a new, checked version and return its id."""
        version = await self.upload(editor, project_id, model_id)
        await self.end_check(description=description)
        return str(version["model_version_id"])

    async def start_check(self) -> queue.Row:
        """Lease the next check as the worker's door does; its job."""
        async with self.db.transaction() as tx:
            job = await queue.lease(tx, "worker", 10, ["check"])
            assert job is not None
            assert job["kind"] == "check"
            await self.checks.started(tx, job)
        return job

    async def end_check(self, job: queue.Row | None = None, **outcome: Any) -> None:
        """End a check, by default of the next job and completed, as the worker's door does."""
        job = job or await self.start_check()
        async with self.db.transaction() as tx:
            ended = await queue.end(tx, job["id"], job["lease_token"])
            assert ended is not None
            await self.checks.ended(tx, ended, outcome_of(**outcome))

    async def deploy(self, editor: str, project_id: str, version_id: str) -> dict[str, Any]:
        """Make a new deployment."""
        fields = {"project_id": project_id, "model_version_id": version_id}
        return dict((await self.as_(editor).call("CreateDeployment", **fields))["deployment"])


def outcome_of(status: str = "completed", **fields: Any) -> queue.JobEnd:
    """Return the outcome of a check."""
    values: dict[str, Any] = {
        "error": None,
        "description": None,
        "deterministic": True if status == "completed" else None,
        "metrics": {},
        "constraints": {},
        "tables": {},
        "artefacts": (),
        "duration_ms": 1.0,
        "runtime_digest": "digest",
    }
    return queue.JobEnd(status=status, **{**values, **fields})


def upload_messages(
    project_id: str, model_id: str, source: bytes, content_type: str = PYTHON, size: int = 256 * 1024
) -> Iterable[dict[str, Any]]:
    """Return the messages of an upload, as the edge sends them: the first without a chunk."""
    yield {"project_id": project_id, "model_id": model_id, "content_type": content_type}
    for start in range(0, len(source), size):
        yield {"chunk": source[start : start + size]}


def zipped(files: Mapping[str, bytes] | None = None) -> bytes:
    """Return a zip of files; by default of a model."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in ({"model.py": SOURCE} if files is None else files).items():
            archive.writestr(name, data)
    return content.getvalue()
