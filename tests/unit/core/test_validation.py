"""Texts that PostgreSQL can't keep are refused before a servicer sees them."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.message import Message

from catenary.platform.v1 import evaluation_service_pb2, model_service_pb2, project_service_pb2
from catenary_core.errors import DomainError
from catenary_core.validation import check

ID = "0199aaaa-0000-7000-8000-000000000000"


@pytest.mark.parametrize(
    ("request_", "path"),
    [
        (project_service_pb2.CreateProjectRequest(name="a\0b"), "name"),
        (project_service_pb2.ListProjectsRequest(cursor="\0"), "cursor"),
        (model_service_pb2.UpdateParameterRequest(project_id=ID, name="x", default={"text": "\0"}), "default.text"),
        (evaluation_service_pb2.EvaluateRequest(project_id=ID, parameters={"a\0": {"text": "1"}}), "parameters"),
    ],
)
def test_a_text_with_u_0000_is_refused_by_its_field(request_: Message, path: str) -> None:
    with pytest.raises(DomainError) as caught:
        check(request_)
    details: dict[str, Any] = caught.value.details
    assert (details["parameter"], details["constraint"]) == (path, "characters")


def test_bytes_may_hold_zeros() -> None:
    check(model_service_pb2.UploadModelVersionRequest(project_id=ID, model_id=ID, chunk=bytes(8)))
