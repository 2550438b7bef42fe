"""Errors that servicers raise, and their only translation into a gRPC status.

The catalogue of reasons is `catenary/errors/v1/reason.proto`; the details have the types of google.rpc
(error_details.proto).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import grpc
import orjson
from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from catenary.errors.v1 import reason_pb2
from catenary_wire import sentences
from catenary_wire.sentences import Argument, Fields, ResourceName, Sentence

DOMAIN = "catenary"
"""Domain of every ErrorInfo."""
STATUS_METADATA = "grpc-status-details-bin"
"""Key of the trailing metadata with the serialized google.rpc.Status."""
MOST_VIOLATIONS = 100
"""Broken rules that one refusal lists."""
_USER_INFO = re.compile(rb"://[^/?#\s]*@")
_PREFIX = "REASON_"
_CODES = {code.value[0]: code for code in grpc.StatusCode}
_OPTIONS = {
    value.name.removeprefix(_PREFIX): value.GetOptions().Extensions[reason_pb2.reason]
    for value in reason_pb2.Reason.DESCRIPTOR.values
    if value.number
}
_GRPC_CODE = {reason: options.grpc for reason, options in _OPTIONS.items()}


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule that a request breaks."""

    field: str
    """JSON path of the value, such as `entries[0].values`."""
    sentence: Sentence
    constraint: str = "invalid"
    """Name of the rule, in lower snake case."""

    @property
    def message(self) -> str:
        """The sentence for people."""
        return str(self.sentence)


class DomainError(Exception):
    """A refusal with a reason of the catalogue."""

    def __init__(
        self,
        reason: str,
        message: str | Sentence,
        *,
        details: Mapping[str, Any] | None = None,
        violations: Sequence[Violation] = (),
        retry_after: float | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        """Make a refusal.

        Args:
            reason: name of the reason, without prefix.
            message: sentence for people: names the field, the problem of its value and the way out; contains neither
                internals, secrets nor personal data. A `Sentence` where it names a field of the request or a resource.
            details: values for the platform's `error.details`.
            violations: all broken rules of the request.
            retry_after: seconds after which the call may be repeated.
            metadata: further entries of ErrorInfo's metadata, as text.

        Raises:
            ValueError: the catalogue lacks the reason.
        """
        if reason not in _GRPC_CODE:
            raise ValueError(f"{reason} is not a reason of the catalogue")
        self.sentence = sentences.as_sentence(message)
        self.message = str(self.sentence)
        super().__init__(self.message)
        self.reason = reason
        self.details = dict(details or {})
        self.violations = tuple(violations)
        self.retry_after = retry_after
        self.metadata = dict(metadata or {})


def invalid(
    field: str, template: str, *, value: Any, constraint: str = "invalid", **arguments: Argument
) -> DomainError:
    """Return a VALIDATION_ERROR for one field.

    Args:
        field: JSON path of the value, which stands in the template as `{field}`.
        template: A literal, with `{name}` for each argument; other fields and resources are named by arguments.
        value: The refused value, shortened to 200 bytes of JSON; None where there is none, and for a secret.
        constraint: The rule's name in lower snake case.
        arguments: The template's arguments by name.
    """
    sentence = Sentence(template, {"field": Fields(field), **arguments})
    return DomainError(
        "VALIDATION_ERROR",
        sentence,
        details={"parameter": field, "value": shortened(value), "constraint": constraint},
        violations=[Violation(field, sentence, constraint)],
    )


def conflict(
    field: str, template: str, *, value: Any, constraint: str = "unique", **arguments: Argument
) -> DomainError:
    """Make the CONFLICT of one field; arguments as of `invalid`, the value as it is."""
    sentence = Sentence(template, {"field": Fields(field), **arguments})
    return DomainError(
        "CONFLICT",
        sentence,
        details={"parameter": field, "value": value, "constraint": constraint},
        violations=[Violation(field, sentence, constraint)],
    )


def not_found(what: str) -> DomainError:
    """Return NOT_FOUND, with the same text for a missing object and for one hidden from the caller."""
    sentence = Sentence("There is no such {resource}, or you may not see it.", {"resource": ResourceName(what)})
    return DomainError("NOT_FOUND", sentence)


def shortened(value: Any) -> Any:
    """Return the value, or the first 200 bytes of its JSON as text if the JSON is longer.

    Return None for a URL with a user name or password.
    """
    text = orjson.dumps(value, default=str)
    if _USER_INFO.search(text):
        return None
    return value if len(text) <= 200 else text[:200].decode(errors="ignore") + "…"


class CallError(grpc.RpcError):
    """A failed call in the form of gRPC's own client, so local and remote callers handle the same exception."""

    def __init__(self, status: status_pb2.Status, metadata: Mapping[str, str] | None = None) -> None:
        """Wrap a status.

        Args:
            status: the status with its details.
            metadata: trailing metadata beside the status.
        """
        super().__init__(status.message)
        self.status = status
        self.metadata = dict(metadata or {})

    def code(self) -> grpc.StatusCode:
        """Return the gRPC status code."""
        return _CODES[self.status.code]

    def details(self) -> str:
        """Return the sentence for people."""
        return str(self.status.message)

    def trailing_metadata(self) -> Any:
        """Return the serialized status, as grpcio-status reads it, followed by the other trailing metadata."""
        return ((STATUS_METADATA, self.status.SerializeToString()), *self.metadata.items())


def to_call_error(error: DomainError, request_id: str) -> CallError:
    """Translate a domain error into a status with details; the only such translation."""
    info = error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN)
    for key, value in error.details.items():
        info.metadata[key] = orjson.dumps(value, default=str).decode()
    for key, text in error.metadata.items():
        info.metadata[key] = text
    details: list[Message] = [info]
    if error.violations:
        bad = error_details_pb2.BadRequest()
        for violation in error.violations:
            bad.field_violations.add(
                field=violation.field, description=violation.message, reason=violation.constraint.upper()
            )
        details.append(bad)
    if error.sentence.arguments:
        details.append(sentences.to_message(error.sentence))
    if len(error.violations) > 1:
        details.append(sentences.to_messages(violation.sentence for violation in error.violations))
    if error.retry_after is not None:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(round(error.retry_after * 1000))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    status = status_pb2.Status(code=_GRPC_CODE[error.reason], message=error.message)
    for detail in details:
        packed = any_pb2.Any()
        packed.Pack(detail)
        status.details.append(packed)
    return CallError(with_request_id(status, request_id))


def with_request_id(status: status_pb2.Status, request_id: str) -> status_pb2.Status:
    """Return a copy of the status with this request's RequestInfo, replacing any other."""
    found = status_pb2.Status(code=status.code, message=status.message)
    found.details.extend(one for one in status.details if not one.Is(error_details_pb2.RequestInfo.DESCRIPTOR))
    found.details.add().Pack(error_details_pb2.RequestInfo(request_id=request_id))
    return found


def http_status(reason: str) -> int:
    """Return the HTTP status of a reason."""
    return int(_OPTIONS[reason].http)


def internal(request_id: str) -> CallError:
    """Return the error for an unforeseen failure: it shows only the request id, which finds the cause in the log."""
    return to_call_error(
        DomainError("INTERNAL_ERROR", f"The server failed; its log has the cause under request {request_id}."),
        request_id,
    )
