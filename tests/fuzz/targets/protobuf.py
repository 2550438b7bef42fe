"""The reading and checking of a gRPC request by the core.

An input: two bytes that choose the method, then the serialized message.
"""

from __future__ import annotations

import zlib
from functools import cache

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass

from catenary_core.call import validation
from catenary_core.call.errors import DomainError
from catenary_core.call.methods import service_descriptors

METHODS = sorted(
    (method for service in service_descriptors() for method in service.methods), key=lambda method: method.full_name
)


@cache
def _method(choice: bytes) -> MethodDescriptor:
    """Return the method of a choice; a new method takes over few choices, so that the corpus stays of use."""
    return min(METHODS, key=lambda method: zlib.crc32(choice + method.full_name.encode()))


def run(data: bytes) -> str:
    """Read one request: what is refused is a VALIDATION_ERROR that names fields."""
    message = GetMessageClass(_method(data[:2]).input_type)()
    try:
        message.ParseFromString(data[2:])
    except DecodeError:
        return "refused"
    validation.lower_ids(message)
    try:
        validation.check(message)
    except DomainError as refused:
        assert refused.reason == "VALIDATION_ERROR", refused.reason
        return "refused"
    return "taken"
