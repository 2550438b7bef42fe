"""ExchangeService: evaluations in and out as CSV."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from functools import partial

import orjson

from catenary.platform.v1 import exchange_service_pb2 as pb
from catenary.platform.v1 import exchange_service_shapes as shapes
from catenary_core.call.base_url import base_url
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, not_found
from catenary_core.database.statements import Row
from catenary_core.frame import Frame
from catenary_core.services.evaluations.batches.servicer import BatchServicer
from catenary_core.services.evaluations.exchange import files, queries
from catenary_core.services.evaluations.exchange.selection import ExportedEvaluations, not_deployed, selected
from catenary_core.services.evaluations.files import known
from catenary_core.services.evaluations.plans import csv_files

PAGE_ROWS = 500
"""Rows that one statement reads."""
_TYPES = ("text/csv", "application/csv")


class ExchangeServicer:
    """`catenary.platform.v1.ExchangeService`."""

    def __init__(self, frame: Frame, batches: BatchServicer) -> None:
        """Create the servicer; `batches` evaluates the rows of imported files."""
        self._settings = frame.settings
        self._db = frame.db
        self._batches = batches

    async def export_evaluations(
        self, request: pb.ExportEvaluationsRequest, call: Call
    ) -> AsyncIterator[shapes.ExportEvaluationsResponse]:
        """Stream a version's evaluations that every filter matches, newest first, as they are now."""
        chosen = selected(request)
        async with self._db.read() as tx:
            given = request.HasField("model_version_id")
            version_id = request.model_version_id if given else await chosen.newest_version(tx)
            chosen = chosen.of_version(version_id)
            version = {"project_id": request.project_id, "model_version_id": version_id}
            declared = await tx.one_or_none(queries.DECLARED, **version)
            if declared is None:
                raise not_found("model version")
            state = await chosen.state(tx)
            metrics = files.metrics(declared["metrics"], await chosen.metric_names(tx))
        state_text = orjson.dumps([version_id, state, declared["parameters"], metrics], default=str)
        call.reply.update(
            {
                "content-type": csv_files.CONTENT_TYPE,
                "content-disposition": f'attachment; filename="evaluations-{request.project_id}.csv"',
                "etag": f'"{hashlib.sha256(state_text).hexdigest()}"',
            }
        )
        lines = partial(files.lines, parameters=declared["parameters"], outputs=metrics, base=self._base(call))
        return self._stream(chosen, files.header(declared["parameters"], metrics), state["completed_at"], lines)

    async def import_evaluations(
        self, parts: AsyncIterator[pb.ImportEvaluationsRequest], call: Call
    ) -> shapes.ImportEvaluationsResponse:
        """Evaluate the rows of a file as a batch."""
        head = await anext(parts)
        if head.content_type.partition(";")[0].strip().lower() not in _TYPES:
            raise DomainError("UNSUPPORTED_MEDIA_TYPE", "Evaluations are imported as text/csv; name the type.")
        async with self._db.read() as tx:
            deployed = await known.deployed(tx, head.project_id)
            await self._batches.check_left(tx, call)
        if deployed is None:
            raise not_deployed()
        content = await files.receive(head.chunk, parts)
        values = await asyncio.to_thread(files.read, deployed["parameters"], content)
        made = await self._batches.add(call, deployed, values, name=head.name, note=head.note)
        return {"batch": made["batch"]}

    def _base(self, call: Call) -> str:
        """Return what stands before REST paths in a file that leaves the server; nothing for a caller over gRPC."""
        return base_url(self._settings.public_url, call)

    async def _stream(
        self,
        chosen: ExportedEvaluations,
        header: bytes,
        until: str | None,
        lines: Callable[[list[Row]], bytes],
    ) -> AsyncIterator[shapes.ExportEvaluationsResponse]:
        yield {"chunk": header}
        last: Row | None = None
        while until is not None:
            async with self._db.read() as tx:
                rows = await chosen.page(tx, until, last, PAGE_ROWS)
            if rows:
                yield {"chunk": await asyncio.to_thread(lines, rows)}
            if len(rows) < PAGE_ROWS:
                return
            last = rows[-1]
