"""The one form of every refusal in the edge, and its translation from a gRPC status (guide/conventions.md, "Errors").

Routing, parsing, credentials, limits, deadlines and the core all refuse by raising a `Problem`; a surface makes its
body. A failure not known to be meant for callers becomes INTERNAL_ERROR without its text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import grpc
import orjson
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from catenary.errors.v1 import sentence_pb2
from catenary_edge.errors.reasons import CATALOGUE
from catenary_wire import sentences
from catenary_wire.sentences import Sentence

DOMAIN = "catenary"
REPLAYED = "idempotency-replayed"
"""Response metadata of a POST answered with the stored response of an earlier request with the same Idempotency-Key."""

# Status, reason and text for a gRPC status without our ErrorInfo. The text of such a status is meant for programmers (a
# channel's addresses, an exception), so callers never see it.
_CODES: Mapping[grpc.StatusCode, tuple[int, str, str]] = {
    grpc.StatusCode.INVALID_ARGUMENT: (400, "VALIDATION_ERROR", "The request is not valid."),
    grpc.StatusCode.FAILED_PRECONDITION: (400, "VALIDATION_ERROR", "The request is not valid now."),
    grpc.StatusCode.OUT_OF_RANGE: (400, "VALIDATION_ERROR", "A value of the request is out of range."),
    grpc.StatusCode.UNAUTHENTICATED: (401, "AUTHENTICATION_REQUIRED", "Valid credentials are needed."),
    grpc.StatusCode.PERMISSION_DENIED: (403, "PERMISSION_DENIED", "The caller may not do this."),
    grpc.StatusCode.NOT_FOUND: (404, "NOT_FOUND", "There is no such thing."),
    grpc.StatusCode.ALREADY_EXISTS: (409, "CONFLICT", "There is such a thing already."),
    grpc.StatusCode.ABORTED: (409, "CONFLICT", "Another change came first; try again."),
    grpc.StatusCode.RESOURCE_EXHAUSTED: (429, "RATE_LIMIT_EXCEEDED", "Too many requests; try again later."),
    grpc.StatusCode.CANCELLED: (499, "TIMEOUT", "The request was cancelled."),
    grpc.StatusCode.UNIMPLEMENTED: (501, "NOT_IMPLEMENTED", "This is not implemented."),
    grpc.StatusCode.UNAVAILABLE: (503, "UNAVAILABLE", "The service can't be reached now; try again."),
    grpc.StatusCode.DEADLINE_EXCEEDED: (504, "TIMEOUT", "The service took too long to answer."),
}
_INTERNAL = (500, "INTERNAL_ERROR", "Something went wrong on our side. The request id helps us to find it.")
_REASON = re.compile(r"[A-Z][A-Z0-9_]{0,62}")


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A violation: the JSON path of a field, what is wrong with its value, and the rule's name in lower snake case."""

    field: str
    sentence: Sentence
    constraint: str


class Problem(Exception):  # noqa: N818 - a word of the field
    """A refusal: HTTP status, reason (error code), a sentence for people, details, and response headers.

    `facts` are the details without the violations. `oauth_error` is the code of RFC 6749, section 5.2, if the core gave one.
    The texts are made when they are read, since an older version first puts its names into them (`errors.names`).
    """

    def __init__(
        self,
        status: int,
        reason: str,
        message: str | Sentence,
        details: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        oauth_error: str | None = None,
        violations: Sequence[BrokenRule] = (),
    ) -> None:
        self.sentence = sentences.as_sentence(message)
        super().__init__(self.message)
        self.status = status
        self.reason = reason
        self.facts = details or {}
        self.headers = headers or {}
        self.oauth_error = oauth_error
        self.violations = tuple(violations)

    @property
    def message(self) -> str:
        """The sentence for people."""
        return str(self.sentence)

    @property
    def details(self) -> dict[str, Any]:
        """The details, with every violation that is known."""
        if not self.violations:
            return self.facts
        told = [
            {"parameter": rule.field, "message": str(rule.sentence), "constraint": rule.constraint}
            for rule in self.violations
        ]
        return {**self.facts, "violations": told}


