from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ReportRefusalsRequest(_message.Message):
    __slots__ = ("refusals",)
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    refusals: _containers.RepeatedCompositeFieldContainer[Refusal]
    def __init__(self, refusals: _Optional[_Iterable[_Union[Refusal, _Mapping]]] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("user_id", "address", "action", "reason", "request_id", "count")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    address: str
    action: str
    reason: str
    request_id: str
    count: int
    def __init__(self, user_id: _Optional[str] = ..., address: _Optional[str] = ..., action: _Optional[str] = ..., reason: _Optional[str] = ..., request_id: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class ReportRefusalsResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
