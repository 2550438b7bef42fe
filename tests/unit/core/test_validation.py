"""The field rules of requests."""

from __future__ import annotations

import pytest
from google.protobuf.message import Message

from catenary.metadata.v1.tag_link_service_pb2 import PutTagLinksRequest
from catenary.parameter.v1.parameter_service_pb2 import UpdateParameterRequest
from catenary.platform.v1.api_key_service_pb2 import CreateApiKeyRequest
from catenary.platform.v1.auth_service_pb2 import IssueTokenRequest
from catenary.platform.v1.evaluation_service_pb2 import EvaluateRequest
from catenary.platform.v1.model_service_pb2 import UploadModelVersionRequest
from catenary.platform.v1.project_service_pb2 import UpdateProjectRequest
from catenary.platform.v1.user_service_pb2 import UpdateMeRequest, UpdateUserRequest
from catenary.platform.v1.webhook_service_pb2 import CreateWebhookRequest, UpdateWebhookRequest
from catenary_core.call.errors import DomainError
from catenary_core.call.validation import check

_ID = "0199aaaa-0000-7000-8000-000000000000"


def _refusal(request: Message) -> DomainError:
    with pytest.raises(DomainError) as refused:
        check(request)
    assert refused.value.reason == "VALIDATION_ERROR"
    return refused.value


def test_a_text_with_a_null_character_is_refused_wherever_it_stands() -> None:
    evaluate = EvaluateRequest(project_id=_ID)
    evaluate.parameters["span"].text = '"a\0b"'
    key = EvaluateRequest(project_id=_ID)
    key.parameters["a\0b"].text = "1"
    for request, path, value in (
        (UpdateMeRequest(location_name="a\0b"), "location_name", None),
        (CreateApiKeyRequest(name="k", scopes=["platform:read", "\0"]), "scopes[1]", "\0"),
        (evaluate, "parameters.span.text", '"a\0b"'),
        (key, "parameters.ab", None),
    ):
        refused = _refusal(request)
        assert (refused.details["parameter"], refused.details["value"]) == (path, value)


def test_a_null_and_a_too_long_text_are_listed_together() -> None:
    request = UpdateProjectRequest(
        project_id=_ID, description="x" * 10_001, update_mask={"paths": ["name", "description"]}
    )
    assert [one.field for one in _refusal(request).violations] == ["description", "name"]
    assert [one.constraint for one in _refusal(request).violations] == ["max_len", "not_null"]
    request.description = "a\x1b" + "x" * 10_000
    assert [one.constraint for one in _refusal(request).violations] == ["characters", "not_null"]


def test_zero_bytes_outside_of_texts_are_fine() -> None:
    check(UpdateUserRequest(user_id=_ID, admin=False, grade_level=0))


def test_a_broken_rule_names_the_field_and_shows_neither_secrets_nor_a_person_s_data() -> None:
    secret = "s3cret" * 100
    refused = _refusal(IssueTokenRequest(grant_type="client_credentials", client_secret=secret))
    assert (refused.details["parameter"], refused.details["value"]) == ("client_secret", None)
    assert "s3cret" not in str(refused.details) + refused.message
    refused = _refusal(UpdateMeRequest(location_name="Ghent" * 100))
    assert (refused.details["parameter"], refused.details["value"]) == ("location_name", None)
    refused = _refusal(CreateApiKeyRequest(name="k", scopes=["platform:read", "nonsense"]))
    assert (refused.details["parameter"], refused.details["value"]) == ("scopes[1]", "nonsense")


def test_bytes_may_hold_zeros() -> None:
    check(UploadModelVersionRequest(project_id=_ID, model_id=_ID, chunk=bytes(8)))


def test_a_list_is_shown_and_an_address_with_a_password_is_not() -> None:
    refused = _refusal(UpdateParameterRequest(parameter_id=_ID, parent_ids=[_ID, _ID]))
    assert (refused.details["parameter"], refused.details["value"]) == ("parent_ids", [_ID, _ID])
    link = {"tag_id": _ID, "reference_id": _ID, "reference_table": "asset"}
    for url, value in (("ftp://example.com", "ftp://example.com"), ("https://ann:s3cret@example.com", None)):
        refused = _refusal(PutTagLinksRequest(tag_links=[{**link, "reference_url": url}]))
        assert (refused.details["parameter"], refused.details["value"]) == ("tag_links[0].reference_url", value)
    assert "s3cret" not in refused.message


def test_an_empty_field_breaks_one_rule_and_a_refusal_lists_a_hundred() -> None:
    refused = _refusal(PutTagLinksRequest(tag_links=[{"tag_id": _ID, "reference_id": _ID}]))
    assert [one.field for one in refused.violations] == ["tag_links[0].reference_table", "tag_links[0].reference_url"]
    refused = _refusal(PutTagLinksRequest(tag_links=[{}] * 500))
    assert len(refused.violations) == 100
    assert refused.violations[-1].field == "tag_links[24].reference_url"


def test_the_url_of_a_webhook_whose_path_may_be_a_secret_is_not_shown() -> None:
    for request in (CreateWebhookRequest(events=["*"]), UpdateWebhookRequest(webhook_id=_ID)):
        for url in (f"https://hooks.example/s3cret/{'a' * 2048}", "https://hooks.example/s3cret\x1b"):
            request.url = url
            refused = _refusal(request)
            assert (refused.details["parameter"], refused.details["value"]) == ("url", None)
            assert "s3cret" not in refused.message
