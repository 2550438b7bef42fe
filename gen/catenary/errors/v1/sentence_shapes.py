"""Generated from catenary/errors/v1/sentence.proto by .ci/generate; not for editing."""

from typing import TypedDict

Sentence = TypedDict('Sentence', {
    'template': 'str',
    'arguments': 'dict[str, Argument]',
})

Sentences = TypedDict('Sentences', {
    'sentences': 'list[Sentence]',
})

Argument = TypedDict('Argument', {
    'fields': 'FieldPaths | None',
    'resource': 'str | None',
    'text': 'str | None',
})

FieldPaths = TypedDict('FieldPaths', {
    'paths': 'list[str]',
})
