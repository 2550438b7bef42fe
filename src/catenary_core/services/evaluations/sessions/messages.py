"""The answers of live sessions as messages."""

from __future__ import annotations

from typing import Any, cast

from catenary.platform.v1.explore_service_shapes import (
    ExploredEvaluation,
    ExploredFile,
    ExploreError,
    ExploreResponse,
)
from catenary.platform.v1.model_shapes import ModelParameter
from catenary_core.call.errors import DomainError
from catenary_core.jobs.designs import (
    Answer,
    Computed,
    FailedGeometry,
    GeometryBytes,
    GeometryFiles,
    RefusedDesign,
    Superseded,
)
from catenary_core.jobs.sessions import ExploredVersion, LiveSession
from catenary_core.services.evaluations.messages import charts, constraints
from catenary_wire import media_types

_EMPTY: ExploreResponse = {
    "id": None,
    "evaluation": None,
    "geometry": None,
    "error": None,
    "superseded": False,
    "chunk": b"",
    "session": None,
}


def opened(session: LiveSession) -> ExploreResponse:
    """Build the first message of a session."""
    version = session.version
    return {
        **_EMPTY,
        "session": {
            "model_version_id": version.model_version_id,
            "parameters": [cast("ModelParameter", one) for one in session.declared],
            "repeatable": version.payload["repeatable"],
        },
    }


def explored(answer: Answer, version: ExploredVersion) -> ExploreResponse:
    """Build the message of an answer."""
    match answer:
        case Computed():
            return {**_EMPTY, "id": answer.design.id, "evaluation": _evaluation(answer, version)}
        case GeometryFiles():
            files: list[ExploredFile] = [
                {"name": one.name, "format": one.format, "size": one.size, "unit": one.unit} for one in answer.files
            ]
            return {**_EMPTY, "id": answer.design_id, "geometry": {"files": files}}
        case GeometryBytes():
            return {**_EMPTY, "chunk": answer.chunk}
        case FailedGeometry():
            return {**_EMPTY, "id": answer.design_id, "error": _fault(answer)}
        case Superseded():
            return {**_EMPTY, "id": answer.design_id, "superseded": True}
        case RefusedDesign():
            return {**_EMPTY, "id": answer.design_id, "error": _error(answer.error)}


def _evaluation(answer: Computed, version: ExploredVersion) -> ExploredEvaluation:
    ended = answer.ended
    return {
        "status": ended.status,
        "model_version_id": version.model_version_id,
        "parameters": dict(answer.design.values),
        "metrics": dict(ended.metrics),
        "constraints": constraints(ended.constraints),
        "tables": dict(ended.tables),
        "error": None if ended.error is None else dict(ended.error),  # type: ignore[typeddict-item]  # as `outcome` checked it
        "duration_ms": ended.duration_ms,
        "charts": charts(ended),
        "files": [
            {"name": file.name, "media_type": media_types.of_file(file.name), "size": file.size} for file in ended.files
        ],
    }


def _fault(answer: FailedGeometry) -> ExploreError:
    error = answer.error
    details = {} if error["line"] is None else {"line": error["line"]}
    return {"code": error["code"], "message": error["message"], "details": details}


def _error(error: DomainError) -> ExploreError:
    """Build the error of a design as the platform shows a refusal: the first fault in the details, all as violations."""
    details: dict[str, Any] = dict(error.details)
    if error.violations:
        first = error.violations[0]
        details = {"parameter": first.field, "constraint": first.constraint, **details}
        details["violations"] = [
            {"parameter": one.field, "message": one.message, "constraint": one.constraint} for one in error.violations
        ]
    return {"code": error.reason, "message": error.message, "details": details}
