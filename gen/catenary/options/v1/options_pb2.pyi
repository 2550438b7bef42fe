from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Surface(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SURFACE_UNSPECIFIED: _ClassVar[Surface]
    SURFACE_PLATFORM: _ClassVar[Surface]
    SURFACE_COMMENTS: _ClassVar[Surface]
    SURFACE_REFERENCE: _ClassVar[Surface]
    SURFACE_QA: _ClassVar[Surface]
    SURFACE_ENVIRONMENT: _ClassVar[Surface]
    SURFACE_PARAMETER: _ClassVar[Surface]
    SURFACE_METADATA: _ClassVar[Surface]

class Privilege(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PRIVILEGE_UNSPECIFIED: _ClassVar[Privilege]
    PRIVILEGE_PUBLIC: _ClassVar[Privilege]
    PRIVILEGE_USER: _ClassVar[Privilege]
    PRIVILEGE_ADMIN: _ClassVar[Privilege]
    PRIVILEGE_PROJECT_VIEWER: _ClassVar[Privilege]
    PRIVILEGE_PROJECT_EVALUATOR: _ClassVar[Privilege]
    PRIVILEGE_PROJECT_EDITOR: _ClassVar[Privilege]
    PRIVILEGE_PROJECT_OWNER: _ClassVar[Privilege]
    PRIVILEGE_WORKER: _ClassVar[Privilege]

class Limit(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LIMIT_UNSPECIFIED: _ClassVar[Limit]
    LIMIT_STANDARD: _ClassVar[Limit]
    LIMIT_EVALUATION: _ClassVar[Limit]
    LIMIT_BULK: _ClassVar[Limit]

class Cache(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CACHE_UNSPECIFIED: _ClassVar[Cache]
    CACHE_NO_CACHE: _ClassVar[Cache]
    CACHE_NO_STORE: _ClassVar[Cache]
    CACHE_IMMUTABLE: _ClassVar[Cache]

class Stage(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STAGE_UNSPECIFIED: _ClassVar[Stage]
    STAGE_STABLE: _ClassVar[Stage]
    STAGE_BETA: _ClassVar[Stage]
    STAGE_ALPHA: _ClassVar[Stage]
    STAGE_DEPRECATED: _ClassVar[Stage]

class BodyStyle(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BODY_STYLE_UNSPECIFIED: _ClassVar[BodyStyle]
    BODY_STYLE_BARE: _ClassVar[BodyStyle]
    BODY_STYLE_OAUTH: _ClassVar[BodyStyle]
SURFACE_UNSPECIFIED: Surface
SURFACE_PLATFORM: Surface
SURFACE_COMMENTS: Surface
SURFACE_REFERENCE: Surface
SURFACE_QA: Surface
SURFACE_ENVIRONMENT: Surface
SURFACE_PARAMETER: Surface
SURFACE_METADATA: Surface
PRIVILEGE_UNSPECIFIED: Privilege
PRIVILEGE_PUBLIC: Privilege
PRIVILEGE_USER: Privilege
PRIVILEGE_ADMIN: Privilege
PRIVILEGE_PROJECT_VIEWER: Privilege
PRIVILEGE_PROJECT_EVALUATOR: Privilege
PRIVILEGE_PROJECT_EDITOR: Privilege
PRIVILEGE_PROJECT_OWNER: Privilege
PRIVILEGE_WORKER: Privilege
LIMIT_UNSPECIFIED: Limit
LIMIT_STANDARD: Limit
LIMIT_EVALUATION: Limit
LIMIT_BULK: Limit
CACHE_UNSPECIFIED: Cache
CACHE_NO_CACHE: Cache
CACHE_NO_STORE: Cache
CACHE_IMMUTABLE: Cache
STAGE_UNSPECIFIED: Stage
STAGE_STABLE: Stage
STAGE_BETA: Stage
STAGE_ALPHA: Stage
STAGE_DEPRECATED: Stage
BODY_STYLE_UNSPECIFIED: BodyStyle
BODY_STYLE_BARE: BodyStyle
BODY_STYLE_OAUTH: BodyStyle
SERVICE_FIELD_NUMBER: _ClassVar[int]
service: _descriptor.FieldDescriptor
METHOD_FIELD_NUMBER: _ClassVar[int]
method: _descriptor.FieldDescriptor
FIELD_FIELD_NUMBER: _ClassVar[int]
field: _descriptor.FieldDescriptor

class ServiceOptions(_message.Message):
    __slots__ = ("surface",)
    SURFACE_FIELD_NUMBER: _ClassVar[int]
    surface: Surface
    def __init__(self, surface: _Optional[_Union[Surface, str]] = ...) -> None: ...

class Deprecation(_message.Message):
    __slots__ = ("announced_on", "deprecated_on", "sunset_on", "successor")
    ANNOUNCED_ON_FIELD_NUMBER: _ClassVar[int]
    DEPRECATED_ON_FIELD_NUMBER: _ClassVar[int]
    SUNSET_ON_FIELD_NUMBER: _ClassVar[int]
    SUCCESSOR_FIELD_NUMBER: _ClassVar[int]
    announced_on: str
    deprecated_on: str
    sunset_on: str
    successor: str
    def __init__(self, announced_on: _Optional[str] = ..., deprecated_on: _Optional[str] = ..., sunset_on: _Optional[str] = ..., successor: _Optional[str] = ...) -> None: ...

class MethodOptions(_message.Message):
    __slots__ = ("privilege", "success", "limit", "cache", "events", "stage", "deprecation", "body_style", "upload_types", "download")
    PRIVILEGE_FIELD_NUMBER: _ClassVar[int]
    SUCCESS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CACHE_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    DEPRECATION_FIELD_NUMBER: _ClassVar[int]
    BODY_STYLE_FIELD_NUMBER: _ClassVar[int]
    UPLOAD_TYPES_FIELD_NUMBER: _ClassVar[int]
    DOWNLOAD_FIELD_NUMBER: _ClassVar[int]
    privilege: Privilege
    success: int
    limit: Limit
    cache: Cache
    events: _containers.RepeatedScalarFieldContainer[str]
    stage: Stage
    deprecation: Deprecation
    body_style: BodyStyle
    upload_types: _containers.RepeatedScalarFieldContainer[str]
    download: bool
    def __init__(self, privilege: _Optional[_Union[Privilege, str]] = ..., success: _Optional[int] = ..., limit: _Optional[_Union[Limit, str]] = ..., cache: _Optional[_Union[Cache, str]] = ..., events: _Optional[_Iterable[str]] = ..., stage: _Optional[_Union[Stage, str]] = ..., deprecation: _Optional[_Union[Deprecation, _Mapping]] = ..., body_style: _Optional[_Union[BodyStyle, str]] = ..., upload_types: _Optional[_Iterable[str]] = ..., download: _Optional[bool] = ...) -> None: ...

class FieldOptions(_message.Message):
    __slots__ = ("header", "secret", "grpc_only")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    GRPC_ONLY_FIELD_NUMBER: _ClassVar[int]
    header: str
    secret: bool
    grpc_only: bool
    def __init__(self, header: _Optional[str] = ..., secret: _Optional[bool] = ..., grpc_only: _Optional[bool] = ...) -> None: ...
