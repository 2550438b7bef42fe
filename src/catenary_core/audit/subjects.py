"""The subject of a call in the audit trail: the REST path of the resource that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from google.api import annotations_pb2
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from catenary_core.call.methods import Binding, snake_case

_VARIABLE = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Subject:
    """The resource or the list that a call is about."""

    path: str | None
    """REST path: of one resource, or of a list with more or fewer than one item; None for a method without REST."""
    ids: tuple[str, ...] = ()
    """Ids of the items of a list."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """The fields of one method's messages that name its subject."""

    path: str
    """REST path of the method."""
    variables: tuple[str, ...]
    """Variables of `path`, which are fields of the request."""
    content: str | None
    """Field of the response with a resource or a list of resources; None if the request names the subject."""
    resource: str | None
    """REST path of one such resource; None if no method reads one."""
    key: str | None
    """Field of the resource with its id."""


class Subjects:
    """The rule of each method, read once from the bindings."""

    def __init__(self, bindings: Iterable[Binding]) -> None:
        """Read the bindings."""
        found = {binding.path: (_path(binding), _resource(binding)) for binding in bindings}
        paths: dict[str, str] = {}
        for path, given in found.values():
            if path is not None and given is not None and path.endswith("}"):
                paths.setdefault(given[1].full_name, path)
        self._rules = {method: _rule(path, given, paths) for method, (path, given) in found.items() if path is not None}

    def of(self, binding: Binding, request: Message, answer: Mapping[str, Any]) -> Subject:
        """Return the subject of a call, from its request where that names a resource, else from its response."""
        rule = self._rules.get(binding.path)
        if rule is None:
            return Subject(None)
        named = {name: str(getattr(request, name)) for name in rule.variables}
        if rule.content is None:
            return Subject(_filled(rule.path, named))
        content = answer.get(rule.content) or []
        items: Sequence[Mapping[str, Any]] = content if isinstance(content, list) else [content]
        if len(items) == 1 and rule.resource is not None:
            variables = _VARIABLE.findall(rule.resource)
            known = named | {name: str(items[0][name]) for name in variables if items[0].get(name)}
            if rule.key is not None:
                known[variables[-1]] = str(items[0][rule.key])
            if filled := _filled(rule.resource, known):
                return Subject(filled)
        ids = () if rule.key is None else tuple(str(item[rule.key]) for item in items)
        return Subject(_filled(rule.path, named), ids)


def _rule(path: str, given: tuple[str, Descriptor] | None, paths: Mapping[str, str]) -> _Rule:
    variables = tuple(_VARIABLE.findall(path))
    if given is None or path.endswith("}"):
        return _Rule(path, variables, None, None, None)
    name, message = given
    resource = paths.get(message.full_name)
    return _Rule(path, variables, name, resource, _key(message, resource))


def _path(binding: Binding) -> str | None:
    """Return the path of a method's first binding; None for a WebSocket, which shows no resource."""
    http = binding.descriptor.GetOptions().Extensions[annotations_pb2.http]
    return None if binding.verb in (None, "custom") else str(getattr(http, binding.verb))


def _resource(binding: Binding) -> tuple[str, Descriptor] | None:
    """Return name and message of the response's field with a resource or a list of resources."""
    fields = binding.descriptor.output_type.fields
    return next(((field.name, field.message_type) for field in fields if field.message_type is not None), None)


def _key(message: Descriptor, path: str | None) -> str | None:
    """Return the name of the field with a resource's id."""
    names = [_VARIABLE.findall(path)[-1]] if path else []
    names += [f"{snake_case(message.name)}_id", "id"]
    return next((name for name in names if name in message.fields_by_name), None)


def _filled(path: str, values: Mapping[str, str]) -> str | None:
    """Return a path with its variables; None if one of them has no value."""
    if not all(values.get(name) for name in _VARIABLE.findall(path)):
        return None
    return _VARIABLE.sub(lambda found: quote(values[found[1]], safe=""), path)
