import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import event_pb2 as _event_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SubscribeRequest(_message.Message):
    __slots__ = ("project_id", "types", "after", "last_event_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    LAST_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    types: _containers.RepeatedScalarFieldContainer[str]
    after: str
    last_event_id: str
    def __init__(self, project_id: _Optional[str] = ..., types: _Optional[_Iterable[str]] = ..., after: _Optional[str] = ..., last_event_id: _Optional[str] = ...) -> None: ...

class SubscribeResponse(_message.Message):
    __slots__ = ("events", "position")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_event_pb2.Event]
    position: str
    def __init__(self, events: _Optional[_Iterable[_Union[_event_pb2.Event, _Mapping]]] = ..., position: _Optional[str] = ...) -> None: ...

class CreateSystemEventRequest(_message.Message):
    __slots__ = ("type", "message", "starts_at", "ends_at", "release")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    STARTS_AT_FIELD_NUMBER: _ClassVar[int]
    ENDS_AT_FIELD_NUMBER: _ClassVar[int]
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    type: str
    message: str
    starts_at: _timestamp_pb2.Timestamp
    ends_at: _timestamp_pb2.Timestamp
    release: str
    def __init__(self, type: _Optional[str] = ..., message: _Optional[str] = ..., starts_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ends_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., release: _Optional[str] = ...) -> None: ...

class CreateSystemEventResponse(_message.Message):
    __slots__ = ("system_event",)
    SYSTEM_EVENT_FIELD_NUMBER: _ClassVar[int]
    system_event: _event_pb2.SystemEvent
    def __init__(self, system_event: _Optional[_Union[_event_pb2.SystemEvent, _Mapping]] = ...) -> None: ...
