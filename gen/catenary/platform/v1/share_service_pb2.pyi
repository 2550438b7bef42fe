import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import role_pb2 as _role_pb2
from catenary.platform.v1 import share_pb2 as _share_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListSharesRequest(_message.Message):
    __slots__ = ("project_id", "limit", "cursor")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    limit: int
    cursor: str
    def __init__(self, project_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListSharesResponse(_message.Message):
    __slots__ = ("shares", "next_cursor")
    SHARES_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    shares: _containers.RepeatedCompositeFieldContainer[_share_pb2.Share]
    next_cursor: str
    def __init__(self, shares: _Optional[_Iterable[_Union[_share_pb2.Share, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class CreateShareRequest(_message.Message):
    __slots__ = ("project_id", "kind", "user_id", "team_id", "role", "variant_id", "expires_at")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    VARIANT_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    kind: _share_pb2.ShareKind
    user_id: str
    team_id: str
    role: _role_pb2.Role
    variant_id: str
    expires_at: _timestamp_pb2.Timestamp
    def __init__(self, project_id: _Optional[str] = ..., kind: _Optional[_Union[_share_pb2.ShareKind, str]] = ..., user_id: _Optional[str] = ..., team_id: _Optional[str] = ..., role: _Optional[_Union[_role_pb2.Role, str]] = ..., variant_id: _Optional[str] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CreateShareResponse(_message.Message):
    __slots__ = ("share", "url")
    SHARE_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    share: _share_pb2.Share
    url: str
    def __init__(self, share: _Optional[_Union[_share_pb2.Share, _Mapping]] = ..., url: _Optional[str] = ...) -> None: ...

class GetShareRequest(_message.Message):
    __slots__ = ("project_id", "share_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    SHARE_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    share_id: str
    def __init__(self, project_id: _Optional[str] = ..., share_id: _Optional[str] = ...) -> None: ...

class GetShareResponse(_message.Message):
    __slots__ = ("share",)
    SHARE_FIELD_NUMBER: _ClassVar[int]
    share: _share_pb2.Share
    def __init__(self, share: _Optional[_Union[_share_pb2.Share, _Mapping]] = ...) -> None: ...

class GetCurrentShareRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetCurrentShareResponse(_message.Message):
    __slots__ = ("share",)
    SHARE_FIELD_NUMBER: _ClassVar[int]
    share: _share_pb2.LinkedShare
    def __init__(self, share: _Optional[_Union[_share_pb2.LinkedShare, _Mapping]] = ...) -> None: ...

class DeleteShareRequest(_message.Message):
    __slots__ = ("project_id", "share_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    SHARE_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    share_id: str
    def __init__(self, project_id: _Optional[str] = ..., share_id: _Optional[str] = ...) -> None: ...

class DeleteShareResponse(_message.Message):
    __slots__ = ("share",)
    SHARE_FIELD_NUMBER: _ClassVar[int]
    share: _share_pb2.Share
    def __init__(self, share: _Optional[_Union[_share_pb2.Share, _Mapping]] = ...) -> None: ...
