"""EvaluationService: runs of the deployed model and their results."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any

import uuid_utils

from catenary.platform.v1 import evaluation_pb2, role_pb2
from catenary.platform.v1 import evaluation_service_pb2 as pb
from catenary.platform.v1 import evaluation_service_shapes as shapes
from catenary_core.call import byte_range, json_text, preconditions, prefer
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, not_found
from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.jobs import queue
from catenary_core.jobs.endings import EndWaiters, wait_until
from catenary_core.limits import hourly
from catenary_core.resources.platform_pages import page_of
from catenary_core.services.evaluations import messages, queries, rules
from catenary_core.services.evaluations.geometry import CONTENT_TYPES, Geometries
from catenary_core.services.evaluations.owner import KIND, announce
from catenary_wire.json_form import enum_names

_STATUSES = enum_names(evaluation_pb2.EvaluationStatus.DESCRIPTOR)


class EvaluationServicer:
    """`catenary.platform.v1.EvaluationService`."""

    def __init__(self, frame: Frame, endings: EndWaiters) -> None:
        """Create the servicer; `endings` is shared with the owner of the evaluations' jobs."""
        self._settings = frame.settings
        self._db = frame.db
        self._objects = frame.objects
        self._waiting = frame.waiting
        self._endings = endings
        self._geometries = Geometries(frame.db, frame.objects, frame.space)

    async def project_of(self, evaluation_id: str) -> str | None:
        """Return the active project of an evaluation, for the policy."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.PROJECT_OF, evaluation_id=evaluation_id)
        return None if row is None else row["project_id"]

    async def evaluate(self, request: pb.EvaluateRequest, call: Call) -> shapes.EvaluateResponse:
        """Run the deployed model, or return the result of an equal request."""
        preference = prefer.parse(request.prefer)
        until = prefer.wait_end(call, preference.seconds())
        given = {name: json_text.parse(value.text, f"parameters.{name}") for name, value in request.parameters.items()}
        async with self._db.read() as tx:
            deployed = await tx.one_or_none(queries.DEPLOYED, project_id=request.project_id)
        if deployed is None:
            raise DomainError("MODEL_NOT_DEPLOYED", "The project has no deployed model version; deploy one first.")
        values = rules.resolve(deployed["parameters"], given)
        if request.force:
            row, cached = await self._run(call, deployed, values, None, until), False
        else:
            row, cached = await self._run_once(call, deployed, values, until)
        if row is None:
            raise RuntimeError("a forced evaluation equals no other, so it is always added")
        final = row["status"] in messages.FINAL
        call.reply.update(preference.applied(final=final), **({} if final else _accepted(row)))
        # Whoever asks for an evaluation sees its log, also where an equal request of somebody else was first.
        return {"evaluation": messages.evaluation(row, cached=cached, with_log=True)}

    async def list_evaluations(self, request: pb.ListEvaluationsRequest, call: Call) -> shapes.ListEvaluationsResponse:
        """List the project's evaluations that every given filter matches, newest first."""
        page = page_of(request)
        statement = queries.LIST if page.id is None else queries.LIST_AFTER
        filters = {
            "status": [_STATUSES[status] for status in request.status],
            "model_version_id": list(request.model_version_id),
            "asked_by": list(request.asked_by),
        }
        async with self._db.read() as tx:
            rows = await tx.all(statement, project_id=request.project_id, **filters, **page.parameters)
        rows, cursor = page.cut(rows, "evaluation_id")
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
            return {"evaluation": messages.evaluation(row, with_log=await _may_see_log(tx, row, call))}

    async def cancel_evaluation(
        self, request: pb.CancelEvaluationRequest, call: Call
    ) -> shapes.CancelEvaluationResponse:
        """Cancel an unfinished evaluation. Its worker learns of this at the next renewal of its lease."""
        async with self._db.transaction() as tx:
            await queue.drop(tx, request.evaluation_id)
            if call.condition is not None:
                await tx.execute(queries.LOCK, evaluation_id=request.evaluation_id)
                before = await tx.one_or_none(queries.ONE, evaluation_id=request.evaluation_id)
                seen = None
                if before is not None:
                    seen = messages.evaluation(before, with_log=await _may_see_log(tx, before, call))
                preconditions.check(call, seen)
            row = await tx.one_or_none(
                queries.ABANDONED, evaluation_id=request.evaluation_id, new_status="cancelled", new_error=None
            )
            if row is None:
                raise DomainError("CONFLICT", "The evaluation has ended already, so it can't be cancelled.")
            await announce(tx, row, call, self._endings)
        return {"evaluation": messages.evaluation(row)}  # a cancelled one has no log

    async def download_geometry(
        self, request: pb.DownloadGeometryRequest, call: Call
    ) -> AsyncIterator[shapes.DownloadGeometryResponse]:
        """Stream the bytes of a geometry, or a range of them."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.GEOMETRY, evaluation_id=request.evaluation_id)
        if row is None:
            raise not_found("evaluation")
        file = await self._geometries.find(row["geometry"], request.name, call.caller.user_id)
        first, length, headers = byte_range.reply_headers(
            request.range,
            request.if_range,
            size=file.size,
            sha256=file.sha256,
            content_type=CONTENT_TYPES[file.format],
        )
        call.reply.update(headers)
        call.reply["content-disposition"] = f'attachment; filename="{file.name}"'
        return ({"chunk": chunk} async for chunk in self._objects.read(file.sha256, first, length))

    async def _run_once(self, call: Call, deployed: Row, values: Mapping[str, Any], until: float) -> tuple[Row, bool]:
        """Return the evaluation of these values, and whether an earlier request started it.

        An earlier one is stored or still running.
        """
        key = rules.cache_key(str(call.project_id), deployed["model_version_id"], deployed["runtime_digest"], values)
        while True:
            row = await self._run(call, deployed, values, key, until)
            if row is not None:
                return row, False
            await call.settle(None)
            async with self._db.read() as tx:
                equal = await tx.one_or_none(queries.EQUAL, cache_key=key)
                await hourly.report_evaluations(tx, call, self._settings.evaluations_per_hour)
            if equal is not None and equal["status"] not in messages.FINAL:
                equal = await self._ended(equal["evaluation_id"], until)
            # An equal evaluation that failed between the two statements is no longer equal, and another caller's
            # cancellation doesn't apply to this caller: try again.
            if equal is not None and equal["status"] != "cancelled":
                await self._note_request(equal, call)
                return equal, True

    async def _note_request(self, equal: Row, call: Call) -> None:
        """Note that the caller requested somebody else's evaluation, so that its log is shown at later reads too."""
        if equal["created_by"]["user_id"] != call.caller.user_id:
            async with self._db.transaction() as tx:
                await tx.execute(queries.ADD_REQUEST, evaluation_id=equal["evaluation_id"], user_id=call.caller.user_id)

    async def _run(
        self, call: Call, deployed: Row, values: Mapping[str, Any], key: bytes | None, until: float
    ) -> Row | None:
        """Add an evaluation with its job and wait for its end.

        Returns None if the key has a stored or unfinished evaluation.
        """
        evaluation_id = str(uuid_utils.uuid7())
        with self._endings.expect(evaluation_id) as ended:
            row = await self._add(call, deployed, values, key, evaluation_id, until)
            if row is None:
                return None
            return await wait_until(ended, until) or await self._current(row, until)

    async def _add(
        self, call: Call, deployed: Row, values: Mapping[str, Any], key: bytes | None, evaluation_id: str, until: float
    ) -> Row | None:
        """Commit an evaluation with its job, handed at once to a waiting worker of this process; None as in `_run`."""
        payload = {
            "project_id": call.project_id,
            "model_version_id": deployed["model_version_id"],
            "model_kind": deployed["kind"],
            "source_sha256": deployed["sha256"],
            "parameters": values,
            "timeout_seconds": self._settings.evaluation_timeout,
            "memory_bytes": self._settings.evaluation_memory,
        }
        with self._waiting.taken() as worker:
            async with self._db.transaction() as tx:
                row = await tx.one_or_none(
                    queries.INSERT if worker is None else queries.INSERT_STARTED,
                    evaluation_id=evaluation_id,
                    project_id=call.project_id,
                    model_version_id=deployed["model_version_id"],
                    parameters=json_value(values),
                    cache_key=key,
                    created_by=call.caller.user_id,
                    awaited_seconds=max(0.0, until - time.monotonic()),
                )
                if row is None:
                    return None
                counted = queries.counted(row)
                # The running evaluation of this key may have completed while the INSERT waited for it: check again.
                if key is not None and (await tx.one(queries.STORED, cache_key=key))["found"]:
                    await tx.execute(queries.REMOVE, evaluation_id=evaluation_id)
                    return None
                job = None
                if worker is None:
                    await queue.enqueue(tx, call, KIND, evaluation_id, payload)
                else:
                    seconds = self._settings.lease_seconds
                    job = await queue.enqueue_leased(tx, call, KIND, evaluation_id, payload, worker.worker_id, seconds)
                await hourly.charge_evaluation(tx, call, self._settings.evaluations_per_hour, counted)
                if worker is not None and job is not None:
                    worker.hand(job)
            accepted = {"evaluation": messages.evaluation(row)}
            await call.settle(accepted, _accepted(row), max(0.0, until - time.monotonic()))
        return row

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

    async def _read(self, evaluation_id: str) -> Row:
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.ONE, evaluation_id=evaluation_id)
        if row is None:
            raise not_found("evaluation")
        return row


async def _may_see_log(tx: Transaction, row: Row, call: Call) -> bool:
    """Return whether the caller may see the log of an evaluation.

    Editors may, and the users that requested the evaluation or an equal one.
    """
    if not row["log"] or call.role >= role_pb2.ROLE_EDITOR or row["created_by"]["user_id"] == call.caller.user_id:
        return True
    ids = {"evaluation_id": row["evaluation_id"], "user_id": call.caller.user_id}
    return await tx.one_or_none(queries.REQUESTED, **ids) is not None


def _accepted(row: Row) -> dict[str, str]:
    """Return the response metadata of an unfinished evaluation."""
    location = messages.EVALUATION_PATH.format(row["evaluation_id"])
    return {"catenary-status": "202", "location": location, "retry-after": prefer.RETRY_AFTER}
