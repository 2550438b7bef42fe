"""The sentences about broken field rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.message import Message

from buf.validate import validate_pb2
from catenary.comments.v2.comment_service_pb2 import CreateCommentsRequest, NewComment
from catenary.environment.v2.project_service_pb2 import CreateProjectRequest
from catenary.parameter.v1.entry_service_pb2 import (
    NewEntryValue,
    PutEntriesRequest,
    PutEntry,
    RevisionUpdate,
    UpdateRevisionsRequest,
)
from catenary.parameter.v1.parameter_service_pb2 import ListParametersRequest
from catenary.platform.v1.api_key_service_pb2 import CreateApiKeyRequest
from catenary.platform.v1.project_service_pb2 import PutProjectMemberRequest
from catenary.type.v1.value_pb2 import Value
from catenary_core.call import rule_texts
from catenary_core.call.errors import DomainError
from catenary_core.call.methods import bindings_of, service_descriptors
from catenary_core.call.validation import check

ID = "0199aaaa-0000-7000-8000-000000000000"
UUID = "a UUID, 32 hexadecimal digits in groups of 8-4-4-4-12"
ENTRY = PutEntry(entry_id=ID, parameter_id=ID, source_id=ID, values=[NewEntryValue(value=Value(integer_value=1))])


def entry(**fields: Any) -> PutEntriesRequest:
    made = PutEntry()
    made.CopyFrom(ENTRY)
    for name, value in fields.items():
        made.ClearField(name)
        if value is not None:
            made.MergeFrom(PutEntry(**{name: value}))
    return PutEntriesRequest(entries=[made])


def status(number: int) -> UpdateRevisionsRequest:
    return UpdateRevisionsRequest(revisions=[RevisionUpdate(revision_id=ID, status=number)])


def comment(**fields: Any) -> CreateCommentsRequest:
    whole = {"reference_id": ID, "reference_table": "asset", "reference_url": "https://a.example", "content": "x"}
    return CreateCommentsRequest(comments=[NewComment(**{**whole, **fields})])


STATES = "answered, checked, approved, rejected"
BROKEN: list[tuple[Message, str, str]] = [
    (entry(source_id=None), f"entries[0].source_id is missing; give an id ({UUID}).", "required"),
    (entry(source_id="7"), f"entries[0].source_id must be {UUID}.", "uuid"),
    (entry(values=None), "entries[0].values must have at least 1 item.", "min_items"),
    (entry(values=[NewEntryValue()]), "entries[0].values[0].value is missing; give a value.", "required"),
    (entry(comment="x" * 10_001), "entries[0].comment must have at most 10000 characters.", "max_len"),
    (status(0), f"revisions[0].status is missing; give one of {STATES}.", "required"),
    (status(99), f"revisions[0].status must be one of {STATES}.", "defined_only"),
    (PutProjectMemberRequest(project_id=ID, user_id=ID), "role is missing; give one of", "required"),
    (ListParametersRequest(sort_by="colour"), "sort_by must be one of id, created_at, updated_at.", "in"),
    (ListParametersRequest(parameter_id=[ID, ""]), f"parameter_id[1] is missing; give an id ({UUID}).", "required"),
    (ListParametersRequest(page_limit=1001), "page_limit: must be greater than or equal to 1 and less than", "gte_lte"),
    (comment(content=" "), "comments[0].content must not be blank.", "pattern"),
    (comment(reference_table=""), "comments[0].reference_table must not be empty.", "min_len"),
    (CreateProjectRequest(project_manager_email="x"), "project_manager_email must be an e-mail address, as", "email"),
    (CreateApiKeyRequest(name="k", scopes=["qa:read"] * 2), "scopes must not have an item twice.", "unique"),
    (CreateApiKeyRequest(name="k", scopes=["x"]), "scopes[0] must be a scope, as qa:read", "pattern"),
]


@pytest.mark.parametrize(("request_", "sentence", "constraint"), BROKEN, ids=[f"{one[1][:40]}" for one in BROKEN])
def test_a_broken_rule_says_the_field_the_problem_and_the_way_out(
    request_: Message, sentence: str, constraint: str
) -> None:
    with pytest.raises(DomainError) as refused:
        check(request_)
    found = {one.message: one.constraint for one in refused.value.violations}
    told = [message for message in found if message.startswith(sentence)]
    assert [found[message] for message in told] == [constraint], found


URL = "an absolute http or https URL without a user or password, as https://example.com/page"


@pytest.mark.parametrize(
    ("given", "sentence", "constraint"),
    [
        ("", f"comments[0].reference_url is missing; give {URL}.", "required"),
        ("ftp://a.example", f"comments[0].reference_url must be {URL}.", "pattern"),
        ("https://robin:x@a.example", f"comments[0].reference_url must be {URL}.", "pattern"),
    ],
)
def test_a_missing_url_and_a_bad_one_are_told_in_words(given: str, sentence: str, constraint: str) -> None:
    with pytest.raises(DomainError) as refused:
        check(comment(reference_url=given))
    told = [(one.message, one.constraint) for one in refused.value.violations]
    assert (sentence, constraint) in told
    assert len(told) == len(set(told))
    assert not any("^" in message for message, _ in told)


def test_an_empty_url_of_an_optional_field_is_a_bad_one() -> None:
    with pytest.raises(DomainError) as refused:
        check(CreateProjectRequest(project_number="1", project_url="", project_manager_email=""))
    assert {one.field: one.constraint for one in refused.value.violations} == {
        "project_url": "pattern",
        "project_manager_email": "email",
    }
    assert not any("missing" in one.message for one in refused.value.violations)


def _rules(rules: Message) -> Iterator[tuple[str, Any]]:
    """Yield the last words of a field's rules, with the values that they ask for."""
    for field, value in rules.ListFields():
        if field.message_type is not None and not field.is_repeated:
            yield from _rules(value)
        else:
            yield field.name, value


def test_every_rule_of_a_request_has_words_for_people() -> None:
    elsewhere = {"required", "defined_only", "not_in", "gte", "lte", "example", "ignore"}
    known, seen, left = (
        set(rule_texts._TEMPLATES) | elsewhere,
        set(),
        [binding.descriptor.input_type for binding in bindings_of(service_descriptors()).values()],
    )
    number = 0
    while left:
        message = left.pop()
        if message.full_name in seen:
            continue
        seen.add(message.full_name)
        for field in message.fields:
            rules: Any = field.GetOptions()
            for name, value in _rules(rules.Extensions[validate_pb2.field]):
                number += 1
                assert name in known, f"{field.full_name}: {name}"
                told_by = rule_texts._PATTERNS if value != r"\S" else {value: "not blank"}
                assert name != "pattern" or value in told_by, f"{field.full_name}: no words for the pattern {value}"
                assert name != "not_in" or 0 in value, f"{field.full_name} takes a value that is not set"
            if field.message_type is not None:
                left.append(field.message_type)
    assert number > 700
