"""StudyService: searches for good designs of the deployed model, and the sensitivity of its results."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson
import uuid_utils

from catenary.platform.v1 import role_pb2, study_pb2
from catenary.platform.v1 import study_service_pb2 as pb
from catenary.platform.v1 import study_service_shapes as shapes
from catenary_core.call import preconditions, prefer
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, conflict, invalid, not_found
from catenary_core.database.statements import Row, Statement, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.limits import accounts, bulk, counters, hourly
from catenary_core.resources.platform_pages import page_of
from catenary_core.services.evaluations import rules
from catenary_core.services.evaluations.batches import points
from catenary_core.services.evaluations.batches import queries as batch_queries
from catenary_core.services.evaluations.batches.servicer import PAGE_BYTES
from catenary_core.services.evaluations.files import known
from catenary_core.services.evaluations.plans import csv_files
from catenary_core.services.evaluations.points import removal
from catenary_core.services.evaluations.removal import ended_already, not_ended
from catenary_core.services.evaluations.studies import endings, messages, points_table, queries, requests, starts
from catenary_core.services.evaluations.studies.tables import STUDIES
from catenary_core.studies import declaration, definition, selection
from catenary_core.studies.definition import Definition
from catenary_wire.json_form import enum_names

_STATUSES = enum_names(study_pb2.StudyStatus.DESCRIPTOR)
BUDGET = 1_000
"""Points of a study that names no budget."""
_SEEDS = 2**53
_VERSION_DELETED = (
    "The model version of this study was deleted; begin a new study with another version, and start it from this one."
)


class StudyServicer:
    """`catenary.platform.v1.StudyService`."""

    def __init__(self, frame: Frame) -> None:
        self._settings = frame.settings
        self._db = frame.db

    async def project_of(self, study_id: str) -> str | None:
        """Return the active project of a study, for the policy."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.PROJECT_OF, study_id=study_id)
        return None if row is None else row["project_id"]

    async def create_study(self, request: pb.CreateStudyRequest, call: Call) -> shapes.CreateStudyResponse:
        """Add a study, which a leader drives from now on."""
        given = await asyncio.to_thread(requests.plain, request)  # fixed tables may have megabytes
        async with self._db.read() as tx:
            deployed = await tx.one_or_none(queries.DEPLOYED, project_id=request.project_id)
            if deployed is not None:
                deployed = await known.with_files(tx, request.project_id, deployed)
            # Before the work for a study that would be refused; `_add` counts.
            await hourly.check_evaluations(tx, request.project_id, self._settings.evaluations_per_hour)
            await accounts.check_use(tx, self._settings.tiers, request.project_id, 1)
        if deployed is None:
            raise DomainError("MODEL_NOT_DEPLOYED", "The project has no deployed model version; deploy one first.")
        declared = await asyncio.to_thread(_declared, request, given, deployed)
        start = await starts.designs(self._db, request.project_id, given["start_from"], declared)
        given["algorithm_reason"] = declaration.reason(declared) if requests.algorithm(request) == "auto" else None
        texts = await asyncio.to_thread(_texts, given, declared, start)
        named = known.digests(declared.parameters, [declared.fixed])
        async with self._db.transaction() as tx:
            await known.hold(tx, request.project_id, named)
            row = await self._add(tx, call, deployed, texts)
        call.reply["location"] = messages.STUDY_PATH.format(row["study_id"])
        call.reply["retry-after"] = prefer.RETRY_AFTER
        return {"study": messages.study(row)}

    async def list_studies(self, request: pb.ListStudiesRequest, call: Call) -> shapes.ListStudiesResponse:
        """List the project's studies, newest first."""
        page = page_of(request)
        statuses = [_STATUSES[status] for status in request.status]
        async with self._db.read() as tx:
            rows, cursor = await queries.LIST.read(tx, page, project_id=request.project_id, status=statuses)
        return {"studies": [messages.study(row) for row in rows], "next_cursor": cursor}

    async def get_study(self, request: pb.GetStudyRequest, call: Call) -> shapes.GetStudyResponse:
        """Return one study."""
        row = await self._read(request.study_id)
        if row["status"] not in messages.FINAL:
            call.reply["retry-after"] = prefer.RETRY_AFTER
        return {"study": messages.study(row)}

    async def delete_study(self, request: pb.DeleteStudyRequest, call: Call) -> shapes.DeleteStudyResponse:
        """Cancel a study, or remove one that has ended.

        Raises CONFLICT: it has ended or not, against what is wanted; or a comment names it or a point of it.
        """
        await self._own(request.study_id, call)
        async with self._db.transaction() as tx:
            if request.remove:
                await removal.drop_jobs(tx, request.study_id)
            await endings.lock(tx, request.study_id)
            row = await tx.one_or_none(queries.ONE, study_id=request.study_id)
            preconditions.check(call, None if row is None else messages.study(row))
            if row is None:
                raise not_found("study")
            has_ended = row["status"] in messages.FINAL
            if request.remove:
                if not has_ended:
                    raise not_ended("study")
                await removal.remove(tx, request.study_id, row["project_id"])
            elif has_ended:
                raise ended_already("study")
            else:
                row = await endings.end(tx, request.study_id, "cancelled", call)
        return {"study": messages.study(row)}

    async def cancel_study(self, request: pb.CancelStudyRequest, call: Call) -> shapes.CancelStudyResponse:
        """Cancel a study that has not ended."""
        await self._own(request.study_id, call)
        async with self._db.transaction() as tx:
            if await endings.lock(tx, request.study_id) is None:
                raise not_found("study")
            row = await tx.one(queries.ONE, study_id=request.study_id)
            if row["status"] not in messages.FINAL:
                row = await endings.end(tx, request.study_id, "cancelled", call)
        return {"study": messages.study(row)}

    async def resume_study(self, request: pb.ResumeStudyRequest, call: Call) -> shapes.ResumeStudyResponse:
        """Begin an ended study again where it ended.

        Raises CONFLICT: it has not ended or has used its budget, or its model version or a file that its points need was
        deleted.
        """
        await self._own(request.study_id, call)
        async with self._db.transaction() as tx:
            locked = await endings.lock(tx, request.study_id)
            if locked is None:
                raise not_found("study")
            study, batch = locked
            definition_ = _grown(study, request.budget if request.HasField("budget") else None)
            wanted = study["request"] | ({"stop": requests.stop(request)} if request.HasField("stop") else {})
            declaration.check_stop(wanted)
            if not await endings.has_version(tx, study, batch):
                raise DomainError("CONFLICT", _VERSION_DELETED)
            if not await endings.has_files(tx, study):
                raise DomainError("CONFLICT", endings.FILE_DELETED)
            await accounts.check_use(tx, self._settings.tiers, study["project_id"], 1)
            await bulk.hold(tx, batch["created_by"], self._settings.bulk_operations, request.study_id)
            if study["request"]["on_failure"] == "stop":
                await tx.execute(queries.DROP_FAILED, study_id=request.study_id)
            await tx.execute(queries.RESUME_BATCH, study_id=request.study_id)
            await tx.execute(queries.CLEAR_RANKS, study_id=request.study_id)
            await tx.execute(
                queries.RESUME,
                study_id=request.study_id,
                new_request=json_value(wanted),
                new_definition=json_value(definition_),
            )
            row = await tx.one(queries.ONE, study_id=request.study_id)
            await tx.notify(STUDIES)
        call.reply["location"] = messages.STUDY_PATH.format(row["study_id"])
        call.reply["retry-after"] = prefer.RETRY_AFTER
        return {"study": messages.study(row)}

    async def list_study_results(
        self, request: pb.ListStudyResultsRequest, call: Call
    ) -> shapes.ListStudyResultsResponse:
        """List the points of a study in the order in which they were proposed."""
        rows, cursor = await self._points(queries.RESULTS, request)
        if not rows:
            await self._read(request.study_id)  # one that was removed meanwhile is NOT_FOUND
        return {"results": [messages.result(row) for row in rows], "next_cursor": cursor}

    async def download_study_results(
        self, request: pb.DownloadStudyResultsRequest, call: Call
    ) -> AsyncIterator[shapes.DownloadStudyResultsResponse]:
        """Stream all points of a study as CSV, as they are now."""
        study = await self._read(request.study_id)
        async with self._db.read() as tx:
            names = await tx.all(queries.RESULT_NAMES, study_id=request.study_id)
        table = points_table.of_study(study, names)
        call.reply.update(
            {
                "content-type": csv_files.CONTENT_TYPE,
                "content-disposition": f'attachment; filename="study-{study["study_id"]}.csv"',
                "etag": points_table.entity_tag(study, table),
            }
        )
        return points_table.stream(self._db, study["study_id"], table)

    async def list_study_front(self, request: pb.ListStudyFrontRequest, call: Call) -> shapes.ListStudyFrontResponse:
        """List the front of a study, with its knee and representatives."""
        rows, cursor = await self._points(queries.FRONT, request)
        study = await self._read(request.study_id)
        knee: int | None = None
        chosen: list[int] = []
        if not request.cursor:  # the first page alone has them: they take the objectives of the whole front
            async with self._db.read() as tx:
                scores = await tx.all(queries.FRONT_OBJECTIVES, study_id=request.study_id)
            knee, chosen = await asyncio.to_thread(_chosen, study, scores, request.representatives)
        return {
            "points": [messages.result(row) for row in rows],
            "next_cursor": cursor,
            "knee": knee,
            "representatives": chosen,
        }

    async def get_study_indices(self, request: pb.GetStudyIndicesRequest, call: Call) -> shapes.GetStudyIndicesResponse:
        """Return the indices of a sensitivity."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.INDICES, study_id=request.study_id)
        if row is None:
            raise not_found("study")
        objectives = row["request"]["objectives"]
        return {
            "indices": [messages.indices(objective, found) for objective, found in zip(objectives, row["indices"])]  # noqa: B905 (none until the end)
        }

    async def _points(
        self, statement: Statement, request: pb.ListStudyResultsRequest | pb.ListStudyFrontRequest
    ) -> tuple[list[Row], str | None]:
        page = page_of(request, numbered=True)
        async with self._db.read() as tx:
            rows = await tx.all(
                statement,
                study_id=request.study_id,
                from_index=0 if page.id is None else int(page.id),
                page_rows=page.limit + 1,
                page_bytes=PAGE_BYTES,
            )
        fitting = sum(row["before"] < PAGE_BYTES for row in rows)
        return replace(page, limit=min(page.limit, fitting)).cut(rows, "number")

    async def _read(self, study_id: str) -> Row:
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.ONE, study_id=study_id)
        if row is None:
            raise not_found("study")
        return row

    async def _own(self, study_id: str, call: Call) -> Row:
        """Return a study that the caller may end and resume.

        Raises PERMISSION_DENIED: the study is another user's, and the caller is no editor.
        """
        row = await self._read(study_id)
        if call.role < role_pb2.ROLE_EDITOR and row["created_by"]["user_id"] != call.caller.user_id:
            raise DomainError(
                "PERMISSION_DENIED", "This study is another user's; an editor of the project may end or resume it."
            )
        return row

    async def _add(self, tx: Transaction, call: Call, deployed: Row, texts: Mapping[str, Any]) -> Row:
        study_id, user_id, project_id = str(uuid_utils.uuid7()), call.caller.user_id, str(call.project_id)
        await bulk.hold(tx, user_id, self._settings.bulk_operations, study_id)
        await tx.execute(
            batch_queries.INSERT,
            batch_id=study_id,
            project_id=project_id,
            model_version_id=deployed["model_version_id"],
            total=0,
            geometry=False,
            name="",
            note="",
            created_by=user_id,
        )
        await tx.execute(queries.MARK, study_id=study_id)
        await tx.execute(
            queries.INSERT,
            study_id=study_id,
            project_id=project_id,
            **texts,
            payload=json_value(points.payload(deployed, study_id, project_id, self._settings)),
            request_id=call.request_id,
        )
        counted = await counters.lock(tx, counters.PROJECT_EVALUATIONS, project_id)
        standing = await hourly.charge_evaluation(tx, project_id, self._settings.evaluations_per_hour, counted)
        hourly.report(call, standing)
        await accounts.check_use(tx, self._settings.tiers, project_id, 1)
        await tx.notify(STUDIES)
        return await tx.one(queries.ONE, study_id=study_id)


def _chosen(study: Row, scores: Sequence[Row], count: int) -> tuple[int | None, list[int]]:
    """Return the indices of the knee of a front, and of at most `count` points that stand for the front."""
    signs = [-1.0 if one["maximize"] else 1.0 for one in study["definition"]["objectives"]]
    front = [[sign * value for sign, value in zip(signs, row["objectives"], strict=True)] for row in scores]
    knee = selection.knee(front)
    chosen = selection.representatives(front, count)
    return None if knee is None else scores[knee]["index"], [scores[at]["index"] for at in chosen]


def _declared(request: pb.CreateStudyRequest, given: dict[str, Any], deployed: Row) -> Definition:
    """Return the definition of a requested study.

    Raises VALIDATION_ERROR, UNKNOWN_PARAMETER or PARAMETER_OUT_OF_RANGE: a part of the request doesn't fit the model.
    """
    parameters: Sequence[Any] = deployed["parameters"]
    names = {parameter["name"] for parameter in parameters}
    fixed = {
        name: one["fixed"] for name, one in given["parameters"].items() if one["fixed"] is not None and name in names
    }
    wanted = {
        **given,
        "algorithm": requests.algorithm(request),
        "population": request.population if request.HasField("population") else None,
        "budget": request.budget if request.HasField("budget") else BUDGET,
        "seed": request.seed if request.HasField("seed") else secrets.randbelow(_SEEDS),
    }
    base = rules.resolve(parameters, fixed)
    declared = declaration.declare(
        wanted, parameters, deployed["metrics"], deployed["constraints"], base, deployed["derived"]
    )
    declaration.check_size(declared.fixed, declared.budget)
    return declared


def _texts(given: dict[str, Any], declared: Definition, start: list[Any]) -> dict[str, Any]:
    """Return the JSON columns of a new study, whose texts are made here and not where the statement runs."""
    columns = {"request": given, "definition": declared.to_json(), "start": start}
    return {name: json_value(orjson.Fragment(orjson.dumps(value))) for name, value in columns.items()}


def _grown(study: Row, budget: int | None) -> dict[str, Any]:
    """Return the definition of a study that is resumed, with its budget.

    Raises CONFLICT: the study has not ended, or its budget is used.
    Raises VALIDATION_ERROR: the budget can't be that.
    """
    found = definition.from_json(study["definition"])
    if study["status"] not in messages.FINAL:
        raise conflict(
            "study_id", "{field} is a study that has not ended; it goes on.", value=None, constraint="status"
        )
    if budget is not None and budget < found.budget:
        raise invalid(
            "budget",
            "{field} is less than the study had; give {least} or more.",
            value=budget,
            constraint="budget",
            least=found.budget,
        )
    if budget is not None and budget > found.budget:
        declaration.check_growth(found, budget)
        declaration.check_size(found.fixed, budget)
    if study["status"] == "completed" and study["stopped_by"] is None and (budget or 0) <= found.budget:
        raise conflict(
            "study_id",
            "{field} is a study that has used its budget; give a greater one.",
            value=None,
            constraint="status",
        )
    return {**study["definition"], "budget": budget or found.budget}
