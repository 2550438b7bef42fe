"""Messages made for tests, where no proto of ours has the shape yet."""

from __future__ import annotations

from google.protobuf import descriptor_pb2, descriptor_pool

from buf.validate import validate_pb2
from catenary.options.v1 import options_pb2
from catenary_edge.transcoding import services


def filters() -> services.Rpc:
    """A method with a request of arrays: text, ids and enums; and a bool, a double and a timestamp."""
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
    request.oneof_decl.add(name="choice")
    for number, name in ((7, "left"), (8, "right")):
        request.field.add(name=name, number=number, type=kind.TYPE_STRING, label=kind.LABEL_OPTIONAL, oneof_index=0)
    service = file.service.add(name="FilterService")
    method = service.method.add(name="Filter", input_type=".filters.Request", output_type=".filters.Request")
    method.options.Extensions[options_pb2.method].privilege = options_pb2.PRIVILEGE_USER
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(descriptor_pool.Default().FindFileByName("google/protobuf/timestamp.proto").serialized_pb)
    pool.AddSerializedFile(file.SerializeToString())
    return services.rpc(pool.FindServiceByName("filters.FilterService").methods[0])
