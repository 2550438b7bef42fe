"""Bodies of the surfaces."""

from __future__ import annotations

import orjson
import pytest

from catenary.options.v1 import options_pb2
from catenary_edge.errors.problem import Problem, refusal
from catenary_edge.surfaces import Context, kind_of
from catenary_edge.surfaces.bare import Bare, OAuth
from catenary_edge.surfaces.data import Data
from catenary_edge.surfaces.platform import Platform

CONTEXT = Context("req-1", "https://catenary.example")


@pytest.mark.parametrize(
    ("path", "kind", "version"),
    [
        ("/v1/projects", options_pb2.SURFACE_PLATFORM, "v1"),
        ("/v2", options_pb2.SURFACE_PLATFORM, "v2"),
        ("/comments/v2/nothing", options_pb2.SURFACE_COMMENTS, "v2"),
        ("/comments/v1", options_pb2.SURFACE_COMMENTS, "v1"),
        ("/reference/v2/sources", options_pb2.SURFACE_REFERENCE, "v2"),
        ("/qa/v2/records", options_pb2.SURFACE_QA, "v2"),
        ("/environment/v0/x", options_pb2.SURFACE_ENVIRONMENT, "v0"),
        ("/parameter/v1/assets", options_pb2.SURFACE_PARAMETER, "v1"),
        ("/metadata/v1/tags", options_pb2.SURFACE_METADATA, "v1"),
        ("/comments", options_pb2.SURFACE_PLATFORM, "v1"),
        ("/comments/x", options_pb2.SURFACE_PLATFORM, "v1"),
        ("/comments/v2x", options_pb2.SURFACE_PLATFORM, "v1"),
        ("/commentsv2/v2/", options_pb2.SURFACE_PLATFORM, "v1"),
        ("/", options_pb2.SURFACE_PLATFORM, "v1"),
    ],
)
def test_a_path_belongs_to_a_surface(path: str, kind: int, version: str) -> None:
    assert kind_of(path) == (kind, version)


def test_the_platform_envelope_of_one_and_of_a_list() -> None:
    one = orjson.loads(Platform("v1").success(b'{"a":1}', None, False, CONTEXT))
    assert list(one) == ["success", "data", "metadata"]
    assert one["success"] is True
    assert one["data"] == {"a": 1}
    assert list(one["metadata"]) == ["timestamp", "version", "requestId"]
    assert (one["metadata"]["version"], one["metadata"]["requestId"]) == ("v1", "req-1")
    assert one["metadata"]["timestamp"].endswith("Z")
    for cursor in (None, 'a"b'):
        many = orjson.loads(Platform("v2").success(b'{"as":[]}', cursor, True, CONTEXT))
        assert many["metadata"]["next_cursor"] == cursor


def test_the_platform_error_has_a_code_details_and_its_page() -> None:
    body = orjson.loads(Platform("v1").error(refusal("NOT_FOUND", "No such thing.", parameter="id"), CONTEXT))
    assert body["success"] is False
    assert body["error"] == {
        "code": "NOT_FOUND",
        "message": "No such thing.",
        "details": {"parameter": "id"},
        "documentation_url": "https://catenary.example/docs/errors/NOT_FOUND",
    }
    assert list(body["metadata"]) == ["timestamp", "requestId"]
    without = orjson.loads(Platform("v1").error(refusal("NOT_FOUND", "x"), Context("r", "")))
    assert "documentation_url" not in without["error"]


def test_a_data_service_answers_bare_and_fails_with_two_texts() -> None:
    assert Data().success(b'{"a":1}', None, True, CONTEXT) == b'{"a":1}'
    problem = refusal("VALIDATION_ERROR", "name must be a string.")
    assert orjson.loads(Data().error(problem, CONTEXT)) == {
        "details": "name must be a string.",
        "msg": "Validation error",
    }


def test_a_bare_answer_fails_as_its_surface() -> None:
    assert Bare(Data()).success(b"{}", None, False, CONTEXT) == b"{}"
    assert b'"msg"' in Bare(Data()).error(refusal("NOT_FOUND", "x"), CONTEXT)


@pytest.mark.parametrize(
    ("problem", "code"),
    [
        (refusal("INVALID_CLIENT", "x"), "invalid_client"),
        (refusal("VALIDATION_ERROR", "x"), "invalid_request"),
        (refusal("UNSUPPORTED_MEDIA_TYPE", "x"), "invalid_request"),
        (Problem(400, "VALIDATION_ERROR", "x", oauth_error="unsupported_grant_type"), "unsupported_grant_type"),
        (refusal("RATE_LIMIT_EXCEEDED", "x"), "temporarily_unavailable"),
        (refusal("INTERNAL_ERROR", "x"), "server_error"),
    ],
)
def test_an_oauth_error_has_the_code_of_the_rfc(problem: Problem, code: str) -> None:
    assert orjson.loads(OAuth().error(problem, CONTEXT))["error"] == code


def test_an_oauth_description_has_allowed_characters_only() -> None:
    body = orjson.loads(OAuth().error(refusal("VALIDATION_ERROR", 'a "b\\ \u00e4\n'), CONTEXT))
    assert body["error_description"] == "a 'b' ''"
