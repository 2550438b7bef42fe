"""ExchangeService: evaluations in and out as CSV."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from typing import Any

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
        """Stream the completed evaluations of a version, newest first, as they are now."""
        project = {"project_id": request.project_id}
        async with self._db.read() as tx:
            if request.HasField("model_version_id"):
                version_id = request.model_version_id
            else:
                deployed = await tx.one_or_none(queries.DEPLOYED, **project)
                if deployed is None:
                    raise _not_deployed()
                version_id = deployed["model_version_id"]
            version = {**project, "model_version_id": version_id}
            declared = await tx.one_or_none(queries.DECLARED, **version)
            if declared is None:
                raise not_found("model version")
            state = await tx.one(queries.STATE, **version)
            names = [row["name"] for row in await tx.all(queries.METRIC_NAMES, **version)]
        metrics = files.metrics(declared["metrics"], names)
        state_text = orjson.dumps([version_id, state, declared["parameters"], metrics], default=str)
        call.reply.update(
            {
                "content-type": csv_files.CONTENT_TYPE,
                "content-disposition": f'attachment; filename="evaluations-{request.project_id}.csv"',
                "etag": f'"{hashlib.sha256(state_text).hexdigest()}"',
            }
        )
        lines = partial(files.lines, parameters=declared["parameters"], outputs=metrics, base=self._base(call))
        return self._stream(version, files.header(declared["parameters"], metrics), state["completed_at"], lines)

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
            raise _not_deployed()
        content = await files.receive(head.chunk, parts)
        values = await asyncio.to_thread(files.read, deployed["parameters"], content)
        made = await self._batches.add(call, deployed, values, name=head.name, note=head.note)
        return {"batch": made["batch"]}

    def _base(self, call: Call) -> str:
        """Return what stands before REST paths in a file that leaves the server; nothing for a caller over gRPC."""
        return base_url(self._settings.public_url, call)

    async def _stream(
        self,
        version: Mapping[str, str],
        header: bytes,
        until: str | None,
        lines: Callable[[list[Row]], bytes],
    ) -> AsyncIterator[shapes.ExportEvaluationsResponse]:
        yield {"chunk": header}
        after: dict[str, Any] = {}
        while until is not None:
            async with self._db.read() as tx:
                statement = queries.PAGE_AFTER if after else queries.PAGE
                rows = await tx.all(statement, **version, until=until, page_rows=PAGE_ROWS, **after)
            if rows:
                yield {"chunk": await asyncio.to_thread(lines, rows)}
            if len(rows) < PAGE_ROWS:
                return
            after = {"after_created_at": rows[-1]["created_at"], "after_id": rows[-1]["evaluation_id"]}


def _not_deployed() -> DomainError:
    return DomainError("MODEL_NOT_DEPLOYED", "The project has no deployed model version; deploy one first.")
