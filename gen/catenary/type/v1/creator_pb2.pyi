from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class Creator(_message.Message):
    __slots__ = ("staff_name", "email")
    STAFF_NAME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    staff_name: str
    email: str
    def __init__(self, staff_name: _Optional[str] = ..., email: _Optional[str] = ...) -> None: ...
