"""BatchService: many evaluations of one model version at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import uuid_utils

from catenary.platform.v1 import batch_pb2, evaluation_pb2, role_pb2
from catenary.platform.v1 import batch_service_pb2 as pb
from catenary.platform.v1 import batch_service_shapes as shapes
from catenary_core.call import json_text, preconditions, prefer
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, invalid, not_found
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.jobs import queue
from catenary_core.jobs.submitter import Submitter
from catenary_core.limits import accounts, bulk, counters, hourly
from catenary_core.limits.window import WindowState
from catenary_core.resources.platform_pages import page_of
from catenary_core.services.evaluations import rules, versions
from catenary_core.services.evaluations.batches import encoding, messages, points, queries
from catenary_core.services.evaluations.batches.additions import AT_ONCE, Additions
from catenary_core.services.evaluations.batches.streams import BatchStreams
from catenary_core.services.evaluations.files import known
from catenary_core.services.evaluations.plans import queries as plan_queries
from catenary_core.services.evaluations.plans.layout import Layout
from catenary_core.services.evaluations.points import removal
from catenary_core.services.evaluations.removal import ended_already, not_ended
from catenary_wire.json_form import enum_names
from catenary_wire.sentences import Fields

PAGE_BYTES = 2 * 1024**2
"""Bytes of results after which a page has no further row."""
_STATUSES = enum_names(batch_pb2.BatchStatus.DESCRIPTOR)
_POINT_STATUSES = enum_names(evaluation_pb2.EvaluationStatus.DESCRIPTOR)


class BatchServicer:
    """`catenary.platform.v1.BatchService`."""

    def __init__(self, frame: Frame, streams: BatchStreams) -> None:
        self._settings = frame.settings
        self._db = frame.db
        self._streams = streams

    async def project_of(self, batch_id: str) -> str | None:
        """Return the active project of a batch, for the policy."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.PROJECT_OF, batch_id=batch_id)
        return None if row is None else row["project_id"]

    async def create_batch(self, request: pb.CreateBatchRequest, call: Call) -> shapes.CreateBatchResponse:
        """Add a batch with its points and one job for all that are not stored already."""
        _check_source(request)
        async with self._db.read() as tx:
            version = await known.with_files(tx, request.project_id, await versions.wanted(tx, request, call))
            plan = await _plan(tx, request) if request.HasField("plan_id") else None
            await self.check_left(tx, call)
        # In a thread: the 10,000 points of a plan take a second, and large tables more.
        values = await asyncio.to_thread(_values, request, plan, version["parameters"])
        return await self.add(call, version, values, geometry=request.geometry, name=request.name, note=request.note)

    async def check_left(self, tx: Transaction, call: Call) -> None:
        """Check that the call's project may have another batch this hour, before the work for its points.

        The month is asked at the first points that are not stored: stored results are given when nothing is left too.

        Raises RATE_LIMIT_EXCEEDED: as `add` does.
        """
        await hourly.check_evaluations(tx, str(call.project_id), self._settings.evaluations_per_hour)

    async def add(
        self,
        call: Call,
        version: Row,
        values: Sequence[Mapping[str, Any]],
        *,
        geometry: bool = False,
        name: str = "",
        note: str = "",
    ) -> shapes.CreateBatchResponse:
        """Answer with a new batch of a version.

        Args:
            call: The call that wants the batch.
            version: The row of `queries.DEPLOYED` or `queries.VERSION`.
            values: What `rules.resolve_all` gives.
            geometry: Whether the geometry of all points is kept.
            name: Name of the batch.
            note: Its note.

        Raises VALIDATION_ERROR: the values are too large. Raises CONFLICT: a file that they name was deleted meanwhile.
        Raises RATE_LIMIT_EXCEEDED or QUOTA_EXCEEDED: too few evaluations are left.
        """
        new = await asyncio.to_thread(_encoded, str(call.project_id), version, values)
        named = known.digests(version["parameters"], values)
        async with self._db.transaction() as tx:
            await known.hold(tx, str(call.project_id), named)
            wanted = {"geometry": geometry, "name": name, "note": note}
            row, standing = await self._add(tx, Submitter.of(call), version, new, wanted)
        hourly.report(call, standing)
        call.reply["location"] = messages.BATCH_PATH.format(row["batch_id"])
        if row["status"] not in messages.FINAL:
            call.reply["retry-after"] = prefer.RETRY_AFTER
        return {"batch": messages.batch(row)}

    async def list_batches(self, request: pb.ListBatchesRequest, call: Call) -> shapes.ListBatchesResponse:
        """List the project's batches, newest first."""
        page = page_of(request)
        statuses = [_STATUSES[status] for status in request.status]
        async with self._db.read() as tx:
            rows, cursor = await queries.LIST.read(tx, page, project_id=request.project_id, status=statuses)
        return {"batches": [messages.batch(row) for row in rows], "next_cursor": cursor}

    async def get_batch(self, request: pb.GetBatchRequest, call: Call) -> shapes.GetBatchResponse:
        """Return one batch."""
        row = await self._read(request.batch_id)
        if row["status"] not in messages.FINAL:
            call.reply["retry-after"] = prefer.RETRY_AFTER
        return {"batch": messages.batch(row)}

    async def delete_batch(self, request: pb.DeleteBatchRequest, call: Call) -> shapes.DeleteBatchResponse:
        """Cancel a batch, or remove one that has ended.

        Raises CONFLICT: it has ended or not, against what is wanted; or a comment names it or a point of it.
        """
        before = await self._read(request.batch_id)
        if call.role < role_pb2.ROLE_EDITOR and before["created_by"]["user_id"] != call.caller.user_id:
            raise DomainError("PERMISSION_DENIED", "This batch is another user's; an editor of the project may end it.")
        async with self._db.transaction() as tx:
            if request.remove:
                await removal.drop_jobs(tx, request.batch_id)
            locked = await tx.one_or_none(queries.LOCK, batch_id=request.batch_id)
            row = await tx.one_or_none(queries.ONE, batch_id=request.batch_id)
            preconditions.check(call, None if row is None else messages.batch(row))
            if locked is None or row is None:
                raise not_found("batch")
            has_ended = row["status"] in messages.FINAL
            if request.remove:
                if not has_ended:
                    raise not_ended("batch")
                await removal.remove(tx, request.batch_id, row["project_id"])
            elif has_ended:
                raise ended_already("batch")
            else:
                row = await points.cancel(tx, row, call)
        return {"batch": messages.batch(row)}

    async def list_batch_results(
        self, request: pb.ListBatchResultsRequest, call: Call
    ) -> shapes.ListBatchResultsResponse:
        """List the points of a batch in the order in which they were given; large ones make a page short."""
        page = page_of(request, numbered=True)
        async with self._db.read() as tx:
            rows = await tx.all(
                queries.RESULTS,
                batch_id=request.batch_id,
                status=[_POINT_STATUSES[status] for status in request.status],
                from_index=0 if page.id is None else int(page.id),
                page_rows=page.limit + 1,
                page_bytes=PAGE_BYTES,
            )
        fitting = sum(row["before"] < PAGE_BYTES for row in rows)
        rows, cursor = replace(page, limit=min(page.limit, fitting)).cut(rows, "number")
        return {"results": [messages.result(row) for row in rows], "next_cursor": cursor}

    async def stream_batch_results(
        self, request: pb.StreamBatchResultsRequest, call: Call
    ) -> AsyncGenerator[shapes.StreamBatchResultsResponse, None]:
        """Stream the points of a batch, each as it ends, and at last the batch."""
        after = request.last_event_id or request.after
        return await self._streams.open(call.caller, str(call.project_id), request.batch_id, int(after or 0))

    async def _read(self, batch_id: str) -> Row:
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.ONE, batch_id=batch_id)
        if row is None:
            raise not_found("batch")
        return row

    async def _add(
        self,
        tx: Transaction,
        submitter: Submitter,
        version: Row,
        new: Sequence[encoding.EncodedPoint],
        wanted: Mapping[str, Any],
    ) -> tuple[Row, WindowState]:
        """Add a batch; return its row, which has ended if all its points are stored already, and the project's limit.

        `wanted` has `geometry`, `name` and `note`.
        """
        geometry: bool = wanted["geometry"]
        batch_id, user_id, project_id = str(uuid_utils.uuid7()), submitter.user_id, submitter.project_id
        await bulk.hold(tx, user_id, self._settings.bulk_operations, batch_id)
        await tx.execute(
            queries.INSERT,
            batch_id=batch_id,
            project_id=project_id,
            model_version_id=version["model_version_id"],
            total=len(new),
            **wanted,
            created_by=user_id,
        )
        additions = Additions(batch_id, ended=0)
        for first in range(0, len(new), AT_ONCE):
            part = new[first : first + AT_ONCE]
            # What is stored belongs to others, who may remove it with its files: a batch that keeps them makes its own.
            await additions.add(tx, range(first, first + len(part)), part, alone=geometry)
            # So a batch that the month has no room for is refused before its other points are added.
            if additions.computed:
                await accounts.check_use(tx, self._settings.tiers, project_id, additions.computed)
        await tx.execute(
            queries.CACHED, batch_id=batch_id, cached_points=additions.cached, repeated_points=additions.repeated
        )
        counted = await counters.lock(tx, counters.PROJECT_EVALUATIONS, project_id)
        left = additions.computed
        limit = self._settings.evaluations_per_hour
        standing = await hourly.charge_evaluation(tx, project_id, limit, counted)
        if left:
            await accounts.spend(tx, self._settings.tiers, project_id, left)
            if geometry:
                await accounts.check_room(tx, self._settings.tiers, project_id, 1)
            payload = points.payload(version, batch_id, project_id, self._settings, geometry=geometry)
            await queue.enqueue(tx, submitter, points.KIND, await points.new_job_id(tx, payload), payload)
        else:
            await points.end(tx, batch_id)
        return await tx.one(queries.ONE, batch_id=batch_id), standing


