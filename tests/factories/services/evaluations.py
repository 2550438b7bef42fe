"""Nodes that evaluate, a deployed model in the database, and workers that follow a script instead of running models."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import orjson
import psycopg
import pytest
import sqlalchemy as sa
import uuid_utils
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from psycopg import sql

from catenary.platform.v1 import evaluation_service_pb2 as platform
from catenary.platform.v1 import evaluation_service_pb2_grpc, role_pb2
from catenary.worker.v1 import worker_service_pb2 as worker_pb
from catenary.worker.v1 import worker_service_pb2_grpc
from catenary_core.call.call import Identity
from catenary_core.database import wakeups
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Database
from catenary_core.database.wakeups import Wakeups
from catenary_core.event_log import events
from catenary_core.frame import Frame
from catenary_core.idempotency.replay import Idempotency
from catenary_core.jobs import endings, queue
from catenary_core.jobs.endings import EndWaiters
from catenary_core.jobs.handover import WaitingWorkers
from catenary_core.jobs.owners import ChunkOwner, Owner
from catenary_core.objects import Objects
from catenary_core.secrets import Roots, Secrets
from catenary_core.server import grpc_server
from catenary_core.server.dispatch import Dispatch, StreamResponse, UnaryResponse
from catenary_core.services.comments.discussion.servicer import ProjectCommentServicer
from catenary_core.services.comments.servicer import CommentServicer
from catenary_core.services.evaluations import messages, queries
from catenary_core.services.evaluations.batches import points
from catenary_core.services.evaluations.batches.servicer import BatchServicer
from catenary_core.services.evaluations.batches.streams import BatchStreams
from catenary_core.services.evaluations.conversions import Conversions
from catenary_core.services.evaluations.exchange.servicer import ExchangeServicer
from catenary_core.services.evaluations.files.servicer import FileServicer
from catenary_core.services.evaluations.kept import KeptEvaluations
from catenary_core.services.evaluations.owner import KIND, EvaluationOwner
from catenary_core.services.evaluations.pictures import Pictures
from catenary_core.services.evaluations.plans.servicer import PlanServicer
from catenary_core.services.evaluations.points.geometry import PointGeometry
from catenary_core.services.evaluations.servicer import EvaluationServicer
from catenary_core.services.evaluations.studies.servicer import StudyServicer
from catenary_core.services.evaluations.studies.tables import STUDIES
from catenary_core.services.evaluations.tables import BATCHES, CHANNEL, IDLE_BATCHES
from catenary_core.services.models.checks import revoke_repeatable
from catenary_core.services.variants.servicer import VariantServicer
from catenary_core.services.views.servicer import ViewServicer
from catenary_core.services.worker.reaper import Reaper
from catenary_core.services.worker.servicer import WorkerServicer
from catenary_core.settings import CoreSettings
from factories.services.dispatchers import ALL_SCOPES, dispatch_of

EVALUATION = "/catenary.platform.v1.EvaluationService/"
WORKER = "/catenary.worker.v1.WorkerService/"
USER = "0199aaaa-0000-7000-8000-000000000001"
CALLERS = {
    "evaluator": Identity(USER, "person", scopes=ALL_SCOPES),
    "viewer": Identity("0199aaaa-0000-7000-8000-000000000002", "person", scopes=ALL_SCOPES),
    "reader": Identity(USER, "api_key", scopes=frozenset({"platform:read"})),
    "stranger": Identity("0199aaaa-0000-7000-8000-000000000003", "person", scopes=ALL_SCOPES),
    "editor": Identity("0199aaaa-0000-7000-8000-000000000005", "person", scopes=ALL_SCOPES),
    "worker": Identity("0199aaaa-0000-7000-8000-000000000004", "worker"),
}
REVOKED: set[str] = set()
"""User ids of callers and workers whose tokens are revoked."""
ROLES = {
    "evaluator": role_pb2.ROLE_EVALUATOR,
    "reader": role_pb2.ROLE_EVALUATOR,
    "editor": role_pb2.ROLE_EDITOR,
    "viewer": role_pb2.ROLE_VIEWER,
}
SOURCE = b"# a model\n" * 100_000
DIGEST = "runtime-1"
_BLANK = {"min": None, "max": None, "step": None, "positive": False, "choices": [], "unit": None, "group": None,
          "order": 0, "show_if": None, "columns": [], "accept": [], "max_bytes": None}  # fmt: skip


def parameter(name: str, type_: str, default: Any, **given: Any) -> dict[str, Any]:
    """Return a declared parameter in the shape of catenary.platform.v1.ModelParameter."""
    return {"name": name, "label": name, "type": type_, "default": default, **_BLANK, "description": "", **given}


PARAMETERS = [
    parameter("span", "number", 24.0, min=5.0, max=60.0, step=0.5, positive=True, unit="m"),
    parameter("bays", "integer", 6, min=2, max=20),
    parameter("braced", "boolean", True),
    parameter("steel", "choice", "S355", choices=["S235", "S355", 460]),
    parameter("title", "string", "bridge"),
]


async def run_sql(db: Database, statement: str, **given: Any) -> list[Row]:
    """Run a statement and return its rows."""
    async with db.transaction() as tx:
        compiled = Statement(sa.text(statement))
        return (
            await tx.all(compiled, **given) if "SELECT" in statement else [{"n": await tx.execute(compiled, **given)}]
        )


async def add_members(db: Database, project_id: str) -> None:
    """Give those who begin work their roles in a project, which are looked up before each chunk of points."""
    for name in ("evaluator", "editor"):
        user_id = CALLERS[name].user_id
        await run_sql(
            db,
            "INSERT INTO identity.\"user\" (id, staff_name, email) VALUES (:u, '', '') ON CONFLICT DO NOTHING",
            u=user_id,
        )
        await run_sql(
            db,
            "INSERT INTO projects.member (project_id, member_id, is_team, role) VALUES (:p, :u, false, :r)",
            p=project_id,
            u=user_id,
            r=ROLES[name],
        )


async def deploy(
    db: Database, objects: Objects, parameters: Sequence[Mapping[str, Any]] = PARAMETERS, project_id: str | None = None
) -> tuple[str, str]:
    """Make a project with an active deployment; return the ids of the project and the model version."""
    version, model, deployment = (str(uuid_utils.uuid7()) for _ in range(3))
    new_project = project_id is None
    project_id = project_id or str(uuid_utils.uuid7())
    sha256 = await objects.put(SOURCE, durable=True)
    declared = orjson.dumps(parameters).decode()
    if new_project:
        await run_sql(
            db,
            "INSERT INTO projects.project (project_id, name, description, owner_user_id) VALUES (:p, 'p', '', :u)",
            p=project_id,
            u=USER,
        )
        await add_members(db, project_id)
    await run_sql(
        db,
        "INSERT INTO models.model (model_id, project_id, name) VALUES (CAST(:m AS uuid), :p, CAST(:m AS text))",
        m=model,
        p=project_id,
    )
    await run_sql(
        db,
        "INSERT INTO models.model_version"
        " (model_version_id, model_id, number, status, kind, size, sha256, parameters, created_by)"
        " VALUES (:v, :m, 1, 'ready', 'python', :size, :sha, CAST(:declared AS json), :u)",
        v=version,
        m=model,
        size=len(SOURCE),
        sha=sha256,
        declared=declared,
        u=USER,
    )
    await run_sql(db, "UPDATE models.deployment SET status = 'retired' WHERE project_id = :p", p=project_id)
    await run_sql(
        db,
        "INSERT INTO models.deployment (deployment_id, project_id, model_version_id, status, parameters, created_by)"
        " VALUES (:d, :p, :v, 'active', CAST(:declared AS json), :u)",
        d=deployment,
        p=project_id,
        v=version,
        declared=declared,
        u=USER,
    )
    return project_id, version


_LISTENS = (
    "SELECT count(*) AS n FROM pg_stat_activity"
    " WHERE datname = current_database() AND state = 'idle' AND query = CAST(:query AS text)"
)


def unpolled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave only wake-ups to the waiters for jobs and results: their own polling waits for minutes."""
    monkeypatch.setattr(wakeups, "POLL_SECONDS", 600.0)
    monkeypatch.setattr(endings, "POLL_SECONDS", 600.0)


