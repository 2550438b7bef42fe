"""The messages that end a job: its outcome, then the bytes of its geometry and other files."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import orjson

from catenary.type.v1 import json_pb2
from catenary.worker.v1 import worker_service_pb2 as pb
from catenary_wire.model_limits import MOST_REMARKS, REMARK, TEXT
from catenary_wire.printable import escape_lines, one_line
from catenary_worker.task import ModelError, Outcome

_CHUNK_BYTES = 256 * 1024


async def messages(
    job: pb.Job, outcome: Outcome, deterministic: bool | None, digest: str
) -> AsyncIterator[pb.CompleteRequest]:
    """Yield the requests of a `Complete` call.

    Args:
        job: The job that ends.
        outcome: Its outcome.
        deterministic: For a check, whether both evaluations agreed.
        digest: The digest of the runtime that ran the job.
    """
    # The first message holds as much as fits: most evaluations are one message.
    content = b"".join([*(item.data for item in outcome.geometry), *(item.data for item in outcome.files)])
    head, rest = content[:_CHUNK_BYTES], memoryview(content)[_CHUNK_BYTES:]
    told = message(outcome, deterministic)
    yield pb.CompleteRequest(
        job_id=job.job_id, lease_token=job.lease_token, outcome=told, chunk=head, runtime_digest=digest
    )
    for start in range(0, len(rest), _CHUNK_BYTES):
        yield pb.CompleteRequest(chunk=bytes(rest[start : start + _CHUNK_BYTES]))


def message(outcome: Outcome, deterministic: bool | None) -> pb.Outcome:
    """Return the protobuf message of an outcome, which announces its geometry and other files.

    Args:
        outcome: The outcome.
        deterministic: For a check, whether both evaluations agreed.
    """
    artefacts = [
        pb.Artefact(
            name=item.name,
            format=item.format,
            size=len(item.data),
            sha256=hashlib.sha256(item.data).hexdigest(),
            parts=_json(item.parts),
            unit=item.unit or "",
        )
        for item in outcome.geometry
    ]
    files = [
        pb.ResultFile(name=item.name, size=len(item.data), sha256=hashlib.sha256(item.data).hexdigest())
        for item in outcome.files
    ]
    error = outcome.error
    return pb.Outcome(
        status=outcome.status,
        error=None if error is None else _json({"code": error.code, "message": error.message, "line": error.line}),
        description=None if outcome.description is None else _json(outcome.description),
        deterministic=deterministic,
        metrics=_json(outcome.metrics),
        constraints=_json(outcome.constraints),
        tables=_json(outcome.tables),
        charts=_json(outcome.charts),
        artefacts=artefacts,
        files=files,
        unmade=[pb.UnmadeGeometry(name=name, format=form) for name, form in outcome.unmade],
        duration_ms=outcome.duration_ms,
        log=outcome.log,
        repeatable=outcome.repeatable,
        not_repeatable=escape_lines(outcome.not_repeatable)[:TEXT],
        remarks=[one_line(text)[:REMARK] for text in outcome.remarks[:MOST_REMARKS]],
    )


def point(index: int, outcome: Outcome) -> pb.PointOutcome:
    """Return the message of a point's outcome, without geometry, charts, files and log.

    Args:
        index: The number of the point.
        outcome: Its outcome.
    """
    return pb.PointOutcome(
        index=index, outcome=message(replace(outcome, geometry=[], charts={}, files=[], log=""), None)
    )


def refused(reason: str) -> Outcome:
    """Return the failure of a job whose result the core refuses, for the author of its model.

    Args:
        reason: The sentence of the core's refusal.
    """
    text = f"The platform does not take the result: {reason} Change what the model returns; the same is refused again."
    return Outcome("failed", error=ModelError("MODEL_FAILED", escape_lines(text)[:TEXT]))


def _json(value: Any) -> json_pb2.Json:
    return json_pb2.Json(text=orjson.dumps(value).decode())
