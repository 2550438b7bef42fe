"""The generated services with their options."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from google.api import annotations_pb2, http_pb2
from google.protobuf.descriptor import Descriptor, FileDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

import catenary
from catenary.options.v1 import options_pb2

WEBSOCKET = "WEBSOCKET"
"""Kind of the custom binding of a method whose streams a WebSocket carries."""


@dataclass(frozen=True, slots=True, eq=False)
class Rpc:
    """A method of the core."""

    path: str
    """`/<package>.<service>/<method>`, as in gRPC."""
    request: type[Message]
    response: type[Message]
    input: Descriptor
    output: Descriptor
    client_streaming: bool
    server_streaming: bool
    surface: int
    """The service's surface (options.Surface)."""
    options: options_pb2.MethodOptions
    http: http_pb2.HttpRule | None
    """The HTTP binding; None for methods without a route."""
    websocket: str
    """Path of the WebSocket that carries the streams of both sides; empty for other methods."""


def generated_files() -> Iterator[FileDescriptor]:
    """Yield the file descriptors of all generated modules below the `catenary` namespace package, by module name."""
    names: set[str] = set()
    for root in catenary.__path__:
        for path in Path(root).rglob("*_pb2.py"):
            names.add(".".join(("catenary", *path.relative_to(root).with_suffix("").parts)))
    for name in sorted(names):
        yield importlib.import_module(name).DESCRIPTOR


@cache
def load() -> tuple[Rpc, ...]:
    """Return every method of every generated service."""
    return tuple(
        rpc(method)
        for file in generated_files()
        for service in file.services_by_name.values()
        for method in service.methods
    )


def rpc(method: MethodDescriptor) -> Rpc:
    """Build the Rpc of a method descriptor."""
    service = method.containing_service
    options: Any = method.GetOptions()
    service_options: Any = service.GetOptions()
    http = options.Extensions[annotations_pb2.http]
    is_websocket = http.custom.kind == WEBSOCKET
    return Rpc(
        path=f"/{service.full_name}/{method.name}",
        request=GetMessageClass(method.input_type),
        response=GetMessageClass(method.output_type),
        input=method.input_type,
        output=method.output_type,
        client_streaming=method.client_streaming,
        server_streaming=method.server_streaming,
        surface=service_options.Extensions[options_pb2.service].surface,
        options=options.Extensions[options_pb2.method],
        http=http if options.HasExtension(annotations_pb2.http) and not is_websocket else None,
        websocket=http.custom.path if is_websocket else "",
    )
