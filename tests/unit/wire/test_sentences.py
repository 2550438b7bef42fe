"""Sentences as data: what is put in, how they travel, and how they read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary.errors.v1 import sentence_pb2
from catenary_wire.sentences import Argument, Fields, ResourceName, Sentence, as_sentence, from_message, to_message

ARGUMENTS = st.one_of(
    st.builds(Fields, *[st.text(max_size=20)] * 2),
    st.builds(ResourceName, st.text(max_size=20)),
    st.text(max_size=20),
    st.integers(),
)


@pytest.mark.parametrize(
    ("template", "arguments", "text"),
    [
        ("{field} is bad.", {"field": Fields("a[0].b")}, "a[0].b is bad."),
        ("known are: {known}.", {"known": Fields("a", "b")}, "known are: a, b."),
        ("give {two: and }.", {"two": Fields("a", "b")}, "give a and b."),
        ("no {resource}.", {"resource": ResourceName("tag type")}, "no tag type."),
        ("over {most}.", {"most": 5}, "over 5."),
        ("{why}", {"why": "{field} in braces }"}, "{field} in braces }"),
    ],
)
def test_a_sentence_is_its_template_with_the_arguments(
    template: str, arguments: dict[str, Argument], text: str
) -> None:
    assert str(Sentence(template, arguments)) == text


@given(st.text())
def test_a_text_without_arguments_stands_as_it_is(text: str) -> None:
    assert str(as_sentence(text)) == text
    assert str(from_message(to_message(Sentence(text)))) == text


@given(st.dictionaries(st.sampled_from(("one", "two", "three")), ARGUMENTS, min_size=3))
def test_a_sentence_travels_and_keeps_its_kinds(arguments: dict[str, Argument]) -> None:
    sentence = Sentence("{one}, {two: or } or {three}" if _is_list(arguments["two"]) else "{one} {two}", arguments)
    message = sentence_pb2.Sentence.FromString(to_message(sentence).SerializeToString())
    found = from_message(message)
    assert str(found) == str(sentence)
    for name, value in arguments.items():
        shown = found.arguments[name]
        assert type(shown) is (str if isinstance(value, int) else type(value))
        assert shown == (str(value) if isinstance(value, int) else value)


def _is_list(value: Argument) -> bool:
    return isinstance(value, Fields)
