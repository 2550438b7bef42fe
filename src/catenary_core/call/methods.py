"""The methods of the core, read once from the descriptors: only the protos declare them."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from google.api import annotations_pb2
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message

import catenary
from catenary.options.v1 import options_pb2
from catenary_wire.json_form import enum_names

_SURFACES = enum_names(options_pb2.Surface.DESCRIPTOR)


@dataclass(frozen=True, slots=True)
class Binding:
    """One method: its gRPC path, types and options, and facts derived from them."""

    path: str
    """gRPC path, `/<service>/<method>`."""
    handler: str
    """Name of the servicer's method."""
    descriptor: MethodDescriptor
    """Descriptor of the method."""
    request: type[Message]
    """Class of the request message."""
    response: type[Message]
    """Class of the response message."""
    options: options_pb2.MethodOptions
    """The method's `catenary.options.v1.method`."""
    surface: str | None
    """Lower-case name of the surface in scopes; None for a service without a surface."""
    reads: bool
    """True if the method changes nothing: it is bound to GET or declares no side effects."""
    posts: bool
    """True if one of the method's bindings is POST."""
    verb: str | None
    """HTTP method of the first binding, in lower case, `custom` for a WebSocket; None without a binding."""
    object_field: str | None
    """The response's only field, if that is a single object; else None."""

    @property
    def is_public(self) -> bool:
        """True if the method needs no credentials."""
        return self.options.privilege in (options_pb2.PRIVILEGE_PUBLIC, options_pb2.PRIVILEGE_EDGE_ALONE)


@cache
def service_descriptors() -> tuple[ServiceDescriptor, ...]:
    """Return all services of the generated code, by full name; read once a process."""
    found: dict[str, ServiceDescriptor] = {}
    # pkgutil doesn't search namespace packages, and all generated code is in such packages.
    for root in map(Path, catenary.__path__):
        for path in root.rglob("*_service_pb2.py"):
            name = ".".join(("catenary", *path.relative_to(root).with_suffix("").parts))
            services = importlib.import_module(name).DESCRIPTOR.services_by_name
            found.update({service.full_name: service for service in services.values()})
    return tuple(found[name] for name in sorted(found))


def bindings_of(services: Iterable[ServiceDescriptor]) -> dict[str, Binding]:
    """Return the bindings of the services' methods by gRPC path.

    Raises:
        ValueError: a method declares no privilege.
    """
    return {binding.path: binding for service in services for binding in map(_binding, service.methods)}


@cache
def _binding(method: MethodDescriptor) -> Binding:
    options = method.GetOptions().Extensions[options_pb2.method]
    if options.privilege == options_pb2.PRIVILEGE_UNSPECIFIED:
        raise ValueError(f"{method.full_name} declares no privilege; set (catenary.options.v1.method).privilege")
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
        surface=_SURFACES.get(surface),
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
    """Return a method's name in snake case: `GetProject` as `get_project`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
