"""Sentences of refusals as data: a template, and the fields, resources and texts that are put into it.

The core raises them in the words of the current version; the edge makes a sentence once, after the names of an older version
were put in. A template is its own id, as in gettext.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from catenary.errors.v1 import sentence_pb2 as pb


class Fields(tuple[str, ...]):
    """JSON paths of fields of the request; in a template `{name:joint}` puts the joint between them, `, ` by default."""

    def __new__(cls, *paths: str) -> Self:
        """Take the paths one by one."""
        return super().__new__(cls, paths)

    def __format__(self, joint: str) -> str:
        return (joint or ", ").join(self)


class ResourceName(str):
    """A kind of resource as sentences call it, such as `parameter set type`."""

    __slots__ = ()


Argument = Fields | ResourceName | str | int | float


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence for people; one without arguments is its template as it stands, braces and all."""

    template: str
    arguments: Mapping[str, Argument] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template.format_map(self.arguments) if self.arguments else self.template


def as_sentence(text: str | Sentence) -> Sentence:
    """Return a sentence as it is, and a text as a sentence without arguments."""
    return text if isinstance(text, Sentence) else Sentence(text)


def to_message(sentence: Sentence) -> pb.Sentence:
    """Make the protobuf message of a sentence."""
    message = pb.Sentence(template=sentence.template)
    for name, value in sentence.arguments.items():
        argument = message.arguments[name]
        if isinstance(value, Fields):
            argument.fields.paths.extend(value)
        elif isinstance(value, ResourceName):
            argument.resource = value
        else:
            argument.text = str(value)
    return message


def to_messages(found: Iterable[Sentence]) -> pb.Sentences:
    """Make the protobuf message of several sentences."""
    return pb.Sentences(sentences=[to_message(sentence) for sentence in found])


def from_message(message: pb.Sentence) -> Sentence:
    """Make the sentence of a protobuf message."""
    return Sentence(message.template, {name: _value(argument) for name, argument in message.arguments.items()})


def _value(argument: pb.Argument) -> Argument:
    match argument.WhichOneof("kind"):
        case "fields":
            return Fields(*argument.fields.paths)
        case "resource":
            return ResourceName(argument.resource)
        case _:
            return argument.text
