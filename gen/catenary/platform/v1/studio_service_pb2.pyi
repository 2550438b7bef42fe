from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetStudioConfigRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetStudioConfigResponse(_message.Message):
    __slots__ = ("config",)
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    config: StudioConfig
    def __init__(self, config: _Optional[_Union[StudioConfig, _Mapping]] = ...) -> None: ...

class StudioConfig(_message.Message):
    __slots__ = ("issuers", "demo", "version")
    ISSUERS_FIELD_NUMBER: _ClassVar[int]
    DEMO_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    issuers: _containers.RepeatedCompositeFieldContainer[StudioIssuer]
    demo: bool
    version: str
    def __init__(self, issuers: _Optional[_Iterable[_Union[StudioIssuer, _Mapping]]] = ..., demo: _Optional[bool] = ..., version: _Optional[str] = ...) -> None: ...

class StudioIssuer(_message.Message):
    __slots__ = ("issuer", "studio_client_id", "name", "scope", "authorization_endpoint", "token_endpoint", "end_session_endpoint")
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    STUDIO_CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    AUTHORIZATION_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    END_SESSION_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    issuer: str
    studio_client_id: str
    name: str
    scope: str
    authorization_endpoint: str
    token_endpoint: str
    end_session_endpoint: str
    def __init__(self, issuer: _Optional[str] = ..., studio_client_id: _Optional[str] = ..., name: _Optional[str] = ..., scope: _Optional[str] = ..., authorization_endpoint: _Optional[str] = ..., token_endpoint: _Optional[str] = ..., end_session_endpoint: _Optional[str] = ...) -> None: ...
