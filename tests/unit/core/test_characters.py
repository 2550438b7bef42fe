"""The characters that texts of requests may have: what is shown to people has no control characters."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from catenary.comments.v2.comment_service_pb2 import CreateCommentsRequest
from catenary.parameter.v1.unit_service_pb2 import CreateUnitsRequest
from catenary.platform.v1.auth_service_pb2 import IssueTokenRequest
from catenary.platform.v1.client_service_pb2 import CreateClientRequest
from catenary.platform.v1.evaluation_service_pb2 import EvaluateRequest
from catenary.platform.v1.project_service_pb2 import CreateProjectRequest
from catenary.platform.v1.webhook_service_pb2 import CreateWebhookRequest
from catenary_core.call import characters
from catenary_core.call.errors import DomainError
from catenary_core.call.methods import bindings_of, service_descriptors
from catenary_core.call.validation import check
from catenary_edge.transcoding import schema
from catenary_wire.characters import (
    MULTILINE,
    MULTILINE_NOT_BLANK,
    ONE_LINE,
    ONE_LINE_NOT_BLANK,
    refused_character,
)

_ID = "0199aaaa-0000-7000-8000-000000000000"
CONTROLS = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]
TURNS = [chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))]
"""Embeddings, overrides and isolates of the writing direction."""


def _refused(request: Message) -> dict[str, str]:
    """Return the constraint of each refused field."""
    with pytest.raises(DomainError) as refused:
        check(request)
    assert refused.value.reason == "VALIDATION_ERROR"
    return {violation.field: violation.constraint for violation in refused.value.violations}


@pytest.mark.parametrize("character", [*CONTROLS, *TURNS, "\u2028", "\u2029"])
def test_a_name_takes_no_control_character_and_no_turn_of_the_writing_direction(character: str) -> None:
    assert _refused(CreateClientRequest(name=f"a{character}b")) == {"name": "characters"}
    assert refused_character(f"a{character}b") == f"U+{ord(character):04X}"


@pytest.mark.parametrize(
    "name", ["Länge 梁 🏗", "שלום עולם", "مرحبا\u200f", "a\u200db", "a\u00a0b", "e\u0301", "\\x1b[31m"]
)
def test_a_name_of_any_script_is_taken(name: str) -> None:
    check(CreateClientRequest(name=name))


def test_a_text_of_lines_keeps_line_ends_and_tabs_and_takes_no_other_control_character() -> None:
    check(CreateProjectRequest(name="n", description="a\nb\r\nc\td \u2067שלם\u2069"))
    for character in CONTROLS:
        if character not in "\n\t":
            assert _refused(CreateProjectRequest(name="n", description=f"a{character}b")) == {
                "description": "characters"
            }


def test_each_text_of_a_list_is_named() -> None:
    places = {"unit_type_id": _ID, "unit_system_id": _ID}
    units = CreateUnitsRequest(units=[{"symbol": "kN", **places}, {"symbol": "k\x9bN", **places}])
    assert _refused(units) == {"units[1].symbol": "characters"}
    comment = {
        "reference_id": _ID,
        "reference_table": "a\nb",
        "reference_url": "https://a.example",
        "content": "a\nb\x07",
    }
    found = _refused(CreateCommentsRequest(comments=[comment]))
    assert found == {"comments[0].reference_table": "characters", "comments[0].content": "characters"}


@pytest.mark.parametrize(
    ("value", "character"),
    [("a\x1bb", "U+001B"), (["a", {"b": "\x9b"}], "U+009B"), ({"a\nb": 1}, "U+000A"), ("a\u0000", "U+0000")],
)
def test_a_json_value_has_no_control_character_as_an_escape_either(value: Any, character: str) -> None:
    request = EvaluateRequest(project_id=_ID)
    for text in (orjson.dumps(value).decode(), '"\\\\u001b"', '"a\\nb"', '{"a": "\\u00e4\\r\\n"}'):
        request.parameters["span"].text = text
        if text == orjson.dumps(value).decode():
            assert _refused(request) == {"parameters.span.text": "characters"}
            with pytest.raises(DomainError, match=re.escape(character)):
                check(request)
        else:
            check(request)


def test_a_secret_may_be_any_text_but_u_0000() -> None:
    check(CreateWebhookRequest(url="https://a.example", events=["*"], secret="\x1b" * 16))
    check(IssueTokenRequest(grant_type="client_credentials", client_secret="\x9b\u202e"))
    assert _refused(IssueTokenRequest(grant_type="client_credentials", client_secret="\0")) == {
        "client_secret": "characters"
    }


def test_with_the_check_off_such_a_name_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(characters, "refused_character", lambda text, **_: None)
    check(CreateClientRequest(name="a\x1b[31mb\x9b\u202e"))


def test_the_patterns_of_the_documents_are_the_core_s_rule_for_every_character() -> None:
    for code in itertools.chain(range(0x3000), range(0x3000, sys.maxunicode, 0x101)):
        text = f"a{chr(code)}b"
        if 0xD800 <= code < 0xE000:
            continue
        assert (re.fullmatch(ONE_LINE, text) is None) == (refused_character(text) is not None), hex(code)
        assert (re.fullmatch(MULTILINE, text) is None) == (refused_character(text, multiline=True) is not None), hex(
            code
        )
    for text, is_name, is_text in (
        ("", 0, 0),
        (" ", 0, 0),
        ("\n", 0, 0),
        (" a ", 1, 1),
        ("a\r\nb", 0, 1),
        ("a\rb", 0, 0),
    ):
        assert bool(re.fullmatch(ONE_LINE_NOT_BLANK, text)) == is_name
        assert bool(re.fullmatch(MULTILINE_NOT_BLANK, text)) == is_text


_LINES = {
    "catenary.comments.v2.NewComment.content",
    "catenary.comments.v2.UpdateCommentRequest.content",
    "catenary.environment.v2.CreateProjectRequest.scope_of_works",
    "catenary.environment.v2.UpdateProjectRequest.scope_of_works",
    "catenary.parameter.v1.NewEntry.comment",
    "catenary.parameter.v1.NewEntry.location_in_source",
    "catenary.parameter.v1.PutEntry.comment",
    "catenary.parameter.v1.PutEntry.location_in_source",
    "catenary.parameter.v1.RevisionUpdate.comment",
    "catenary.platform.v1.CreateBatchRequest.note",
    "catenary.platform.v1.CreateCommentRequest.content",
    "catenary.platform.v1.CreatePlanRequest.csv",
    "catenary.platform.v1.CreateProjectRequest.description",
    "catenary.platform.v1.CreateStudyRequest.note",
    "catenary.platform.v1.CreateSystemEventRequest.message",
    "catenary.platform.v1.CreateVariantRequest.note",
    "catenary.platform.v1.ImportEvaluationsRequest.note",
    "catenary.platform.v1.NewDerivedMetric.description",
    "catenary.platform.v1.ParameterValue.text",
    "catenary.platform.v1.UpdateCommentRequest.content",
    "catenary.platform.v1.UpdateProjectRequest.description",
    "catenary.platform.v1.UpdateVariantRequest.note",
    "catenary.reference.v2.CreateSourceRequest.scope",
    "catenary.reference.v2.UpdateSourceRequest.scope",
    "catenary.type.v1.Value.string_value",
    "catenary.worker.v1.Outcome.log",
}


def test_every_text_of_a_request_is_one_line_unless_it_is_named_here_and_the_documents_say_so() -> None:
    texts = {field.full_name: field for field in _texts() if field.full_name != "catenary.type.v1.Json.text"}
    assert len(texts) > 150
    lines = {name for name, field in texts.items() if schema.field_options(field).multiline}
    assert lines == _LINES
    for name, field in texts.items():
        options = schema.field_options(field)
        if options.secret or options.header:
            continue
        told = schema.keywords(field) | schema.characters(field)
        told = told["items"] | schema.characters(field).get("items", {}) if field.is_repeated else told
        if told.keys() & {"format", "enum", "const"}:
            continue
        for text in ("a\x1bb", "a\x9bb", *(() if options.multiline else ("a\nb", "a\u202eb"))):
            assert not re.search(told["pattern"], text), f"{name} is documented to take {text!r}"


def _texts() -> Iterator[FieldDescriptor]:
    """Yield the text fields of the requests that the edge serves, and of the messages in them."""
    left = [binding.descriptor.input_type for binding in bindings_of(service_descriptors()).values()]
    seen: set[str] = set()
    while left:
        message = left.pop()
        if message.full_name in seen or message.full_name.startswith("google."):
            continue
        seen.add(message.full_name)
        for field in message.fields:
            if field.message_type is not None:
                left.append(field.message_type)
            elif field.type == FieldDescriptor.TYPE_STRING and not message.GetOptions().map_entry:
                yield field
