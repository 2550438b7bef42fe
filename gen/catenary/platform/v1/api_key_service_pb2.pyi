import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import api_key_pb2 as _api_key_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListApiKeysRequest(_message.Message):
    __slots__ = ("limit", "cursor", "search")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    limit: int
    cursor: str
    search: str
    def __init__(self, limit: _Optional[int] = ..., cursor: _Optional[str] = ..., search: _Optional[str] = ...) -> None: ...

class ListApiKeysResponse(_message.Message):
    __slots__ = ("api_keys", "next_cursor")
    API_KEYS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    api_keys: _containers.RepeatedCompositeFieldContainer[_api_key_pb2.ApiKey]
    next_cursor: str
    def __init__(self, api_keys: _Optional[_Iterable[_Union[_api_key_pb2.ApiKey, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class CreateApiKeyRequest(_message.Message):
    __slots__ = ("name", "scopes", "expires_at")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    name: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    expires_at: _timestamp_pb2.Timestamp
    def __init__(self, name: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CreateApiKeyResponse(_message.Message):
    __slots__ = ("api_key", "key")
    API_KEY_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    api_key: _api_key_pb2.ApiKey
    key: str
    def __init__(self, api_key: _Optional[_Union[_api_key_pb2.ApiKey, _Mapping]] = ..., key: _Optional[str] = ...) -> None: ...

class GetApiKeyRequest(_message.Message):
    __slots__ = ("api_key_id",)
    API_KEY_ID_FIELD_NUMBER: _ClassVar[int]
    api_key_id: str
    def __init__(self, api_key_id: _Optional[str] = ...) -> None: ...

class GetApiKeyResponse(_message.Message):
    __slots__ = ("api_key",)
    API_KEY_FIELD_NUMBER: _ClassVar[int]
    api_key: _api_key_pb2.ApiKey
    def __init__(self, api_key: _Optional[_Union[_api_key_pb2.ApiKey, _Mapping]] = ...) -> None: ...

class DeleteApiKeyRequest(_message.Message):
    __slots__ = ("api_key_id",)
    API_KEY_ID_FIELD_NUMBER: _ClassVar[int]
    api_key_id: str
    def __init__(self, api_key_id: _Optional[str] = ...) -> None: ...

class DeleteApiKeyResponse(_message.Message):
    __slots__ = ("api_key",)
    API_KEY_FIELD_NUMBER: _ClassVar[int]
    api_key: _api_key_pb2.ApiKey
    def __init__(self, api_key: _Optional[_Union[_api_key_pb2.ApiKey, _Mapping]] = ...) -> None: ...
