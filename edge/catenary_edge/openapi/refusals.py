"""The possible refusals of an operation and their bodies (guide/conventions.md, "Order of refusals" and "Errors")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from catenary.options.v1 import options_pb2
from catenary_edge import surfaces
from catenary_edge.errors import reasons
from catenary_edge.errors.reasons import Reason
from catenary_edge.http import idempotency
from catenary_edge.openapi import headers
from catenary_edge.openapi.schemas import Schemas
from catenary_edge.transcoding import schema as rules
from catenary_edge.transcoding.routes import Route
from catenary_edge.transcoding.schema import Schema

_CODE = re.compile(r"\b[A-Z][A-Z_]+\b")
_OAUTH_CODES = (
    "invalid_request",
    "invalid_client",
    "unsupported_grant_type",
    "invalid_scope",
    "temporarily_unavailable",
    "server_error",
)
_LATE_BODY = 408
_DETAILS: Schema = {
    "type": "object",
    "description": "What is known of the fault; a reason may have further keys.",
    "additionalProperties": True,
    "properties": {
        "parameter": {
            "type": "string",
            "description": "Name of the model parameter, elsewhere the JSON path of the value.",
        },
        "value": {"description": "The value, shortened; never a secret."},
        "constraint": {"type": "string", "description": "The rule that it breaks."},
        "min": {"description": "Least value that is taken."},
        "max": {"description": "Largest value that is taken."},
        "violations": {
            "type": "array",
            "description": "Every fault that was found.",
            "items": {
                "type": "object",
                "properties": {
                    "parameter": {"type": "string"},
                    "message": {"type": "string"},
                    "constraint": {"type": "string"},
                },
                "required": ["parameter", "message", "constraint"],
            },
        },
    },
}


def of_route(route: Route, comments: Mapping[str, str]) -> list[Reason]:
    """List the reasons of a route's refusals: of the pipeline, of the method's kind, and those named in comments."""
    codes = {"VALIDATION_ERROR", "HTTPS_REQUIRED", "INTERNAL_ERROR", "UNAVAILABLE", "TIMEOUT"}
    if not route.public:
        codes |= {
            "AUTHENTICATION_REQUIRED",
            "INVALID_TOKEN",
            "TOKEN_EXPIRED",
            "PERMISSION_DENIED",
            "RATE_LIMIT_EXCEEDED",
        }
        fields = route.rpc.input.fields_by_name
        if route.template.variables or any(rules.is_required(fields[name]) for name in route.decoder.query_fields):
            codes.add("NOT_FOUND")  # the request names an object
        if route.method != "GET":
            codes.add("CONFLICT")
    if idempotency.takes_key(route):
        codes |= idempotency.REASONS
    if route.oauth:
        codes |= {"INVALID_CLIENT", "RATE_LIMIT_EXCEEDED"}
    if route.has_etag or route.takes_if_match:
        codes.add("PRECONDITION_FAILED")
    if takes_body(route):
        codes |= {"PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"}
    if "Range" in route.decoder.headers.values():
        codes.add("RANGE_NOT_SATISFIABLE")
    if route.rpc.options.limit in (options_pb2.LIMIT_EVALUATION, options_pb2.LIMIT_BULK):
        codes.add("QUOTA_EXCEEDED")
    for text in _comments(route, comments):
        codes.update(_CODE.findall(text))
    return [reason for code, reason in reasons.CATALOGUE.items() if code in codes]


def takes_body(route: Route) -> bool:
    """Tell whether requests to the route may have a body with fields."""
    return bool(route.decoder.body_fields)


def _comments(route: Route, comments: Mapping[str, str]) -> Iterable[str]:
    service, _, method = route.rpc.path[1:].partition("/")
    yield comments.get(service, "")
    yield comments.get(f"{service}.{method}", "")
    for field in route.rpc.input.fields:
        yield comments.get(field.full_name, "")


class Refusals:
    """The error schemas and responses of one document, for references in its operations."""

    def __init__(self, kind: int, schemas: Schemas) -> None:
        self.components: dict[str, Any] = {}
        self._is_platform = kind == options_pb2.SURFACE_PLATFORM
        self._error = schemas.add("Error", _platform_error() if self._is_platform else _data_error())
        self._schemas = schemas

    def responses(self, route: Route, found: Iterable[Reason]) -> dict[str, Any]:
        """Return the error responses of a route by status."""
        by_status: dict[int, list[Reason]] = {}
        for reason in found:
            by_status.setdefault(reason.http, []).append(reason)
        if takes_body(route):
            by_status[_LATE_BODY] = [reasons.CATALOGUE["TIMEOUT"]]
        return {str(status): self._response(status, by_status[status], route) for status in sorted(by_status)}

    def alone(self, code: str, route: Route) -> dict[str, Any]:
        """Return the error response of one reason by its status."""
        reason = reasons.CATALOGUE[code]
        return {str(reason.http): self._response(reason.http, [reason], route)}

    def _response(self, status: int, found: list[Reason], route: Route) -> Schema:
        codes = [reason.code for reason in found]
        is_kept = idempotency.takes_key(route) and status < 500 and status not in idempotency.NOT_STORED
        kinds = [
            kind for kind, holds in (("OAuth", route.oauth), ("Public", route.public), ("Repeatable", is_kept)) if holds
        ]
        name = "-".join([str(status), *codes, *kinds])
        if name not in self.components:
            schema = self._error
            if route.oauth:
                schema = {"anyOf": [schema, self._schemas.add("OAuthError", _oauth_error())]}
            self.components[name] = {
                "description": "\n".join(f"- `{reason.code}`: {reason.title}. {reason.help}" for reason in found),
                "headers": headers.of_refusal(status, public=route.public, is_kept=is_kept),
                "content": {
                    surfaces.JSON_TYPE: {
                        "schema": schema,
                        "examples": {reason.code: {"value": self._example(reason)} for reason in found},
                    }
                },
            }
        return {"$ref": f"#/components/responses/{name}"}

    def _example(self, reason: Reason) -> dict[str, Any]:
        return example(reason, is_platform=self._is_platform)


def example(reason: Reason, *, is_platform: bool, base_url: str = "https://catenary.example") -> dict[str, Any]:
    """Build an example body of a refusal, in the form of the platform or of the data services."""
    details: dict[str, Any] = {}
    message = f"{reason.title}."
    if reason.code in ("VALIDATION_ERROR", "PARAMETER_OUT_OF_RANGE"):
        details = {"parameter": "span", "value": 70, "constraint": "max", "min": 5, "max": 60}
        message = "span must be from 5 to 60."
    if not is_platform:
        return {"details": message, "msg": reason.title}
    return {
        "success": False,
        "error": {
            "code": reason.code,
            "message": message,
            "details": details,
            "documentation_url": f"{base_url}/docs/errors/{reason.code}",
        },
        "metadata": {"timestamp": "2030-01-31T12:00:00Z", "requestId": "01926c1e-0000-7000-8000-000000000001"},
    }


def _platform_error() -> Schema:
    return {
        "type": "object",
        "description": "A refusal or failure.",
        "properties": {
            "success": {"type": "boolean", "const": False},
            "error": {
                "type": "object",
                "properties": {
                    "code": {"type": "string", "enum": list(reasons.CATALOGUE), "description": "Why."},
                    "message": {"type": "string", "description": "A sentence for people."},
                    "details": _DETAILS,
                    "documentation_url": {
                        "type": "string",
                        "format": "uri",
                        "description": "The page about the code; absent when the request had no usable Host.",
                    },
                },
                "required": ["code", "message", "details"],
                "additionalProperties": False,
            },
            "metadata": {
                "type": "object",
                "properties": {
                    "timestamp": {"type": "string", "format": "date-time"},
                    "requestId": {"type": "string", "description": "As the header X-Request-Id."},
                },
                "required": ["timestamp", "requestId"],
                "additionalProperties": False,
            },
        },
        "required": ["success", "error", "metadata"],
        "additionalProperties": False,
    }


def _data_error() -> Schema:
    return {
        "type": "object",
        "description": "A refusal or failure.",
        "properties": {
            "details": {"type": "string", "description": "A sentence for people; of several faults, up to 100 lines."},
            "msg": {"type": "string", "description": "A short text."},
        },
        "required": ["details", "msg"],
        "additionalProperties": False,
    }


def _oauth_error() -> Schema:
    return {
        "type": "object",
        "description": "The answer to a form or Basic request (RFC 6749, section 5.2).",
        "properties": {
            "error": {"type": "string", "enum": list(_OAUTH_CODES)},
            "error_description": {"type": "string"},
        },
        "required": ["error", "error_description"],
        "additionalProperties": False,
    }
