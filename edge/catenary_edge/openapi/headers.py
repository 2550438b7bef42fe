"""The response headers that the documents name."""

from __future__ import annotations

from typing import Any

from catenary.options.v1 import options_pb2
from catenary_edge import idempotency
from catenary_edge.problem import REPLAYED
from catenary_edge.routes import Route

_TEXT = {"type": "string"}
_SECONDS = {"type": "integer", "minimum": 0}

COMPONENTS: dict[str, dict[str, Any]] = {
    "X-Request-Id": {
        "description": "Id of the request: the caller's own, when it has 1 to 128 of `A-Za-z0-9._-`, else a new one.",
        "required": True,
        "schema": _TEXT,
    },
    "Cache-Control": {"description": "How long the answer may be kept.", "required": True, "schema": _TEXT},
    "Vary": {"description": "The request headers that the answer depends on.", "schema": _TEXT},
    "ETag": {"description": "Names the content.", "schema": _TEXT},
    "Location": {"description": "Path of what is still being made.", "schema": _TEXT},
    "Retry-After": {"description": "Seconds after which to ask again.", "schema": _SECONDS},
    "Preference-Applied": {"description": "The preferences that were honoured (RFC 7240).", "schema": _TEXT},
    "WWW-Authenticate": {
        "description": "The credentials that are taken (RFC 9110).",
        "required": True,
        "schema": _TEXT,
    },
    "Content-Range": {"description": "The range and the whole size in bytes.", "schema": _TEXT},
    "Content-Length": {"description": "Bytes of the body.", "schema": _SECONDS},
    "Content-Disposition": {"description": "A file name for the content.", "schema": _TEXT},
    "Accept-Ranges": {"description": "`bytes`.", "schema": _TEXT},
    REPLAYED.title(): {
        "description": "The answer is the one that an equal request with the same Idempotency-Key had.",
        "schema": {"type": "string", "const": "true"},
    },
    "X-API-Stage": {
        "description": "`alpha` or `beta`: how settled the operation is.",
        "required": True,
        "schema": _TEXT,
    },
}


def of_success(route: Route, status: int) -> dict[str, Any]:
    """References to the headers of a success of the route."""
    names = ["X-Request-Id", "Cache-Control", "Vary"]
    if route.rpc.options.stage in (options_pb2.STAGE_ALPHA, options_pb2.STAGE_BETA):
        names.append("X-API-Stage")
    if idempotency.takes_key(route):
        names.append(REPLAYED.title())
    if route.may_wait:
        names += ["Preference-Applied", "Retry-After"]
    if status == 202:
        names.append("Location")
    if route.rpc.options.download:
        names += ["ETag", "Content-Length", "Content-Disposition", "Accept-Ranges"]
    if status == 206:
        names.append("Content-Range")
    return _references(names)


def of_refusal(status: int, *, is_kept: bool) -> dict[str, Any]:
    """References to the headers of a refusal with the status; `is_kept` tells that a repeated request may get it again."""
    more = {401: ["WWW-Authenticate"], 416: ["Content-Range"], 429: ["Retry-After"], 503: ["Retry-After"]}
    kept = [REPLAYED.title()] if is_kept else []
    return _references(["X-Request-Id", "Cache-Control", *more.get(status, []), *kept])


def _references(names: list[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
