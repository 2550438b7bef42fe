"""The comments of the protos, which OpenAPI documents, `/docs` and editors show, keep the rules of words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

_DESCRIPTORS = Path(__file__).parents[2] / "gen" / "catenary" / "descriptors.binpb"
_FILES = [
    file
    for file in FileDescriptorSet.FromString(_DESCRIPTORS.read_bytes()).file
    if file.package.startswith("catenary.")
]
# Field numbers of descriptor.proto, of which the paths of comments are made.
_MESSAGES, _SERVICES = 4, 6
_FIELDS = _METHODS = 2

VERB = re.compile(
    "Add|Announce|Cancel|Compare|Complete|Convert|Create|Delete|Deliver|Deploy|Download|Evaluate|Fetch|Follow|Get|Identify|Issue|Lease|"
    "List|Mark|Read|Release|Remove|Rename|Renew|Replace|Resume|Return|Revoke|Send|Update|Upload"
)
"""What an RPC may be said to do: a new verb is added here when no other fits."""
MOST_WORDS = 20
SAME_WORDS = ("page_limit", "before", "after", "show_active", "show_deleted", "limit", "cursor", "update_mask")
"""Fields that have one meaning in every request; what is special to one request follows in a sentence of its own."""

_BARE_ERRORS = re.compile(r"[A-Z][A-Z_]{3,}(?:(?:,| or| and|, or|, and) [A-Z][A-Z_]{3,})*\.?")
_SENTENCE_END = re.compile(r"(?<=[.;:!?])\s+")
_NAMELESS_SECTION = re.compile(r"(?<!RFC \d{4}, )\bsection \d")


def _comments() -> Iterator[tuple[str, tuple[int, ...], str]]:
    """Every comment with its file's name and the path of what it stands before."""
    for file in _FILES:
        for location in file.source_code_info.location:
            if location.leading_comments:
                yield file.name, tuple(location.path), " ".join(location.leading_comments.split())


COMMENTS = {(name, path): text for name, path, text in _comments()}


def _rpcs() -> Iterator[tuple[str, str]]:
    for file in _FILES:
        for number, service in enumerate(file.service):
            for index, method in enumerate(service.method):
                path = (_SERVICES, number, _METHODS, index)
                yield f"{file.package}.{service.name}.{method.name}", COMMENTS.get((file.name, path), "")


def _request_fields(name: str) -> Iterator[tuple[str, str]]:
    for file in _FILES:
        for number, message in enumerate(file.message_type):
            for index, field in enumerate(message.field):
                if field.name == name and re.match(r"(List|Update)\w+Request$", message.name):
                    path = (_MESSAGES, number, _FIELDS, index)
                    yield f"{message.name}.{name}", COMMENTS.get((file.name, path), "")


def _first_sentence(comment: str) -> str:
    return re.split(r"(?<=[.!?])\s+", comment, maxsplit=1)[0]


def fault_of_rpc(comment: str) -> str:
    """Return the fault of the first sentence of an RPC's comment; empty without one."""
    words = _first_sentence(comment).split()
    if not words or not VERB.fullmatch(words[0]):
        return "begins without an imperative verb"
    return f"has over {MOST_WORDS} words" if len(words) > MOST_WORDS else ""


def bare_errors(comment: str) -> list[str]:
    """List the sentences, or their parts at a colon or semicolon, that only name errors."""
    return [part for part in _SENTENCE_END.split(comment) if _BARE_ERRORS.fullmatch(part)]


def test_the_comment_of_every_rpc_begins_with_a_short_imperative_sentence() -> None:
    rpcs = dict(_rpcs())
    assert len(rpcs) > 150
    assert {name: fault for name, comment in rpcs.items() if (fault := fault_of_rpc(comment))} == {}


def test_no_sentence_is_a_bare_list_of_errors() -> None:
    assert len(COMMENTS) > 2000
    assert {key: found for key, text in COMMENTS.items() if (found := bare_errors(text))} == {}


@pytest.mark.parametrize("name", SAME_WORDS)
def test_a_field_of_one_meaning_has_the_same_words_in_every_request(name: str) -> None:
    fields = dict(_request_fields(name))
    assert len(fields) > 10
    assert len({_first_sentence(comment) for comment in fields.values()}) == 1, fields


def test_a_cited_section_has_its_rfc_before_it() -> None:
    assert {key: text for key, text in COMMENTS.items() if _NAMELESS_SECTION.search(text)} == {}


@pytest.mark.parametrize(
    ("comment", "fault"),
    [
        ("List assets.", ""),
        ("Get one asset. Raises NOT_FOUND when the caller may not see it.", ""),
        ("Lists assets.", "begins without an imperative verb"),
        ("One asset.", "begins without an imperative verb"),
        ("", "begins without an imperative verb"),
        (f"List {'many ' * 18}assets.", ""),
        (f"List {'many ' * 19}assets.", "has over 20 words"),
    ],
)
def test_a_faulty_first_sentence_is_found(comment: str, fault: str) -> None:
    assert fault_of_rpc(comment) == fault


@pytest.mark.parametrize(
    ("comment", "found"),
    [
        ("Get one asset. NOT_FOUND, CONFLICT.", ["NOT_FOUND, CONFLICT."]),
        ("Get one asset. NOT_FOUND.", ["NOT_FOUND."]),
        ("Get one asset; NOT_FOUND or PERMISSION_DENIED", ["NOT_FOUND or PERMISSION_DENIED"]),
        ("A, B, and C: GONE, CONFLICT, and TIMEOUT. More.", ["GONE, CONFLICT, and TIMEOUT."]),
        ("Raises NOT_FOUND, CONFLICT or GONE when the asset is not there.", []),
        ("One of SI and US.", []),
    ],
)
def test_a_bare_list_of_errors_is_found(comment: str, found: list[str]) -> None:
    assert bare_errors(comment) == found


@pytest.mark.parametrize(
    ("comment", "nameless"),
    [
        ("No error (section 2.2).", True),
        ("No error (RFC 7009, section 2.2).", False),
    ],
)
def test_a_section_without_its_rfc_is_found(comment: str, *, nameless: bool) -> None:
    assert bool(_NAMELESS_SECTION.search(comment)) is nameless