def refusal(reason: str, message: str, **details: Any) -> Problem:
    """Build a problem with the status of its reason."""
    return Problem(CATALOGUE[reason].http, reason, message, details)


def internal_error() -> Problem:
    """Build the problem of an unexpected exception, without any detail of the exception."""
    return Problem(*_INTERNAL)


def from_rpc_error(error: grpc.RpcError) -> Problem:
    """Translate the failure of a call, in the same process or over a channel alike."""
    code = error.code()
    try:
        status = rpc_status.from_call(error)  # type: ignore[arg-type]  # an RpcError of a call is a Call
    except ValueError:  # the trailing status contradicts the code, so the core did not write it
        status = None
    info = error_details_pb2.ErrorInfo()
    bad = error_details_pb2.BadRequest()
    told = sentence_pb2.Sentence()
    all_told = sentence_pb2.Sentences()
    headers: dict[str, str] = {}
    for detail in status.details if status is not None else ():
        if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            found = error_details_pb2.ErrorInfo()
            detail.Unpack(found)
            if found.domain == DOMAIN:
                info = found
        elif detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            detail.Unpack(bad)
        elif detail.Is(sentence_pb2.Sentence.DESCRIPTOR):
            detail.Unpack(told)
        elif detail.Is(sentence_pb2.Sentences.DESCRIPTOR):
            detail.Unpack(all_told)
        elif detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
            retry = error_details_pb2.RetryInfo()
            detail.Unpack(retry)
            wait = retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9
            headers["Retry-After"] = str(max(0, math.ceil(wait)))

    by_code = _CODES.get(code, _INTERNAL)
    if status is None or not _REASON.fullmatch(info.reason):
        problem = Problem(*by_code)
    else:
        known = CATALOGUE.get(info.reason)
        http_status = known.http if known is not None else by_code[0]
        problem = internal_error()
        if http_status != 500:
            problem = Problem(http_status, info.reason, _sentence(told, status.message), _details(info.metadata))
            problem.oauth_error = info.metadata.get("oauth_error")
    if bad.field_violations and problem.status != 500:
        problem.violations = _broken_rules(bad, all_told, problem)
        first = {"parameter": problem.violations[0].field, "constraint": problem.violations[0].constraint}
        problem.facts = {**{key: value for key, value in first.items() if value}, **problem.facts}
    problem.headers = headers
    trailing: Any = error.trailing_metadata() or ()
    if any(key == REPLAYED for key, _ in trailing):
        problem.headers[REPLAYED.title()] = "true"
    if problem.status == 503:
        problem.headers.setdefault("Retry-After", "1")
    return problem


def _sentence(told: sentence_pb2.Sentence, message: str) -> Sentence:
    """Return the sentence of a status as a template; without a template that this release can fill in, as text."""
    found = sentences.from_message(told)
    try:
        return found if str(found) else Sentence(message)
    except (KeyError, IndexError, ValueError):  # of a core of another release
        return Sentence(message)


def _broken_rules(
    bad: error_details_pb2.BadRequest, told: sentence_pb2.Sentences, problem: Problem
) -> tuple[BrokenRule, ...]:
    """Return the violations of a status; one without a template that this release can fill in has its text."""
    templates = dict(enumerate(told.sentences))
    found = []
    for place, one in enumerate(bad.field_violations):
        sentence = _sentence(templates.get(place, sentence_pb2.Sentence()), one.description)
        if one.description == problem.message:
            sentence = problem.sentence
        found.append(BrokenRule(one.field, sentence, one.reason.lower()))
    return tuple(found)


def _details(metadata: Mapping[str, str]) -> dict[str, Any]:
    """Parse the details in ErrorInfo metadata, JSON texts by key; `oauth_error` is for the OAuth body only."""
    details: dict[str, Any] = {}
    for key in sorted(metadata):
        if key == "oauth_error":
            continue
        try:
            details[key] = orjson.loads(metadata[key])
        except orjson.JSONDecodeError:
            details[key] = metadata[key]
    return details
