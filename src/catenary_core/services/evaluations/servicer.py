"""EvaluationService: runs of the deployed model and their results."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any, Protocol

import uuid_utils

from catenary.platform.v1 import evaluation_pb2, role_pb2
from catenary.platform.v1 import evaluation_service_pb2 as pb
from catenary.platform.v1 import evaluation_service_shapes as shapes
from catenary_core.call import byte_range, preconditions, prefer
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, invalid, not_found
from catenary_core.database.statements import Row
from catenary_core.frame import Frame
from catenary_core.jobs import queue
from catenary_core.jobs.endings import EndWaiters, wait_until
from catenary_core.jobs.submitter import Submitter
from catenary_core.limits import hourly
from catenary_core.resources.platform_pages import PlatformPage, page_of
from catenary_core.services.evaluations import given_values, messages, queries, reading, removal, versions
from catenary_core.services.evaluations.conversions import Conversions
from catenary_core.services.evaluations.files import known
from catenary_core.services.evaluations.geometry import CONTENT_TYPES, Geometries
from catenary_core.services.evaluations.owner import announce
from catenary_core.services.evaluations.points import ids
from catenary_core.services.evaluations.points import messages as point_messages
from catenary_core.services.evaluations.points import queries as point_queries
from catenary_core.services.evaluations.points.geometry import PointGeometry
from catenary_core.services.evaluations.submission import Submissions
from catenary_core.services.evaluations.wanted import WantedEvaluation
from catenary_core.services.evaluations.wanted import read as read_wanted
from catenary_wire import media_types
from catenary_wire.json_form import enum_names
from catenary_wire.timestamps import is_told, shown_time, timestamp_text

_STATUSES = enum_names(evaluation_pb2.EvaluationStatus.DESCRIPTOR)


class _Ranged(Protocol):
    """A request for bytes."""

    range: str
    if_range: str


class EvaluationServicer:
    """`catenary.platform.v1.EvaluationService`."""

    def __init__(self, frame: Frame, endings: EndWaiters, conversions: Conversions, points: PointGeometry) -> None:
        """Create the servicer; `endings` is shared with the owner of the evaluations' jobs, the rest with the pictures."""
        self._submissions = Submissions(frame)
        self._settings = frame.settings
        self._db = frame.db
        self._objects = frame.objects
        self._waiting = frame.waiting
        self._endings = endings
        self._geometries = Geometries(conversions)
        self._point_geometry = points

    async def project_of(self, evaluation_id: str) -> str | None:
        """Return the active project of an evaluation, for the policy."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.PROJECT_OF, evaluation_id=evaluation_id, **ids.place(evaluation_id))
        return None if row is None else row["project_id"]

    async def evaluate(self, request: pb.EvaluateRequest, call: Call) -> shapes.EvaluateResponse:
        """Run the deployed model or the given version, or return the result of an equal request."""
        preference = prefer.parse(request.prefer)
        until = prefer.wait_end(call, preference.seconds())
        given = given_values.read(request)
        async with self._db.read() as tx:
            version = await known.with_files(tx, request.project_id, await versions.wanted(tx, request, call))
        wanted = await read_wanted(request, version, given)
        if request.force:
            row, cached = await self._run(call, wanted, until), False
        else:
            row, cached = await self._run_once(call, wanted, until)
        if row is None:
            raise RuntimeError("a forced evaluation equals no other, so it is always added")
        final = row["status"] in messages.FINAL
        call.reply.update(preference.applied(final=final), **({} if final else _accepted(row)))
        # Whoever asks for an evaluation sees its log, also where an equal request of somebody else was first.
        return {"evaluation": messages.evaluation(row, cached=cached, with_log=True)}

    async def list_evaluations(self, request: pb.ListEvaluationsRequest, call: Call) -> shapes.ListEvaluationsResponse:
        """List the project's evaluations that every given filter matches, newest first."""
        page = page_of(request)
        if request.asked_by and not call.caller.is_user:
            raise invalid(
                "asked_by",
                "{field} must be absent with a share link, which shows nobody; leave it out.",
                value=None,
                constraint="link",
            )
        filters = {
            "status": [_STATUSES[status] for status in request.status],
            "model_version_id": list(request.model_version_id),
            "asked_by": list(request.asked_by),
        }
        if request.batch_id or request.study_id:
            return await self._list_points(request, page, filters)
        async with self._db.read() as tx:
            rows, cursor = await queries.LIST.read(tx, page, project_id=request.project_id, **filters)
        return {"evaluations": [messages.evaluation(row) for row in rows], "next_cursor": cursor}

    async def get_evaluation(self, request: pb.GetEvaluationRequest, call: Call) -> shapes.GetEvaluationResponse:
        """Return one evaluation, after waiting for its end if the request prefers to wait."""
        preference = prefer.parse(request.prefer).of_read()
        row = await self._ended(request.evaluation_id, prefer.wait_end(call, preference.wait or 0))
        final = row["status"] in messages.FINAL
        if not final:
            call.reply["retry-after"] = prefer.RETRY_AFTER
        call.reply.update(preference.applied(final=final))
        async with self._db.read() as tx:
            if row["is_point"]:
                return {"evaluation": await reading.point(tx, request.evaluation_id, call)}
            return {"evaluation": messages.evaluation(row, with_log=await reading.may_see_log(tx, row, call))}

    async def cancel_evaluation(
        self, request: pb.CancelEvaluationRequest, call: Call
    ) -> shapes.CancelEvaluationResponse:
        """Cancel an evaluation, or remove one that has ended.

        The worker of a cancelled one learns of this at the next renewal of its lease.
        """
        before = await self._read(request.evaluation_id)
        if "named" in before:
            raise DomainError(
                "CONFLICT", "This evaluation is a point of a batch or a study; delete that to remove its points."
            )
        if call.role < role_pb2.ROLE_EDITOR and before["created_by"]["user_id"] != call.caller.user_id:
            raise DomainError(
                "PERMISSION_DENIED",
                "This evaluation is another user's; an editor of the project may cancel or remove it.",
            )
        async with self._db.transaction() as tx:
            await queue.drop(tx, request.evaluation_id)
            await tx.execute(queries.LOCK, evaluation_id=request.evaluation_id)
            row = await tx.one_or_none(queries.ONE, evaluation_id=request.evaluation_id)
            if row is None:
                raise not_found("evaluation")
            seen = messages.evaluation(row, with_log=await reading.may_see_log(tx, row, call))
            preconditions.check(call, seen)
            has_ended = row["status"] in messages.FINAL
            if request.remove:
                if not has_ended:
                    raise removal.not_ended("evaluation")
                await removal.remove(tx, row)
                return {"evaluation": seen}
            if has_ended:
                raise removal.ended_already("evaluation")
            ended = await tx.one(
                queries.ABANDONED, evaluation_id=request.evaluation_id, new_status="cancelled", new_error=None
            )
            await announce(tx, ended, call, self._endings)
            if ended["is_point"]:  # so that the geometry can be asked for again
                await removal.remove(tx, ended)
        return {"evaluation": messages.evaluation(ended)}  # a cancelled one has no log

    async def purge_evaluations(
        self, request: pb.PurgeEvaluationsRequest, call: Call
    ) -> shapes.PurgeEvaluationsResponse:
        """Remove ended evaluations that nothing names."""
        if not is_told(request.older_than):
            raise invalid(
                "older_than",
                "{field} is not a time of the years 1 to 9999.",
                value=shown_time(request.older_than),
                constraint="range",
            )
        work = removal.count if request.dry_run else removal.purge
        async with self._db.transaction() as tx:
            removed = await work(tx, request.project_id, timestamp_text(request.older_than))
        return {"removed": removed, "more": removed == removal.MOST}

    async def download_geometry(
        self, request: pb.DownloadGeometryRequest, call: Call
    ) -> AsyncIterator[shapes.DownloadGeometryResponse]:
        """Stream the bytes of a geometry, or a range of them."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.GEOMETRY, evaluation_id=request.evaluation_id)
        if row is None or row["is_point"]:
            found = await self._point_geometry.find(request.evaluation_id, request.name, call)
            if found is None:
                return _nothing()
            call.reply["cache-control"] = "no-cache"  # what was deleted may be made again with other bytes
        else:
            found = row["geometry"]
        file = await self._geometries.find(found, request.name, request.unit, call.caller.principal_id)
        if file.unit is not None:
            call.reply["x-geometry-unit"] = file.unit
        content = self._content(request, call, file.sha256, file.size, CONTENT_TYPES[file.format], file.name)
        return ({"chunk": chunk} async for chunk in content)

    async def download_evaluation_file(
        self, request: pb.DownloadEvaluationFileRequest, call: Call
    ) -> AsyncIterator[shapes.DownloadEvaluationFileResponse]:
        """Stream the bytes of a file, or a range of them, as an attachment."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.FILES, evaluation_id=request.evaluation_id)
        if row is None:
            await self._read(request.evaluation_id)  # a point has no files before it has an evaluation
        files = [] if row is None else row["files"]
        file = next((item for item in files if item["name"] == request.name), None)
        if file is None:
            raise not_found("file")
        content = self._content(request, call, file["sha256"], file["size"], media_types.OTHER, file["name"])
        return ({"chunk": chunk} async for chunk in content)

    def _content(
        self, request: _Ranged, call: Call, sha256: str, size: int, content_type: str, name: str
    ) -> AsyncIterator[bytes]:
        """Return the bytes that a download asks for, with the metadata of an attachment."""
        first, length, headers = byte_range.reply_headers(
            request.range, request.if_range, size=size, sha256=sha256, content_type=content_type
        )
        call.reply.update(headers)
        call.reply["content-disposition"] = f'attachment; filename="{name}"'
        return self._objects.read(sha256, first, length)

    async def _run_once(self, call: Call, wanted: WantedEvaluation, until: float) -> tuple[Row, bool]:
        """Return the evaluation that is wanted, and whether an earlier request started it.

        An earlier one is stored or still running.
        """
        while True:
            row = await self._run(call, wanted, until)
            if row is not None:
                return row, False
            await call.settle(None)
            async with self._db.read() as tx:
                equal = await tx.one_or_none(queries.EQUAL, cache_keys=wanted.keys)
                standing = await hourly.standing_of(tx, str(call.project_id), self._settings.evaluations_per_hour)
            hourly.report(call, standing)
            if equal is not None and equal["status"] not in messages.FINAL:
                equal = await self._joined(equal["evaluation_id"], until)
            # An equal evaluation that failed between the two statements is no longer equal, and another caller's
            # cancellation or removal doesn't apply to this caller: try again.
            if equal is not None and equal["status"] != "cancelled":
                if not call.caller.made(equal):
                    # So that the log of somebody else's evaluation is shown to the caller at later reads too.
                    asked = {"evaluation_id": equal["evaluation_id"], "user_id": call.caller.user_id}
                    async with self._db.transaction() as tx:
                        await tx.execute(queries.ADD_REQUEST, **asked)
                return equal, True

    async def _joined(self, evaluation_id: str, until: float) -> Row | None:
        """Return another request's evaluation when it has ended, or as it is at `until`; None if it was removed."""
        with self._endings.expect(evaluation_id) as ended:
            row = await self._one(evaluation_id)
            if row is None or row["status"] in messages.FINAL or time.monotonic() >= until:
                return row
            return await wait_until(ended, until) or await self._one(evaluation_id)

    async def _one(self, evaluation_id: str) -> Row | None:
        async with self._db.read() as tx:
            return await tx.one_or_none(queries.ONE, evaluation_id=evaluation_id)

    async def _run(self, call: Call, wanted: WantedEvaluation, until: float) -> Row | None:
        """Add an evaluation with its job and wait for its end.

        Returns None if one of the wanted keys has a stored evaluation, or the first an unfinished one.
        """
        evaluation_id = str(uuid_utils.uuid7())
        with self._endings.expect(evaluation_id) as ended:
            row = await self._add(call, wanted, evaluation_id, until)
            if row is None:
                return None
            return await wait_until(ended, until) or await self._current(row, until)

    async def _add(self, call: Call, wanted: WantedEvaluation, evaluation_id: str, until: float) -> Row | None:
        """Commit an evaluation with its job, handed at once to a waiting worker of this process; None as in `_run`."""
        submitter = Submitter.of(call)
        with self._waiting.taken() as worker:
            async with self._db.transaction() as tx:
                seconds = max(0.0, until - time.monotonic())
                added = await self._submissions.add(
                    tx, submitter, wanted, evaluation_id, worker=worker, awaited_seconds=seconds
                )
                if added is None:
                    return None
                hourly.report(call, added.standing)
            accepted = {"evaluation": messages.evaluation(added.row)}
            await call.settle(accepted, _accepted(added.row), max(0.0, until - time.monotonic()))
        return added.row

    async def _ended(self, evaluation_id: str, until: float) -> Row:
        """Return the evaluation when it has ended, or as it is at `until`."""
        return await self._endings.row(evaluation_id, partial(self._read, evaluation_id), until)

    async def _current(self, added: Row, until: float) -> Row:
        """Return an evaluation that didn't end in time: as added if the call doesn't wait, else read again.

        The wait ends in the row before the caller is told: an end after that is one that it doesn't know of.
        """
        if until == 0:
            return added
        async with self._db.transaction() as tx:
            await tx.execute(queries.STOP_AWAITING, evaluation_id=added["evaluation_id"])
        return await self._read(added["evaluation_id"])

    async def _list_points(
        self, request: pb.ListEvaluationsRequest, page: PlatformPage, filters: Mapping[str, Any]
    ) -> shapes.ListEvaluationsResponse:
        """List the points of the request's batches and studies, each as the evaluation that it is."""
        async with self._db.read() as tx:
            rows = await tx.all(
                point_queries.LIST,
                project_id=request.project_id,
                batch_id=list(request.batch_id),
                study_id=list(request.study_id),
                page_rows=page.limit + 1,
                **filters,
                **ids.place(page.id or ids.LAST),
            )
        rows, cursor = page.cut(rows, "evaluation_id")
        return {"evaluations": [point_messages.evaluation(row) for row in rows], "next_cursor": cursor}

    async def _read(self, evaluation_id: str) -> Row:
        """Return an evaluation, or the point that is one and of which no geometry was made."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.ONE, evaluation_id=evaluation_id)
            row = row or await tx.one_or_none(point_queries.ONE, **ids.place(evaluation_id))
        if row is None:
            raise not_found("evaluation")
        return row


async def _nothing() -> AsyncIterator[shapes.DownloadGeometryResponse]:
    """Yield the content of a download that is not there yet."""
    nothing: tuple[shapes.DownloadGeometryResponse, ...] = ()
    for one in nothing:
        yield one


def _accepted(row: Row) -> dict[str, str]:
    """Return the response metadata of an unfinished evaluation."""
    location = messages.EVALUATION_PATH.format(row["evaluation_id"])
    return {"catenary-status": "202", "location": location, "retry-after": prefer.RETRY_AFTER}