def end_waiters(db: Database, woken: Wakeups) -> EndWaiters:
    """Return waiters for the ends of evaluations."""
    return EndWaiters(db, woken, CHANNEL, queries.FINAL, "evaluation_id", messages.FINAL)


@dataclass(slots=True)
class Node:
    """One node of a core, with its gRPC door on loopback."""

    frame: Frame
    dispatch: Dispatch
    reaper: Reaper
    channel: grpc.aio.Channel
    address: str
    streams: BatchStreams
    mark: str
    """A channel of notifications that is this node's alone, and the last one that it listens on."""

    async def hears(self) -> None:
        """Wait until this node listens and has heard all earlier notifications.

        They come in the order of the commits.
        """
        async with asyncio.timeout(60):
            while not (await run_sql(self.frame.db, _LISTENS, query=f'LISTEN "{self.mark}"'))[0]["n"]:  # noqa: ASYNC110 (it is a row of PostgreSQL)
                await asyncio.sleep(0.01)
            ticket = self.frame.wakeups.ticket(self.mark)
            # By another's connection: its own commits a process doesn't wait to be notified of.
            async with await psycopg.AsyncConnection.connect(self.frame.db.dsn, autocommit=True) as other:
                await other.execute(sql.SQL("NOTIFY {}").format(sql.Identifier(self.mark)))
            await ticket.wait()

    def user(self) -> evaluation_service_pb2_grpc.EvaluationServiceAsyncStub:
        """Return the evaluation service over the gRPC door."""
        return evaluation_service_pb2_grpc.EvaluationServiceStub(self.channel)  # type: ignore[return-value]

    def worker(self, name: str = "w1", digest: str = DIGEST) -> ScriptedWorker:
        """Return a worker over the gRPC door."""
        stub = worker_service_pb2_grpc.WorkerServiceStub(self.channel)
        return ScriptedWorker(stub, name, digest, self.frame.waiting)

    async def call(
        self,
        method: str,
        caller: str = "evaluator",
        timeout: float | None = None,  # noqa: ASYNC109
        **fields: Any,
    ) -> UnaryResponse:
        """Call a unary method of the evaluation service, in this process."""
        request = self.dispatch.bindings[EVALUATION + method].request(**fields)
        return await self.dispatch.call(EVALUATION + method, request, {"authorization": caller}, timeout)

    async def evaluate(
        self, project_id: str, given: Mapping[str, Any] | None = None, caller: str = "evaluator", **fields: Any
    ) -> UnaryResponse:
        """Evaluate with plain values."""
        values = {name: {"text": orjson.dumps(value).decode()} for name, value in (given or {}).items()}
        return await self.call("Evaluate", caller, project_id=project_id, parameters=values, **fields)

    async def download(self, caller: str = "viewer", **fields: Any) -> tuple[StreamResponse, bytes]:
        """Download a geometry."""
        path = EVALUATION + "DownloadGeometry"
        stream = await self.dispatch.open(path, platform.DownloadGeometryRequest(**fields), {"authorization": caller})
        return stream, b"".join([item["chunk"] async for item in stream.items])

    async def download_file(self, caller: str = "viewer", **fields: Any) -> tuple[StreamResponse, bytes]:
        """Download a file beside geometry."""
        request = platform.DownloadEvaluationFileRequest(**fields)
        stream = await self.dispatch.open(EVALUATION + "DownloadEvaluationFile", request, {"authorization": caller})
        return stream, b"".join([item["chunk"] async for item in stream.items])


