"""Which fields a PATCH changes."""

from __future__ import annotations

import pytest
from google.protobuf.field_mask_pb2 import FieldMask

from catenary.platform.v1.client_service_pb2 import GetClientRequest, UpdateClientRequest
from catenary.platform.v1.user_service_pb2 import UpdateUserRequest
from catenary_core.call.errors import DomainError
from catenary_core.call.field_masks import changed_fields
from catenary_core.call.validation import check

_ID = "0199aaaa-0000-7000-8000-000000000000"


def test_without_a_mask_the_set_fields_count_even_when_they_are_empty() -> None:
    assert changed_fields(UpdateUserRequest(user_id=_ID)) == set()
    assert changed_fields(UpdateUserRequest(user_id=_ID, admin=False, location_name="")) == {"admin", "location_name"}


def test_a_mask_counts_alone_and_names_what_to_clear() -> None:
    request = UpdateUserRequest(user_id=_ID, admin=True, update_mask=FieldMask(paths=["grade_level"]))
    assert changed_fields(request) == {"grade_level"}


@pytest.mark.parametrize("path", ["user_id", "update_mask", "created_at", "gradeLevel", "grade_level.x", "", "*"])
def test_a_path_that_can_t_be_changed_is_refused_with_those_that_can(path: str) -> None:
    with pytest.raises(DomainError) as refused:
        changed_fields(UpdateUserRequest(user_id=_ID, update_mask=FieldMask(paths=["admin", path])))
    assert refused.value.reason == "VALIDATION_ERROR"
    assert refused.value.details == {"parameter": "update_mask", "value": path, "constraint": "known"}
    assert "grade_level" in refused.value.message


def test_what_has_no_empty_state_can_t_be_cleared() -> None:
    check(UpdateClientRequest(client_id=_ID, name="x", update_mask=FieldMask(paths=["name"])))
    request = UpdateClientRequest(client_id=_ID, name="x", update_mask=FieldMask(paths=["name", "admin", "disabled"]))
    with pytest.raises(DomainError, match="admin can't be null") as refused:
        check(request)
    assert [one.field for one in refused.value.violations] == ["admin", "disabled"], "all stand in one refusal"


def test_a_request_without_a_mask_has_nothing_to_check() -> None:
    check(GetClientRequest(client_id=_ID))
