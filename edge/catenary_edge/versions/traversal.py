"""Converters of whole bodies, compiled from descriptors: they visit only paths to objects of a changed type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from catenary_edge.errors.fault import Fault
from catenary_edge.transcoding.fields import is_bare_list
from catenary_edge.versions.change import Extras, Show

Raise = Callable[[Any], Any]
"""Makes a newer body from an older one. Raises Fault."""


def answers(message: Descriptor, forms: Mapping[str, Sequence[Callable[[dict[str, Any], Extras], Any]]]) -> Show | None:
    """Compile the functions of each message type to one converter of responses, inner objects first.

    Returns None when the message holds no object of these types.
    """
    made: dict[str, Show] = {}

    def of(kind: Descriptor) -> Show:
        if is_bare_list(kind):
            item = of(_message(kind.fields[0]))
            return lambda value, extras: [item(one, extras) for one in value]
        if kind.full_name not in made:
            inner: list[tuple[str, bool, Show]] = []
            made[kind.full_name] = _shown(inner, forms.get(kind.full_name, ()))  # first, for types that hold themselves
            inner += [(field.name, field.is_repeated, of(_message(field))) for field in _leading(kind, forms)]
        return made[kind.full_name]

    return of(message) if _reaches(message, forms) else None


def _shown(inner: list[tuple[str, bool, Show]], own: Sequence[Callable[[dict[str, Any], Extras], Any]]) -> Show:
    def show(value: Any, extras: Extras) -> Any:
        if value is None:
            return None
        for name, repeated, convert in inner:
            item = value.get(name)  # later parts of a list lack `paging`
            if item is not None:
                item = [convert(one, extras) for one in item] if repeated else convert(item, extras)
                value = {**value, name: item}
        for form in own:
            value = form(value, extras)
        return value

    return show


def requests(message: Descriptor, forms: Mapping[str, Sequence[Callable[[dict[str, Any]], Any]]]) -> Raise | None:
    """Compile the functions of each message type to one converter of bodies, outer objects first.

    Returns None when the message holds no object of these types. The converter leaves values of a wrong type unchanged,
    since the decoder refuses them.
    """
    made: dict[str, Raise] = {}

    def of(kind: Descriptor) -> Raise:
        if kind.full_name not in made:
            inner: list[tuple[str, Raise]] = []
            made[kind.full_name] = _raised(inner, forms.get(kind.full_name, ()))
            inner += [(field.name, _each(of(_message(field)), field)) for field in _leading(kind, forms)]
        return made[kind.full_name]

    return of(message) if _reaches(message, forms) else None


def request_field(
    field: FieldDescriptor, forms: Mapping[str, Sequence[Callable[[dict[str, Any]], Any]]]
) -> Raise | None:
    """Compile a converter like `requests`, for a body of one field."""
    inner = None if field.message_type is None else requests(field.message_type, forms)
    return None if inner is None else _each(inner, field)


def _raised(inner: list[tuple[str, Raise]], own: Sequence[Callable[[dict[str, Any]], Any]]) -> Raise:
    def convert(value: Any) -> Any:
        for form in own:
            if type(value) is dict:
                value = form(value)
        if type(value) is not dict:
            return value
        value = dict(value)
        for name, up in inner:
            if name in value:
                try:
                    value[name] = up(value[name])
                except Fault as fault:
                    raise fault.inside(name) from None
        return value

    return convert


def _each(convert: Raise, field: FieldDescriptor) -> Raise:
    if not field.is_repeated:
        return convert

    def every(value: Any) -> Any:
        if type(value) is not list:
            return value
        found = []
        for index, item in enumerate(value):
            try:
                found.append(convert(item))
            except Fault as fault:
                raise fault.inside(index) from None
        return found

    return every


def _leading(kind: Descriptor, forms: Mapping[str, Any]) -> list[FieldDescriptor]:
    return [field for field in kind.fields if field.message_type is not None and _reaches(field.message_type, forms)]


def _reaches(kind: Descriptor, forms: Mapping[str, Any]) -> bool:
    waiting, known = [kind], {kind.full_name}
    while waiting:
        message = waiting.pop()
        if message.full_name in forms:
            return True
        for field in message.fields:
            if field.message_type is not None and field.message_type.full_name not in known:
                known.add(field.message_type.full_name)
                waiting.append(field.message_type)
    return False


def _message(field: FieldDescriptor) -> Descriptor:
    assert field.message_type is not None
    return field.message_type
