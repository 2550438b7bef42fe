"""The methods that the core serves, read once from the descriptors: the proto is their only declaration."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from google.api import annotations_pb2
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message

import catenary
from catenary.options.v1 import options_pb2

_SURFACES = options_pb2.Surface.DESCRIPTOR.values_by_number


@dataclass(frozen=True, slots=True)
class Binding:
    """One method: its path on gRPC, its types, its options, and what follows from them.

    `surface` is the lower-case name for API key scopes, None for services without one; `reads` tells that the method changes
    nothing (it is bound to GET, or declares no side effects). `verb` is the HTTP method of its binding in lower case, None
    without one; `posts` tells that one of its bindings is POST. `object_field` is the answer's only field when that is one
    object.
    """

    path: str
    handler: str
    descriptor: MethodDescriptor
    request: type[Message]
    response: type[Message]
    options: options_pb2.MethodOptions
    surface: str | None
    reads: bool
    posts: bool
    verb: str | None
    object_field: str | None


def service_descriptors() -> list[ServiceDescriptor]:
    """Every service of the generated code, by name."""
    found: dict[str, ServiceDescriptor] = {}
    # pkgutil doesn't look into namespace packages, which all of the generated code is.
    for root in map(Path, catenary.__path__):
        for path in root.rglob("*_service_pb2.py"):
            name = ".".join(("catenary", *path.relative_to(root).with_suffix("").parts))
            services = importlib.import_module(name).DESCRIPTOR.services_by_name
            found.update({service.full_name: service for service in services.values()})
    return [found[name] for name in sorted(found)]


def bindings_of(services: Iterable[ServiceDescriptor]) -> dict[str, Binding]:
    """The bindings of the services' methods by gRPC path. A method without a privilege is refused with ValueError."""
    return {binding.path: binding for service in services for binding in map(_binding, service.methods)}


def _binding(method: MethodDescriptor) -> Binding:
    options = method.GetOptions().Extensions[options_pb2.method]
    if options.privilege == options_pb2.PRIVILEGE_UNSPECIFIED:
        raise ValueError(f"{method.full_name} says no privilege; set (catenary.options.v1.method).privilege")
    service = method.containing_service
    surface = service.GetOptions().Extensions[options_pb2.service].surface
    http = method.GetOptions().Extensions[annotations_pb2.http]
    unchanging = method.GetOptions().idempotency_level == method.GetOptions().NO_SIDE_EFFECTS
    return Binding(
        path=f"/{service.full_name}/{method.name}",
        handler=snake_case(method.name),
        descriptor=method,
        request=message_factory.GetMessageClass(method.input_type),
        response=message_factory.GetMessageClass(method.output_type),
        options=options,
        surface=_SURFACES[surface].name.removeprefix("SURFACE_").lower() if surface else None,
        reads=http.HasField("get") or unchanging,
        posts=any(rule.HasField("post") for rule in (http, *http.additional_bindings)),
        verb=http.WhichOneof("pattern"),
        object_field=_object_field(method),
    )


def _object_field(method: MethodDescriptor) -> str | None:
    fields = method.output_type.fields
    if method.server_streaming or len(fields) != 1 or fields[0].message_type is None or fields[0].is_repeated:
        return None
    return fields[0].name


def snake_case(name: str) -> str:
    """`GetProject` as `get_project`: the name of the servicer's method."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
