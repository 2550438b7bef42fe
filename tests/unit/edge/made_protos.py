"""Messages made for tests, where no proto of ours has the shape yet."""

from __future__ import annotations

from collections.abc import Callable

from google.api import annotations_pb2, http_pb2
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import ServiceDescriptor

from buf.validate import validate_pb2
from catenary.options.v1 import options_pb2
from catenary_edge.transcoding import services


def filters() -> services.Rpc:
    """Return a method with a request of arrays: text, ids and enums; and a bool, a double and a timestamp."""
    kind = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(
        name="filters.proto", package="filters", syntax="proto3", dependency=["google/protobuf/timestamp.proto"]
    )
    state = file.enum_type.add(name="State")
    for number, name in enumerate(("STATE_UNSPECIFIED", "STATE_ON", "STATE_OFF")):
        state.value.add(name=name, number=number)
    request = file.message_type.add(name="Request")
    request.field.add(name="title", number=1, type=kind.TYPE_STRING, label=kind.LABEL_REPEATED)
    ids = request.field.add(name="thing_id", number=2, type=kind.TYPE_STRING, label=kind.LABEL_REPEATED)
    ids.options.Extensions[validate_pb2.field].repeated.items.string.uuid = True
    request.field.add(
        name="state", number=3, type=kind.TYPE_ENUM, label=kind.LABEL_REPEATED, type_name=".filters.State"
    )
    request.field.add(name="flag", number=4, type=kind.TYPE_BOOL, label=kind.LABEL_OPTIONAL)
    request.field.add(name="amount", number=5, type=kind.TYPE_DOUBLE, label=kind.LABEL_OPTIONAL)
    request.field.add(
        name="at", number=6, type=kind.TYPE_MESSAGE, label=kind.LABEL_OPTIONAL, type_name=".google.protobuf.Timestamp"
    )
    service = file.service.add(name="FilterService")
    method = service.method.add(name="Filter", input_type=".filters.Request", output_type=".filters.Request")
    method.options.Extensions[options_pb2.method].privilege = options_pb2.PRIVILEGE_USER
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(descriptor_pool.Default().FindFileByName("google/protobuf/timestamp.proto").serialized_pb)
    pool.AddSerializedFile(file.SerializeToString())
    return services.rpc(pool.FindServiceByName("filters.FilterService").methods[0])


Alter = Callable[[descriptor_pb2.FileDescriptorProto, descriptor_pb2.DescriptorProto], None]
"""Adds to a file, and to one of its messages."""


PATCH = {"patch": "/v1/things/{id}", "body": "*"}


def shaped(alter: Alter, message: str, **binding: str) -> ServiceDescriptor:
    """Return a service with one method, PATCH unless it is bound otherwise.

    Its request is {id} and its answer {id}; `alter` changes the one named by `message`.
    """
    kind = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="shaped.proto", package="shaped", syntax="proto3")
    for name in ("Request", "Answer"):
        made = file.message_type.add(name=name)
        made.field.add(name="id", number=1, type=kind.TYPE_STRING, label=kind.LABEL_OPTIONAL)
        if name == message:
            alter(file, made)
    service = file.service.add(name="ShapedService")
    service.options.Extensions[options_pb2.service].surface = options_pb2.SURFACE_PLATFORM
    method = service.method.add(name="Call", input_type=".shaped.Request", output_type=".shaped.Answer")
    method.options.Extensions[options_pb2.method].privilege = options_pb2.PRIVILEGE_USER
    method.options.Extensions[annotations_pb2.http].MergeFrom(http_pb2.HttpRule(**(binding or PATCH)))
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return pool.FindServiceByName("shaped.ShapedService")
