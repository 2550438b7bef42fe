import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import evaluation_pb2 as _evaluation_pb2
from catenary.platform.v1 import role_pb2 as _role_pb2
from catenary.platform.v1 import user_pb2 as _user_pb2
from catenary.type.v1 import json_pb2 as _json_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class VariantStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VARIANT_STATUS_UNSPECIFIED: _ClassVar[VariantStatus]
    VARIANT_STATUS_EVALUATING: _ClassVar[VariantStatus]
    VARIANT_STATUS_READY: _ClassVar[VariantStatus]
    VARIANT_STATUS_FAILED: _ClassVar[VariantStatus]
VARIANT_STATUS_UNSPECIFIED: VariantStatus
VARIANT_STATUS_EVALUATING: VariantStatus
VARIANT_STATUS_READY: VariantStatus
VARIANT_STATUS_FAILED: VariantStatus

class Variant(_message.Message):
    __slots__ = ("variant_id", "project_id", "name", "note", "status", "evaluation", "thumbnail", "created_by", "created_at", "updated_at", "deleted_at", "role")
    VARIANT_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_FIELD_NUMBER: _ClassVar[int]
    THUMBNAIL_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    variant_id: str
    project_id: str
    name: str
    note: str
    status: VariantStatus
    evaluation: _evaluation_pb2.Evaluation
    thumbnail: VariantThumbnail
    created_by: _user_pb2.UserReference
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    role: _role_pb2.Role
    def __init__(self, variant_id: _Optional[str] = ..., project_id: _Optional[str] = ..., name: _Optional[str] = ..., note: _Optional[str] = ..., status: _Optional[_Union[VariantStatus, str]] = ..., evaluation: _Optional[_Union[_evaluation_pb2.Evaluation, _Mapping]] = ..., thumbnail: _Optional[_Union[VariantThumbnail, _Mapping]] = ..., created_by: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., role: _Optional[_Union[_role_pb2.Role, str]] = ...) -> None: ...

class VariantThumbnail(_message.Message):
    __slots__ = ("url", "size")
    URL_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    url: str
    size: int
    def __init__(self, url: _Optional[str] = ..., size: _Optional[int] = ...) -> None: ...

class VariantComparison(_message.Message):
    __slots__ = ("variants", "parameters", "metrics")
    VARIANTS_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    variants: _containers.RepeatedCompositeFieldContainer[ComparedVariant]
    parameters: _containers.RepeatedCompositeFieldContainer[ComparedValue]
    metrics: _containers.RepeatedCompositeFieldContainer[ComparedValue]
    def __init__(self, variants: _Optional[_Iterable[_Union[ComparedVariant, _Mapping]]] = ..., parameters: _Optional[_Iterable[_Union[ComparedValue, _Mapping]]] = ..., metrics: _Optional[_Iterable[_Union[ComparedValue, _Mapping]]] = ...) -> None: ...

class ComparedVariant(_message.Message):
    __slots__ = ("variant_id", "name", "status", "model_version_id")
    VARIANT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    variant_id: str
    name: str
    status: VariantStatus
    model_version_id: str
    def __init__(self, variant_id: _Optional[str] = ..., name: _Optional[str] = ..., status: _Optional[_Union[VariantStatus, str]] = ..., model_version_id: _Optional[str] = ...) -> None: ...

class ComparedValue(_message.Message):
    __slots__ = ("name", "differs", "items")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DIFFERS_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    name: str
    differs: bool
    items: _containers.RepeatedCompositeFieldContainer[ComparedItem]
    def __init__(self, name: _Optional[str] = ..., differs: _Optional[bool] = ..., items: _Optional[_Iterable[_Union[ComparedItem, _Mapping]]] = ...) -> None: ...

class ComparedItem(_message.Message):
    __slots__ = ("value", "unit", "difference")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_FIELD_NUMBER: _ClassVar[int]
    value: _json_pb2.Json
    unit: str
    difference: _json_pb2.Json
    def __init__(self, value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., unit: _Optional[str] = ..., difference: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
