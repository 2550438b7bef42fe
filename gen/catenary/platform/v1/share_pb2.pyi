import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import role_pb2 as _role_pb2
from catenary.platform.v1 import user_pb2 as _user_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ShareKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SHARE_KIND_UNSPECIFIED: _ClassVar[ShareKind]
    SHARE_KIND_USER: _ClassVar[ShareKind]
    SHARE_KIND_TEAM: _ClassVar[ShareKind]
    SHARE_KIND_LINK: _ClassVar[ShareKind]
SHARE_KIND_UNSPECIFIED: ShareKind
SHARE_KIND_USER: ShareKind
SHARE_KIND_TEAM: ShareKind
SHARE_KIND_LINK: ShareKind

class Share(_message.Message):
    __slots__ = ("share_id", "project_id", "kind", "user_id", "team_id", "name", "role", "variant_id", "expires_at", "created_by", "created_at", "updated_at", "deleted_at")
    SHARE_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    VARIANT_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    share_id: str
    project_id: str
    kind: ShareKind
    user_id: str
    team_id: str
    name: str
    role: _role_pb2.Role
    variant_id: str
    expires_at: _timestamp_pb2.Timestamp
    created_by: _user_pb2.UserReference
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, share_id: _Optional[str] = ..., project_id: _Optional[str] = ..., kind: _Optional[_Union[ShareKind, str]] = ..., user_id: _Optional[str] = ..., team_id: _Optional[str] = ..., name: _Optional[str] = ..., role: _Optional[_Union[_role_pb2.Role, str]] = ..., variant_id: _Optional[str] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_by: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class LinkedShare(_message.Message):
    __slots__ = ("share_id", "project_id", "variant_id", "expires_at")
    SHARE_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    VARIANT_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    share_id: str
    project_id: str
    variant_id: str
    expires_at: _timestamp_pb2.Timestamp
    def __init__(self, share_id: _Optional[str] = ..., project_id: _Optional[str] = ..., variant_id: _Optional[str] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
