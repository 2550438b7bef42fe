"""The check of the characters of a request's texts: one line each, lines with the option `multiline`.

The documents have the same rule as patterns (`edge/catenary_edge/transcoding/schema.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import Any

import orjson
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from catenary.options.v1 import options_pb2
from catenary.type.v1 import json_pb2
from catenary_core.call.errors import DomainError, invalid
from catenary_wire.characters import refused_character

_JSON_TEXT = json_pb2.Json.DESCRIPTOR.fields_by_name["text"].full_name
_CONSTRAINT = "characters"
_ESCAPE = re.compile(r"\\[ubfrnt]")


class _Kind(Enum):
    ONE_LINE = auto()
    LINES = auto()
    JSON = auto()
    ANY = auto()
    """A secret, which may be any text, and a header, whose characters HTTP limits."""
    MESSAGE = auto()
    OTHER = auto()


@dataclass(slots=True)
class _Found:
    """A text with a character that it can't have. The path grows on the way out: valid requests pay nothing for it."""

    field: FieldDescriptor
    path: str
    text: str | None
    """None for the key of a map."""
    character: str
    one_line: bool


def faults(request: Message) -> Iterator[DomainError]:
    """Yield a VALIDATION_ERROR for each text of a request with a character that it can't have."""
    for one in _in_message(request):
        value = None if is_private(one.field) else one.text
        if one.one_line:
            yield invalid(
                one.path,
                "{field} has the character {character}, which a text of one line can't have; remove line ends, other"
                " control characters and marks that change the direction of writing.",
                value=value,
                constraint=_CONSTRAINT,
                character=one.character,
            )
        else:
            yield invalid(
                one.path,
                "{field} has the character {character}, which a text can't have; remove all control characters but line"
                " ends and tabs.",
                value=value,
                constraint=_CONSTRAINT,
                character=one.character,
            )


def is_private(field: FieldDescriptor) -> bool:
    """Return whether refusals don't show the field's value: it is secret or personal data, or holds such."""
    options: Any = field.GetOptions()
    ours = options.Extensions[options_pb2.field]
    return bool(options.debug_redact or ours.secret or ours.value_hidden)


def _in_message(message: Message) -> list[_Found]:
    found: list[_Found] = []
    for field, value in message.ListFields():
        kind = _kind(field)
        if kind is _Kind.OTHER:
            continue
        if _is_map(field):
            below = _in_map(field, value)
        elif field.is_repeated:
            below = [
                _inside(f"[{index}]", one) for index, item in enumerate(value) for one in _in_value(field, kind, item)
            ]
        else:
            below = _in_value(field, kind, value)
        found += [_inside(field.name, one) for one in below]
    return found


def _in_map(field: FieldDescriptor, values: Any) -> list[_Found]:
    assert field.message_type is not None
    value_field = field.message_type.fields_by_name["value"]
    kind = _kind(value_field)
    found: list[_Found] = []
    for key, item in values.items():
        if isinstance(key, str) and (character := refused_character(key)):
            shown = "".join(one for one in key if refused_character(one) is None)
            found.append(_Found(field, f".{shown}", None, character, one_line=True))
        else:
            found += [_inside(f".{key}", one) for one in _in_value(value_field, kind, item)]
    return found


def _in_value(field: FieldDescriptor, kind: _Kind, value: Any) -> list[_Found]:
    if kind is _Kind.MESSAGE:
        return [_inside(".", one) for one in _in_message(value)]
    if kind is _Kind.JSON:
        character = _refused_in_json(value)
    elif kind is _Kind.ANY:
        character = "U+0000" if "\0" in value else None
    else:
        character = refused_character(value, multiline=kind is _Kind.LINES)
    if character is None:
        return []
    return [_Found(field, "", value, character, kind is _Kind.ONE_LINE)]


def _inside(above: str, found: _Found) -> _Found:
    found.path = above + found.path
    return found


@cache
def _kind(field: FieldDescriptor) -> _Kind:
    if field.message_type is not None:
        return _Kind.MESSAGE
    if field.type != FieldDescriptor.TYPE_STRING:
        return _Kind.OTHER
    if field.full_name == _JSON_TEXT:
        return _Kind.JSON
    extensions: Any = field.GetOptions().Extensions
    options = extensions[options_pb2.field]
    if options.secret or options.header:
        return _Kind.ANY
    return _Kind.LINES if options.multiline else _Kind.ONE_LINE


@cache
def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _refused_in_json(text: str) -> str | None:
    """Return the first character of a JSON text that its strings can't have: keys are one line, values have lines."""
    raw = refused_character(text, multiline=True)
    if raw is None and not _ESCAPE.search(text):
        return None
    try:
        return _refused_in_tree(orjson.loads(text))
    except orjson.JSONDecodeError:
        return raw  # else the servicer says why it is no JSON


def _refused_in_tree(tree: Any) -> str | None:
    if isinstance(tree, str):
        return refused_character(tree, multiline=True)
    if isinstance(tree, list):
        return next(filter(None, map(_refused_in_tree, tree)), None)
    if isinstance(tree, dict):
        keys = filter(None, map(refused_character, tree))
        return next(keys, None) or next(filter(None, map(_refused_in_tree, tree.values())), None)
    return None
