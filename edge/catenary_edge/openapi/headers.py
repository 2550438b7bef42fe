"""The headers of requests and responses in the OpenAPI documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catenary.options.v1 import options_pb2
from catenary_edge import rate_limit
from catenary_edge.errors.problem import REPLAYED
from catenary_edge.http import conditions, headers
from catenary_edge.transcoding.routes import Route
from catenary_edge.transcoding.schema import Schema

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
    "ETag": {
        "description": "Names the content (RFC 9110, section 8.8.3): strong in data services and downloads, where the "
        "content coding is its suffix; weak on the platform. Send it back in If-None-Match or If-Match.",
        "schema": _TEXT,
    },
    "Link": {
        "description": "Of a table the address of the next page, with the relation `next` (RFC 8288); not on the last page.",
        "schema": _TEXT,
    },
    "Location": {"description": "Path of what is still being made.", "schema": _TEXT},
    "Retry-After": {"description": "Seconds after which to ask again.", "schema": _SECONDS},
    "Preference-Applied": {"description": "The preferences that were honoured (RFC 7240).", "schema": _TEXT},
    "WWW-Authenticate": {
        "description": "The credentials that are taken (RFC 9110).",
        "required": True,
        "schema": _TEXT,
    },
    "Set-Cookie": {"description": "The refresh token of a session, or its end.", "schema": _TEXT},
    "Content-Range": {"description": "The range and the whole size in bytes.", "schema": _TEXT},
    "Content-Length": {"description": "Bytes of the body.", "schema": _SECONDS},
    "X-Geometry-Unit": {"description": "The unit of an STL that was made of a GLB.", "schema": _TEXT},
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
_LIMITS = dict(
    zip(
        rate_limit.HEADERS,
        (
            "Calls of the limit with the fewest calls left: the user's of the hour, or the operation's own.",
            "Calls of it that are left.",
            "Unix seconds when the next call becomes free.",
            "Seconds until then; 0 while calls are left.",
        ),
        strict=True,
    )
)
_SURE, _UNSURE = "", "-Perhaps"
COMPONENTS |= {
    name + sure: {"description": text, "required": sure == _SURE, "schema": _SECONDS}
    for name, text in _LIMITS.items()
    for sure in (_SURE, _UNSURE)
}
_OF_READS: Mapping[str, tuple[str, Schema]] = {
    "If-None-Match": (
        "ETags that the caller has, or `*`: when the answer has one of them, it is a 304 without a body.",
        _TEXT,
    ),
    "If-Match": ("ETags, or `*`: when the answer has none of them, it is refused (412).", _TEXT),
}
_OF_WRITES: Mapping[str, tuple[str, Schema]] = {
    "If-Match": (
        "The ETag of the object as the caller knows it, or `*`: when the object is not so any more, nothing is done (412).",
        {"type": "string", "pattern": conditions.TAGS, "maxLength": conditions.MAX_LENGTH},
    ),
}
_BEFORE_COUNTED = (401,)
_PERHAPS_COUNTED = (403, 408, 410, 500, 501, 503, 504)
"""Statuses of refusals both before and after the call is counted."""


def conditions_of(route: Route) -> list[dict[str, Any]]:
    """Return the parameters of conditional requests to the route."""
    told = _OF_READS if route.has_etag else _OF_WRITES
    return [
        {"name": name, "in": "header", "required": False, "description": text, "schema": schema, "example": "*"}
        for name in conditions.taken(route)
        for text, schema in (told[name],)
    ]


def of_not_modified(route: Route) -> dict[str, Any]:
    """Return references to the headers of the route's 304."""
    names = ["X-Request-Id", "Cache-Control", "Vary", "ETag"]
    if route.rpc.options.stage in (options_pb2.STAGE_ALPHA, options_pb2.STAGE_BETA):
        names.append("X-API-Stage")
    return _references(names) | ({} if route.public else _limits(_SURE))


def of_success(route: Route, status: int) -> dict[str, Any]:
    """Return references to the headers of a success of the route."""
    return _references(headers.of_success(route, status)) | ({} if route.public else _limits(_SURE))


def of_refusal(status: int, *, public: bool, is_kept: bool) -> dict[str, Any]:
    """Return references to the headers of a refusal with the status.

    `public`: the route needs no credentials. `is_kept`: a repeated request may get the same refusal again.
    """
    kept = [REPLAYED.title()] if is_kept else []
    counted = {} if public or status in _BEFORE_COUNTED else _limits(_UNSURE if status in _PERHAPS_COUNTED else _SURE)
    return _references([*headers.of_refusal(status), *kept]) | counted


def _limits(sure: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}{sure}"} for name in _LIMITS}


def _references(names: list[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
