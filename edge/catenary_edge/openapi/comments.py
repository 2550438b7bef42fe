"""The comments of the protos, read from the shipped descriptor set, since generated code has none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FileDescriptorProto, FileDescriptorSet

# Field numbers of descriptor.proto, the elements of a SourceCodeInfo.Location's path.
_FILE_MESSAGE, _FILE_ENUM, _FILE_SERVICE = 4, 5, 6
_MESSAGE_FIELD, _MESSAGE_NESTED, _MESSAGE_ENUM = 2, 3, 4
_ENUM_VALUE = 2
_SERVICE_METHOD = 2

Path = tuple[int, ...]
_SENTENCE = re.compile(r"(?<=[.;:])\s+")


@cache
def load() -> Mapping[str, str]:
    """Map the full name of each message, field, enum, value, service and method to its comment.

    An enum value's name is the enum's full name, a dot, and the value.
    """
    data = resources.files("catenary").joinpath("descriptors.binpb").read_bytes()
    found: dict[str, str] = {}
    for file in FileDescriptorSet.FromString(data).file:
        if file.package.startswith("catenary."):
            found.update(_of_file(file))
    return found


def first_sentence(text: str) -> str:
    """Return the text before its first full stop, semicolon or colon with a blank behind."""
    return _SENTENCE.split(text, maxsplit=1)[0].rstrip(".;:")


def _of_file(file: FileDescriptorProto) -> Iterable[tuple[str, str]]:
    texts = {
        tuple(location.path): _plain(location.leading_comments)
        for location in file.source_code_info.location
        if location.leading_comments
    }
    for path, name in _names(file):
        if path in texts:
            yield name, texts[path]


def _names(file: FileDescriptorProto) -> Iterable[tuple[Path, str]]:
    package = file.package
    yield from _messages(file.message_type, (_FILE_MESSAGE,), package)
    yield from _enums(file.enum_type, (_FILE_ENUM,), package)
    for index, service in enumerate(file.service):
        path, name = (_FILE_SERVICE, index), f"{package}.{service.name}"
        yield path, name
        yield from _parts(service.method, (*path, _SERVICE_METHOD), name)


def _messages(messages: Sequence[DescriptorProto], path: Path, scope: str) -> Iterable[tuple[Path, str]]:
    for index, message in enumerate(messages):
        own, name = (*path, index), f"{scope}.{message.name}"
        yield own, name
        yield from _parts(message.field, (*own, _MESSAGE_FIELD), name)
        yield from _messages(message.nested_type, (*own, _MESSAGE_NESTED), name)
        yield from _enums(message.enum_type, (*own, _MESSAGE_ENUM), name)


def _enums(enums: Sequence[EnumDescriptorProto], path: Path, scope: str) -> Iterable[tuple[Path, str]]:
    for index, enum in enumerate(enums):
        own, name = (*path, index), f"{scope}.{enum.name}"
        yield own, name
        yield from _parts(enum.value, (*own, _ENUM_VALUE), name)


def _parts(parts: Sequence[Any], path: Path, scope: str) -> Iterable[tuple[Path, str]]:
    for index, part in enumerate(parts):
        yield (*path, index), f"{scope}.{part.name}"


def _plain(text: str) -> str:
    """Format a comment as running text: lines joined, paragraphs kept."""
    paragraphs = re.split(r"\n\s*\n", text.strip())
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