def _check_source(request: pb.CreateBatchRequest) -> None:
    """Check where the points of a request are from.

    Raises VALIDATION_ERROR: it has points and a plan, or neither.
    """
    if request.HasField("plan_id") == bool(request.evaluations):
        raise invalid(
            "evaluations",
            "Give either {field} or {plan}.",
            value=None,
            constraint="oneof",
            plan=Fields("plan_id"),
        )


def _values(
    request: pb.CreateBatchRequest, plan: Row | None, declared: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the canonical values of the request's points, or of its plan's.

    Raises VALIDATION_ERROR, UNKNOWN_PARAMETER or PARAMETER_OUT_OF_RANGE: as `rules.resolve_all`.
    """
    given: Sequence[Mapping[str, Any]]
    if plan is None:
        given = [
            {
                name: json_text.parse(value.text, f"evaluations[{index}].parameters.{name}")
                for name, value in one.parameters.items()
            }
            for index, one in enumerate(request.evaluations)
        ]
    else:
        given = [one["parameters"] for one in Layout(plan["columns"], plan["rows"]).evaluations]
    return rules.resolve_all(declared, given, "evaluations")


def _encoded(project_id: str, version: Row, values: Sequence[Mapping[str, Any]]) -> list[encoding.EncodedPoint]:
    """Return the points of a batch as they are stored.

    Raises VALIDATION_ERROR: their values are too large.
    """
    encoding.check_size(values)
    return encoding.encode(project_id, version["model_version_id"], version["runtime_digest"], values)


async def _plan(tx: Transaction, request: pb.CreateBatchRequest) -> Row:
    """Return the request's plan.

    Raises VALIDATION_ERROR: the project has no such plan.
    """
    row = await tx.one_or_none(plan_queries.ONE, plan_id=request.plan_id)
    if row is None or row["project_id"] != request.project_id:
        raise invalid(
            "plan_id",
            "{field} is not of a plan of this project; make one, since a plan goes after a day.",
            value=request.plan_id,
            constraint="reference",
        )
    return row