async def _role_of(project_id: str, caller: Identity) -> int | None:
    return next((ROLES.get(name) for name, known in CALLERS.items() if known == caller), None)


async def _current(identities: Sequence[Identity]) -> Sequence[Identity | None]:
    return [None if one.principal_id in REVOKED else one for one in identities]


async def _valid(worker: Identity) -> bool:
    return worker.principal_id not in REVOKED


@contextlib.asynccontextmanager
async def open_node(dsn: str, data_dir: Path, **settings: Any) -> AsyncIterator[Node]:
    """Yield a running node on a database and an object store that nodes may share."""
    db = Database(dsn, max_connections=5)
    mark = f"mark_{uuid_utils.uuid4().hex}"
    woken = Wakeups(dsn, (queue.CHANNEL, events.CHANNEL, CHANNEL, BATCHES, IDLE_BATCHES, STUDIES, mark))
    async with contextlib.AsyncExitStack() as stack:
        await db.open()
        stack.push_async_callback(db.close)
        await woken.start()
        stack.push_async_callback(woken.stop)
        made = CoreSettings(data_dir=data_dir, **settings)
        frame = Frame(made, db, Secrets(Roots.derived(bytes(32))), Objects(None, data_dir), woken)
        ends = end_waiters(db, woken)
        chunk_owners: dict[str, ChunkOwner] = {points.KIND: points.PointOwner(frame.settings.tiers)}
        owners: dict[str, Owner] = {KIND: EvaluationOwner(ends), **chunk_owners}
        streams = BatchStreams(frame, _current, _role_of)
        batches = BatchServicer(frame, streams)
        conversions, point_geometry = Conversions(db, frame.objects, frame.space), PointGeometry(frame)
        evaluations = EvaluationServicer(frame, ends, conversions, point_geometry)
        studies = StudyServicer(frame)
        files, plans = FileServicer(frame), PlanServicer(frame)
        kept = KeptEvaluations(frame, Pictures(db, conversions, point_geometry))
        variants = VariantServicer(frame, kept)
        comments = ProjectCommentServicer(frame, kept)
        views = ViewServicer(frame)
        servicers = {
            "catenary.platform.v1.EvaluationService": evaluations,
            "catenary.platform.v1.BatchService": batches,
            "catenary.platform.v1.StudyService": studies,
            "catenary.platform.v1.FileService": files,
            "catenary.platform.v1.PlanService": plans,
            "catenary.platform.v1.VariantService": variants,
            "catenary.platform.v1.CommentService": comments,
            "catenary.platform.v1.ViewService": views,
            "catenary.comments.v2.CommentService": CommentServicer(frame),
            "catenary.platform.v1.ExchangeService": ExchangeServicer(frame, batches),
            "catenary.worker.v1.WorkerService": WorkerServicer(frame, owners, chunk_owners, _valid, revoke_repeatable),
        }

        projects = {
            "evaluation_id": evaluations.project_of,
            "batch_id": batches.project_of,
            "study_id": studies.project_of,
            "file_id": files.project_of,
            "plan_id": plans.project_of,
            "variant_id": variants.project_of,
            "comment_id": comments.project_of,
            "view_id": views.project_of,
        }
        dispatch = dispatch_of(servicers, CALLERS, _role_of, projects, Idempotency(db, frame.secrets))
        server, _ = grpc_server.create_server(dispatch)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        stack.push_async_callback(server.stop, None)
        address = f"127.0.0.1:{port}"
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(address))
        yield Node(frame, dispatch, Reaper(frame, owners), channel, address, streams, mark)


