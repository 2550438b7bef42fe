from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class TakeCallsRequest(_message.Message):
    __slots__ = ("wanted", "ended_lease_id", "unused")
    WANTED_FIELD_NUMBER: _ClassVar[int]
    ENDED_LEASE_ID_FIELD_NUMBER: _ClassVar[int]
    UNUSED_FIELD_NUMBER: _ClassVar[int]
    wanted: int
    ended_lease_id: str
    unused: int
    def __init__(self, wanted: _Optional[int] = ..., ended_lease_id: _Optional[str] = ..., unused: _Optional[int] = ...) -> None: ...

class TakeCallsResponse(_message.Message):
    __slots__ = ("lease_id", "calls", "seconds", "limit", "remaining", "reset")
    LEASE_ID_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    REMAINING_FIELD_NUMBER: _ClassVar[int]
    RESET_FIELD_NUMBER: _ClassVar[int]
    lease_id: str
    calls: int
    seconds: float
    limit: int
    remaining: int
    reset: int
    def __init__(self, lease_id: _Optional[str] = ..., calls: _Optional[int] = ..., seconds: _Optional[float] = ..., limit: _Optional[int] = ..., remaining: _Optional[int] = ..., reset: _Optional[int] = ...) -> None: ...

class GiveBackCallsRequest(_message.Message):
    __slots__ = ("lease_id", "unused")
    LEASE_ID_FIELD_NUMBER: _ClassVar[int]
    UNUSED_FIELD_NUMBER: _ClassVar[int]
    lease_id: str
    unused: int
    def __init__(self, lease_id: _Optional[str] = ..., unused: _Optional[int] = ...) -> None: ...

class GiveBackCallsResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
