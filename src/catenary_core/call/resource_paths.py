"""The REST paths of resources, made from the HTTP bindings of the methods that serve them."""

from __future__ import annotations

import re
from types import ModuleType

from google.api import annotations_pb2
from google.protobuf.descriptor import MethodDescriptor

_VARIABLE = re.compile(r"\{([a-z_]+)\}")


def resource_path(file: ModuleType, method: str) -> str:
    """Return the path of one resource, for `str.format`: `{}` is its id, `{<name>}` the other variables by name.

    Args:
        file: Generated module of the proto file that declares the method.
        method: Name of the method whose GET gives the resource, or the collection that holds it by its id.

    Raises:
        ValueError: The file has no such method, or more than one; the method has no GET binding, or more than one; the
            path has a variable with a pattern.
    """
    text = _bound(file, method, "get")
    parents, slash, last = text.rpartition("/")
    return f"{parents}{slash}{{}}" if _VARIABLE.fullmatch(last) else f"{text}/{{}}"


def posted_path(file: ModuleType, method: str) -> str:
    """Return the path of a method's POST, for what has no GET. Raises ValueError as `resource_path` does."""
    return _bound(file, method, "post")


def _bound(file: ModuleType, name: str, verb: str) -> str:
    services = file.DESCRIPTOR.services_by_name.values()
    found: list[MethodDescriptor] = [
        service.methods_by_name[name] for service in services if name in service.methods_by_name
    ]
    if len(found) != 1:
        raise ValueError(f"{file.__name__} has {len(found)} methods {name}; name the one that serves the resource")
    http = found[0].GetOptions().Extensions[annotations_pb2.http]
    paths = [getattr(rule, verb) for rule in (http, *http.additional_bindings) if rule.WhichOneof("pattern") == verb]
    if len(paths) != 1:
        raise ValueError(
            f"{found[0].full_name} has {len(paths)} bindings to {verb.upper()}; a resource's path is made from one"
        )
    text: str = paths[0]
    if "{" in _VARIABLE.sub("", text):
        raise ValueError(f"{found[0].full_name}: the path {text} has a variable with a pattern")
    return text