@dataclass(frozen=True, slots=True)
class MadeGeometry:
    """A geometry that a scripted worker sends; by default it announces what it sends."""

    name: str
    format: str
    data: bytes
    announced: dict[str, Any] = field(default_factory=dict)
    parts: str = "[]"

    def message(self) -> worker_pb.Artefact:
        known = {"size": len(self.data), "sha256": hashlib.sha256(self.data).hexdigest()}
        made = worker_pb.Artefact(name=self.name, format=self.format, **{**known, **self.announced})
        made.parts.text = self.parts
        return made


@dataclass(frozen=True, slots=True)
class MadeFile:
    """A file beside geometry that a scripted worker sends; by default it announces what it sends."""

    name: str
    data: bytes
    announced: dict[str, Any] = field(default_factory=dict)

    def message(self) -> worker_pb.ResultFile:
        known = {"size": len(self.data), "sha256": hashlib.sha256(self.data).hexdigest()}
        return worker_pb.ResultFile(name=self.name, **{**known, **self.announced})


Script = Callable[[worker_pb.Job], Awaitable[dict[str, Any]]]


class ScriptedWorker:
    """A worker on the gRPC door whose outcomes are given."""

    kinds: Sequence[worker_pb.JobKind] = tuple(worker_pb.JobKind.values())[1:]
    """All kinds; none for a worker of the first release."""

    def __init__(self, stub: Any, name: str, digest: str, waiting: WaitingWorkers) -> None:
        self._stub = stub
        self._waiting = waiting
        self._name = name
        self._digest = digest
        self._metadata = (("authorization", "worker"),)
        self.ran: list[str] = []

    async def lease(self, wait: float = 5.0) -> worker_pb.Job | None:
        request = worker_pb.LeaseRequest(
            worker_id=self._name, runtime_digest=self._digest, wait_seconds=wait, kinds=self.kinds
        )
        answer = await self._stub.Lease(request, metadata=self._metadata, timeout=wait + 60)
        return answer.job if answer.HasField("job") else None

    async def must_lease(self) -> worker_pb.Job:
        job = await self.lease(60)
        assert job is not None, "there is a job"
        return job

    async def complete(
        self,
        job: worker_pb.Job,
        *,
        status: str = "completed",
        geometry: Sequence[MadeGeometry] = (),
        files: Sequence[MadeFile] = (),
        chunk_bytes: int = 100_000,
        in_head: bool = False,
        extra: bytes = b"",
        lease_token: str | None = None,
        **parts: Any,
    ) -> None:
        """End a job; `parts` are plain values of the outcome's JSON fields.

        The bytes come in messages of `chunk_bytes`, or with `in_head` all in the first one.
        """
        plain = {name: parts.pop(name) for name in ("duration_ms", "log", "not_repeatable") if name in parts}
        outcome = worker_pb.Outcome(status=status, **{"duration_ms": 1.5, **plain})
        for name, value in parts.items():
            getattr(outcome, name).text = value if isinstance(value, str) else orjson.dumps(value).decode()
        outcome.artefacts.extend(made.message() for made in geometry)
        outcome.files.extend(made.message() for made in files)
        content = b"".join([*(made.data for made in geometry), *(made.data for made in files), extra])

        def messages() -> Iterator[worker_pb.CompleteRequest]:
            yield worker_pb.CompleteRequest(
                job_id=job.job_id,
                lease_token=lease_token or job.lease_token,
                outcome=outcome,
                runtime_digest=self._digest,
                chunk=content if in_head else b"",
            )
            if in_head:
                return
            for start in range(0, len(content), chunk_bytes):
                yield worker_pb.CompleteRequest(chunk=content[start : start + chunk_bytes])

        # Before the answer, which a caller may have before this worker does.
        self.ran.append(job.job_id)
        await self._stub.Complete(messages(), metadata=self._metadata)

    async def complete_points(
        self, job: worker_pb.Job, *outcomes: Mapping[str, Any], first: int = 0, ends_chunk: bool = True
    ) -> None:
        """Complete points of a chunk from its `first` one on; each outcome is as the parts of `complete`."""
        request = worker_pb.CompletePointsRequest(
            job_id=job.job_id, lease_token=job.lease_token, runtime_digest=self._digest, ends_chunk=ends_chunk
        )
        for point, parts in zip(job.points[first:], outcomes, strict=False):
            made = request.points.add(index=point.index)
            made.outcome.status = parts.get("status", "completed")
            made.outcome.duration_ms = parts.get("duration_ms", 1.5)
            for name, value in parts.items():
                if name == "unmade":
                    made.outcome.unmade.extend(worker_pb.UnmadeGeometry(name=one, format=form) for one, form in value)
                elif name not in ("status", "duration_ms"):
                    getattr(made.outcome, name).text = orjson.dumps(value).decode()
        await self._stub.CompletePoints(request, metadata=self._metadata)

    async def extend(self, job: worker_pb.Job) -> list[int]:
        """Ask for further points of a chunk; add them to the job, and return their numbers."""
        request = worker_pb.ExtendChunkRequest(job_id=job.job_id, lease_token=job.lease_token)
        further = (await self._stub.ExtendChunk(request, metadata=self._metadata)).points
        job.points.extend(further)
        return [point.index for point in further]

    async def heartbeat(self, job: worker_pb.Job, **progress: Any) -> bool:
        request = worker_pb.HeartbeatRequest(job_id=job.job_id, lease_token=job.lease_token)
        if progress:
            request.progress.MergeFrom(worker_pb.JobProgress(**progress))
        return bool((await self._stub.Heartbeat(request, metadata=self._metadata)).cancelled)

    async def release(self, job: worker_pb.Job) -> None:
        request = worker_pb.ReleaseRequest(job_id=job.job_id, lease_token=job.lease_token)
        await self._stub.Release(request, metadata=self._metadata)

    async def fetch_source(self, version: str) -> bytes:
        call = self._stub.FetchSource(worker_pb.FetchSourceRequest(model_version_id=version), metadata=self._metadata)
        return b"".join([answer.chunk async for answer in call])

    async def fetch_file(self, version: str, sha256: str) -> bytes:
        request = worker_pb.FetchFileRequest(model_version_id=version, sha256=sha256)
        return b"".join([answer.chunk async for answer in self._stub.FetchFile(request, metadata=self._metadata)])

    @contextlib.asynccontextmanager
    async def running(self, script: Script | None = None) -> AsyncIterator[ScriptedWorker]:
        """Run every job that comes, by a script from a job to the parts of its outcome."""

        async def loop() -> None:
            while True:
                job = await self.lease()
                if job is not None:
                    await self.complete(job, **(await script(job) if script else {}))

        task = asyncio.create_task(loop())
        try:
            yield self
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            await self._gone()

    async def _gone(self) -> None:
        """Wait until the core knows that the worker no longer waits: a new job would be handed over to it."""
        with contextlib.suppress(grpc.aio.AioRpcError):  # refused, and behind the cancelled call on the same connection
            await self._stub.Heartbeat(worker_pb.HeartbeatRequest(), metadata=self._metadata, timeout=60)
        async with asyncio.timeout(60):
            while any(one.worker_id == self._name for one in self._waiting._waiters):  # noqa: ASYNC110 (it has no event)
                await asyncio.sleep(0.001)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The details of a failed call."""

    reason: str
    message: str
    details: dict[str, Any]
    violations: list[tuple[str, str]]


def refusal(error: BaseException) -> Refusal:
    """Return the refusal of a call that failed, in this process or over gRPC."""
    assert isinstance(error, grpc.RpcError)
    status = rpc_status.from_call(error)  # type: ignore[arg-type]
    assert status is not None
    found = Refusal("", status.message, {}, [])
    for detail in status.details:
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if detail.Unpack(info):
            details = {key: orjson.loads(text) for key, text in info.metadata.items()}
            found = Refusal(info.reason, status.message, details, found.violations)
        if detail.Unpack(bad):
            found.violations.extend((item.field, item.reason.lower()) for item in bad.field_violations)
    return found
