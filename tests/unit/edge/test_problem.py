"""From a gRPC status to a refusal."""

from __future__ import annotations

import grpc
import pytest

from catenary_edge.errors.problem import from_rpc_error
from catenary_edge.errors.reasons import CATALOGUE
from fixtures.edge.stand_in import Refusal

Code = grpc.StatusCode


@pytest.mark.parametrize(
    ("code", "status", "reason"),
    [
        (Code.INVALID_ARGUMENT, 400, "VALIDATION_ERROR"),
        (Code.FAILED_PRECONDITION, 400, "VALIDATION_ERROR"),
        (Code.OUT_OF_RANGE, 400, "VALIDATION_ERROR"),
        (Code.UNAUTHENTICATED, 401, "AUTHENTICATION_REQUIRED"),
        (Code.PERMISSION_DENIED, 403, "PERMISSION_DENIED"),
        (Code.NOT_FOUND, 404, "NOT_FOUND"),
        (Code.ALREADY_EXISTS, 409, "CONFLICT"),
        (Code.ABORTED, 409, "CONFLICT"),
        (Code.RESOURCE_EXHAUSTED, 429, "RATE_LIMIT_EXCEEDED"),
        (Code.CANCELLED, 499, "TIMEOUT"),
        (Code.UNIMPLEMENTED, 501, "NOT_IMPLEMENTED"),
        (Code.UNAVAILABLE, 503, "UNAVAILABLE"),
        (Code.DEADLINE_EXCEEDED, 504, "TIMEOUT"),
        (Code.INTERNAL, 500, "INTERNAL_ERROR"),
        (Code.UNKNOWN, 500, "INTERNAL_ERROR"),
        (Code.DATA_LOSS, 500, "INTERNAL_ERROR"),
    ],
)
def test_a_status_without_our_reason_shows_nothing_of_its_text(code: Code, status: int, reason: str) -> None:
    problem = from_rpc_error(Refusal(code, "failed to connect to ipv4:10.0.0.7:50051 password=hunter2"))
    assert (problem.status, problem.reason, problem.details) == (status, reason, {})
    assert "10.0.0.7" not in problem.message
    assert problem.headers == ({"Retry-After": "1"} if status == 503 else {})


@pytest.mark.parametrize(("reason", "status"), [(reason.code, reason.http) for reason in CATALOGUE.values()])
def test_the_status_of_a_reason_wins_over_that_of_the_code(reason: str, status: int) -> None:
    problem = from_rpc_error(Refusal(Code.FAILED_PRECONDITION, "A sentence.", reason))
    assert (problem.status, problem.reason) == (status, reason)
    assert (problem.message == "A sentence.") == (status != 500)


def test_a_reason_that_is_not_in_the_catalogue_has_the_status_of_its_code() -> None:
    assert from_rpc_error(Refusal(Code.NOT_FOUND, "Gone fishing.", "NEW_REASON")).status == 404
    problem = from_rpc_error(Refusal(Code.INTERNAL, "stack of the core", "NEW_REASON"))
    assert (problem.status, problem.reason) == (500, "INTERNAL_ERROR")
    assert "stack" not in problem.message
    assert from_rpc_error(Refusal(Code.NOT_FOUND, "x", "not a reason")).message != "x"


def test_metadata_becomes_details_as_json() -> None:
    metadata = {
        "parameter": '"parameters.span"',
        "value": "70",
        "min": "5",
        "max": "60.0",
        "oauth_error": "invalid_scope",
    }
    problem = from_rpc_error(
        Refusal(Code.OUT_OF_RANGE, "span is over 60 m.", "PARAMETER_OUT_OF_RANGE", metadata=metadata)
    )
    assert problem.details == {"parameter": "parameters.span", "value": 70, "min": 5, "max": 60.0}
    assert problem.oauth_error == "invalid_scope"


def test_violations_stand_in_the_details_and_the_first_fills_them() -> None:
    violations = (("name", "must not be empty", "STRING_MIN_LEN"), ("entries[0].values", "too many", "MAX_ITEMS"))
    problem = from_rpc_error(Refusal(Code.INVALID_ARGUMENT, "Two faults.", "VALIDATION_ERROR", violations=violations))
    assert problem.details == {
        "parameter": "name",
        "constraint": "string_min_len",
        "violations": [
            {"parameter": "name", "message": "must not be empty", "constraint": "string_min_len"},
            {"parameter": "entries[0].values", "message": "too many", "constraint": "max_items"},
        ],
    }


@pytest.mark.parametrize(("seconds", "text"), [(0.0, "0"), (0.2, "1"), (7.0, "7"), (7.001, "8")])
def test_retry_info_becomes_retry_after_in_whole_seconds(seconds: float, text: str) -> None:
    problem = from_rpc_error(Refusal(Code.RESOURCE_EXHAUSTED, "Slow down.", "RATE_LIMIT_EXCEEDED", retry_after=seconds))
    assert problem.headers == {"Retry-After": text}


def test_a_trailing_status_that_contradicts_the_code_is_not_believed() -> None:
    error = Refusal(Code.NOT_FOUND, "inner text", "NOT_FOUND")
    error._code = Code.INTERNAL
    problem = from_rpc_error(error)
    assert (problem.status, problem.reason) == (500, "INTERNAL_ERROR")
