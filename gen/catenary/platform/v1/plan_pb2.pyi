import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
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

class PlanKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLAN_KIND_UNSPECIFIED: _ClassVar[PlanKind]
    PLAN_KIND_GRID: _ClassVar[PlanKind]
    PLAN_KIND_LATIN_HYPERCUBE: _ClassVar[PlanKind]
    PLAN_KIND_SOBOL: _ClassVar[PlanKind]
    PLAN_KIND_HALTON: _ClassVar[PlanKind]
    PLAN_KIND_CSV: _ClassVar[PlanKind]
PLAN_KIND_UNSPECIFIED: PlanKind
PLAN_KIND_GRID: PlanKind
PLAN_KIND_LATIN_HYPERCUBE: PlanKind
PLAN_KIND_SOBOL: PlanKind
PLAN_KIND_HALTON: PlanKind
PLAN_KIND_CSV: PlanKind

class Plan(_message.Message):
    __slots__ = ("plan_id", "project_id", "model_version_id", "kind", "seed", "count", "evaluations", "created_by", "created_at", "expires_at", "size")
    PLAN_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    EVALUATIONS_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    plan_id: str
    project_id: str
    model_version_id: str
    kind: PlanKind
    seed: int
    count: int
    evaluations: _containers.RepeatedCompositeFieldContainer[PlannedEvaluation]
    created_by: _user_pb2.UserReference
    created_at: _timestamp_pb2.Timestamp
    expires_at: _timestamp_pb2.Timestamp
    size: int
    def __init__(self, plan_id: _Optional[str] = ..., project_id: _Optional[str] = ..., model_version_id: _Optional[str] = ..., kind: _Optional[_Union[PlanKind, str]] = ..., seed: _Optional[int] = ..., count: _Optional[int] = ..., evaluations: _Optional[_Iterable[_Union[PlannedEvaluation, _Mapping]]] = ..., created_by: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., size: _Optional[int] = ...) -> None: ...

class PlanPoint(_message.Message):
    __slots__ = ("index", "parameters")
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _json_pb2.Json
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
    INDEX_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    index: int
    parameters: _containers.MessageMap[str, _json_pb2.Json]
    def __init__(self, index: _Optional[int] = ..., parameters: _Optional[_Mapping[str, _json_pb2.Json]] = ...) -> None: ...

class PlannedEvaluation(_message.Message):
    __slots__ = ("parameters",)
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _json_pb2.Json
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    parameters: _containers.MessageMap[str, _json_pb2.Json]
    def __init__(self, parameters: _Optional[_Mapping[str, _json_pb2.Json]] = ...) -> None: ...
