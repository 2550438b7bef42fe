"""PlanService: sets of parameter values to evaluate together."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator

import uuid_utils

from catenary.platform.v1 import plan_pb2, plan_shapes, role_pb2
from catenary.platform.v1 import plan_service_pb2 as pb
from catenary.platform.v1 import plan_service_shapes as shapes
from catenary_core.call import json_text, preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, not_found
from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources.platform_pages import DEFAULT_LIMIT, page_of
from catenary_core.services.evaluations.files import known
from catenary_core.services.evaluations.plans import csv_files, planning, queries
from catenary_core.services.evaluations.plans.layout import Layout
from catenary_core.services.evaluations.plans.ranges import Given
from catenary_wire.json_form import enum_names

MAX_PLANS = 100
"""Maximum plans of a project at one time."""
_SEEDS = 2**32
"""Number of seeds of which one is drawn for a request without."""
_CHUNK = 64 * 1024
_KINDS = enum_names(plan_pb2.PlanKind.DESCRIPTOR)


class PlanServicer:
    """`catenary.platform.v1.PlanService`. Plans are computed in a thread: the largest take a second."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def project_of(self, plan_id: str) -> str | None:
        """Return the active project of a plan, for the policy."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.PROJECT_OF, plan_id=plan_id)
        return None if row is None else row["project_id"]

    async def create_plan(self, request: pb.CreatePlanRequest, call: Call) -> shapes.CreatePlanResponse:
        """Lay out evaluations for the deployed model and keep them for a day."""
        wanted = _wanted(request)
        async with self._db.read() as tx:
            deployed = await known.deployed(tx, request.project_id)
        if deployed is None:
            raise DomainError("MODEL_NOT_DEPLOYED", "The project has no deployed model version; deploy one first.")
        table = await asyncio.to_thread(planning.plan, deployed["parameters"], wanted)
        async with self._db.transaction() as tx:
            if (await tx.one(queries.COUNT, project_id=request.project_id))["plans"] >= MAX_PLANS:
                raise DomainError(
                    "CONFLICT",
                    f"The project has {MAX_PLANS} plans already; delete one, or wait: each goes a day after it was made.",
                )
            row = await tx.one(
                queries.INSERT,
                plan_id=str(uuid_utils.uuid7()),
                project_id=request.project_id,
                model_version_id=deployed["model_version_id"],
                kind=wanted.kind,
                seed=wanted.seed,
                count=len(table.rows),
                columns=json_value(table.columns),
                rows=json_value(table.rows),
                created_by=call.caller.user_id,
            )
        return {"plan": _plan(row, table)}

    async def list_plans(self, request: pb.ListPlansRequest, call: Call) -> shapes.ListPlansResponse:
        """List the project's plans, newest first."""
        page = page_of(request)
        async with self._db.read() as tx:
            rows, cursor = await queries.LIST.read(tx, page, project_id=request.project_id)
        return {"plans": [_plan(row, _table(row)) for row in rows], "next_cursor": cursor}

    async def get_plan(self, request: pb.GetPlanRequest, call: Call) -> shapes.GetPlanResponse:
        """Return one plan with the first page of its evaluations."""
        async with self._db.read() as tx:
            row = await _row(tx, request.plan_id)
        return {"plan": _plan(row, _table(row))}

    async def list_plan_points(self, request: pb.ListPlanPointsRequest, call: Call) -> shapes.ListPlanPointsResponse:
        """List the evaluations of a plan, page by page."""
        page = page_of(request, numbered=True)
        async with self._db.read() as tx:
            row = await _row(tx, request.plan_id)
        first = 0 if page.id is None else int(page.id)
        part = Layout(row["columns"], row["rows"][first : first + page.limit + 1]).evaluations
        points = [
            {"index": index, "parameters": one["parameters"], "number": index + 1, "created_at": row["created_at"]}
            for index, one in enumerate(part, first)
        ]
        shown, cursor = page.cut(points, "number")
        return {
            "points": [{"index": one["index"], "parameters": one["parameters"]} for one in shown],
            "next_cursor": cursor,
        }

    async def download_plan(
        self, request: pb.DownloadPlanRequest, call: Call
    ) -> AsyncIterator[shapes.DownloadPlanResponse]:
        """Stream the evaluations of a plan as CSV."""
        async with self._db.read() as tx:
            row = await _row(tx, request.plan_id)
        content = await asyncio.to_thread(csv_files.write, _table(row))
        call.reply.update(
            {
                "content-type": csv_files.CONTENT_TYPE,
                "content-length": str(len(content)),
                "content-disposition": f'attachment; filename="plan-{row["plan_id"]}.csv"',
                "etag": f'"{hashlib.sha256(content).hexdigest()}"',
            }
        )
        chunks = [content[start : start + _CHUNK] for start in range(0, len(content), _CHUNK)]
        return _stream(chunks)

    async def delete_plan(self, request: pb.DeletePlanRequest, call: Call) -> shapes.DeletePlanResponse:
        """Delete a plan of the caller's, or for an editor of anybody's."""
        async with self._db.transaction() as tx:
            await tx.execute(queries.LOCK, plan_id=request.plan_id)
            row = await _row(tx, request.plan_id)
            if call.role < role_pb2.ROLE_EDITOR and row["created_by"]["user_id"] != call.caller.user_id:
                raise DomainError("PERMISSION_DENIED", "Somebody else made the plan; only editors may delete it.")
            found = _plan(row, _table(row))
            preconditions.check(call, found)
            await tx.execute(queries.DELETE, plan_id=request.plan_id)
        return {"plan": found}


def _wanted(request: pb.CreatePlanRequest) -> planning.Wanted:
    kind = _KINDS[request.kind]
    seed = request.seed if request.HasField("seed") else None
    if seed is None and planning.is_sample(kind):
        seed = secrets.randbelow(_SEEDS)
    return planning.Wanted(
        kind=kind,
        parameters={name: _range(name, given) for name, given in request.parameters.items()},
        size=request.size if request.HasField("size") else None,
        seed=seed,
        csv=request.csv if request.HasField("csv") else None,
    )


def _range(name: str, given: pb.PlannedRange) -> Given:
    path = f"parameters.{name}"
    return Given(
        low=json_text.parse(given.min.text, f"{path}.min") if given.HasField("min") else None,
        high=json_text.parse(given.max.text, f"{path}.max") if given.HasField("max") else None,
        count=given.count if given.HasField("count") else None,
        values=[json_text.parse(value.text, f"{path}.values[{index}]") for index, value in enumerate(given.values)],
    )


async def _row(tx: Transaction, plan_id: str) -> Row:
    row = await tx.one_or_none(queries.ONE, plan_id=plan_id)
    if row is None:
        raise not_found("plan")
    return row


def _table(row: Row) -> Layout:
    return Layout(row["columns"], row["rows"])


def _plan(row: Row, table: Layout) -> plan_shapes.Plan:
    """Build a plan with the first page of its evaluations, as `ListPlanPoints` gives it without a limit."""
    return {
        "plan_id": row["plan_id"],
        "project_id": row["project_id"],
        "model_version_id": row["model_version_id"],
        "kind": row["kind"],
        "seed": row["seed"],
        "count": row["count"],
        "evaluations": Layout(table.columns, table.rows[:DEFAULT_LIMIT]).evaluations,
        "created_by": row["created_by"],
        "created_at": row["created_at"],
        "expires_at": row["expires_at"],
        "size": row["count"],
    }


async def _stream(chunks: list[bytes]) -> AsyncIterator[shapes.DownloadPlanResponse]:
    for chunk in chunks:
        yield {"chunk": chunk}
