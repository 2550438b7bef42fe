"""The rules of comments of projects, without a database."""

from __future__ import annotations

from typing import Any

import pytest

from catenary.platform.v1 import role_pb2
from catenary.platform.v1.comment_service_pb2 import CreateCommentRequest
from catenary_core.call.call import Call, Identity
from catenary_core.call.errors import DomainError
from catenary_core.services.comments.discussion import changes, rules

ANN, BOB = "ann", "bob"


def _comment(**given: Any) -> Any:
    author = {"user_id": ANN, "staff_name": "Ann Canary"}
    return {"comment_id": "c", "content": "Canary", "created_by": author, "resolved_by": None, **given}


def _call(user_id: str, role: int = role_pb2.ROLE_EVALUATOR) -> Call:
    return Call("/x", {}, "r", 0.0, identity=Identity(user_id, "person"), role=role)


def test_authors_alone_change_texts_and_editors_delete_all() -> None:
    rules.check_author(_comment(), _call(ANN))
    rules.check_deletion(_comment(), _call(ANN))
    rules.check_deletion(_comment(), _call(BOB, role_pb2.ROLE_EDITOR))
    for check, call in (
        (rules.check_author, _call(BOB, role_pb2.ROLE_OWNER)),
        (rules.check_deletion, _call(BOB)),
    ):
        with pytest.raises(DomainError) as refused:
            check(_comment(), call)
        assert refused.value.reason == "PERMISSION_DENIED"


@pytest.mark.parametrize(
    ("parent", "field"),
    [
        (None, "parent_id"),
        ({"project_id": "other", "parent_id": None, "variant_id": None}, "parent_id"),
        ({"project_id": "p", "parent_id": "first", "variant_id": None}, "parent_id"),
        ({"project_id": "p", "parent_id": None, "variant_id": "other"}, "variant_id"),
    ],
)
def test_a_reply_is_to_the_first_comment_of_its_project_and_variant(parent: Any, field: str) -> None:
    with pytest.raises(DomainError) as refused:
        rules.check_parent(CreateCommentRequest(project_id="p", parent_id="x", variant_id="v"), parent)
    assert refused.value.details["parameter"] == field


def test_the_first_who_is_no_member_is_named_by_its_place() -> None:
    rules.check_mentions([ANN, BOB], {ANN, BOB})
    with pytest.raises(DomainError) as refused:
        rules.check_mentions([ANN, BOB], {ANN})
    assert refused.value.details == {"parameter": "mentions[1]", "value": BOB, "constraint": "unknown"}


def test_an_event_has_no_text_and_of_people_the_ids() -> None:
    data = changes.event_data(_comment(resolved_by={"user_id": BOB, "staff_name": "Bob Canary"}))
    assert "Canary" not in str(data)
    assert data["comment"]["resolved_by"] == {"user_id": BOB}
