"""What a servicer raises, and its one translation into a gRPC status.

The catalogue of reasons is `catenary/errors/v1/reason.proto`; the shapes are those of google.rpc (error_details.proto).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import grpc
import orjson
from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2

from catenary.errors.v1 import reason_pb2

DOMAIN = "catenary"
STATUS_METADATA = "grpc-status-details-bin"
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
    """One rule that a request breaks.

    `field` is the JSON path of the value (`entries[0].values`), `constraint` the rule's name in lower snake case.
    """

    field: str
    message: str
    constraint: str = "invalid"


class DomainError(Exception):
    """A refusal with a reason of the catalogue.

    `message` is a sentence for people: it names the field, the value's problem and the way out, and shows neither
    internals, secrets nor a person's data. `details` go to the platform's `error.details`.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        details: Mapping[str, Any] | None = None,
        violations: Sequence[Violation] = (),
        retry_after: float | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        if reason not in _GRPC_CODE:
            raise ValueError(f"{reason} is not a reason of the catalogue")
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.details = dict(details or {})
        self.violations = tuple(violations)
        self.retry_after = retry_after
        self.metadata = dict(metadata or {})


def invalid(field: str, message: str, *, value: Any = None, constraint: str = "invalid") -> DomainError:
    """VALIDATION_ERROR for one field; `value` is shortened to 200 characters of JSON."""
    return DomainError(
        "VALIDATION_ERROR",
        message,
        details={"parameter": field, "value": shortened(value), "constraint": constraint},
        violations=[Violation(field, message, constraint)],
    )


def not_found(what: str) -> DomainError:
    """NOT_FOUND, the same for what doesn't exist and what the caller may not see."""
    return DomainError("NOT_FOUND", f"There is no such {what}, or you may not see it.")


def shortened(value: Any) -> Any:
    """The value itself, or the first 200 characters of its JSON when it is longer."""
    text = orjson.dumps(value, default=str)
    return value if len(text) <= 200 else text[:200].decode(errors="ignore") + "…"


class CallError(grpc.RpcError):
    """A failed call, in the form in which gRPC's own client gives it, so that a local caller reads it the same way.

    `metadata` is trailing metadata beside the status.
    """

    def __init__(self, status: status_pb2.Status, metadata: Mapping[str, str] | None = None) -> None:
        super().__init__(status.message)
        self.status = status
        self.metadata = dict(metadata or {})

    def code(self) -> grpc.StatusCode:
        """The gRPC status code."""
        return _CODES[self.status.code]

    def details(self) -> str:
        """The sentence for people."""
        return str(self.status.message)

    def trailing_metadata(self) -> Any:
        """The status, as grpcio-status reads it, and what goes beside it."""
        return ((STATUS_METADATA, self.status.SerializeToString()), *self.metadata.items())


def to_call_error(error: DomainError, request_id: str) -> CallError:
    """The one translation of a domain error."""
    info = error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN)
    for key, value in error.details.items():
        info.metadata[key] = orjson.dumps(value, default=str).decode()
    for key, text in error.metadata.items():
        info.metadata[key] = text
    details = [info]
    if error.violations:
        bad = error_details_pb2.BadRequest()
        for violation in error.violations:
            bad.field_violations.add(
                field=violation.field, description=violation.message, reason=violation.constraint.upper()
            )
        details.append(bad)
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
    """The status of a request: its RequestInfo names it, in place of another one."""
    found = status_pb2.Status(code=status.code, message=status.message)
    found.details.extend(one for one in status.details if not one.Is(error_details_pb2.RequestInfo.DESCRIPTOR))
    found.details.add().Pack(error_details_pb2.RequestInfo(request_id=request_id))
    return found


def http_status(reason: str) -> int:
    """The HTTP status of a reason."""
    return int(_OPTIONS[reason].http)


def internal(request_id: str) -> CallError:
    """What a caller sees of an unexpected fault: the request id, by which the log has the rest."""
    return to_call_error(
        DomainError("INTERNAL_ERROR", f"The server failed; its log has the cause under request {request_id}."),
        request_id,
    )
