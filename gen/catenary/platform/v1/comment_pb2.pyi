import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import camera_pb2 as _camera_pb2
from catenary.platform.v1 import user_pb2 as _user_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Comment(_message.Message):
    __slots__ = ("comment_id", "project_id", "variant_id", "parent_id", "content", "anchor", "camera", "mentions", "resolved", "resolved_by", "resolved_at", "created_by", "created_at", "updated_at", "deleted_at")
    COMMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    VARIANT_ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    ANCHOR_FIELD_NUMBER: _ClassVar[int]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    MENTIONS_FIELD_NUMBER: _ClassVar[int]
    RESOLVED_FIELD_NUMBER: _ClassVar[int]
    RESOLVED_BY_FIELD_NUMBER: _ClassVar[int]
    RESOLVED_AT_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    comment_id: str
    project_id: str
    variant_id: str
    parent_id: str
    content: str
    anchor: CommentAnchor
    camera: _camera_pb2.Camera
    mentions: _containers.RepeatedScalarFieldContainer[str]
    resolved: bool
    resolved_by: _user_pb2.UserReference
    resolved_at: _timestamp_pb2.Timestamp
    created_by: _user_pb2.UserReference
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, comment_id: _Optional[str] = ..., project_id: _Optional[str] = ..., variant_id: _Optional[str] = ..., parent_id: _Optional[str] = ..., content: _Optional[str] = ..., anchor: _Optional[_Union[CommentAnchor, _Mapping]] = ..., camera: _Optional[_Union[_camera_pb2.Camera, _Mapping]] = ..., mentions: _Optional[_Iterable[str]] = ..., resolved: _Optional[bool] = ..., resolved_by: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., resolved_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_by: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CommentAnchor(_message.Message):
    __slots__ = ("x", "y", "z", "geometry", "part")
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    Z_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    x: float
    y: float
    z: float
    geometry: str
    part: str
    def __init__(self, x: _Optional[float] = ..., y: _Optional[float] = ..., z: _Optional[float] = ..., geometry: _Optional[str] = ..., part: _Optional[str] = ...) -> None: ...
