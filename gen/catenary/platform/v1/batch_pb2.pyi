import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import evaluation_pb2 as _evaluation_pb2
from catenary.platform.v1 import model_pb2 as _model_pb2
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

class BatchStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BATCH_STATUS_UNSPECIFIED: _ClassVar[BatchStatus]
    BATCH_STATUS_QUEUED: _ClassVar[BatchStatus]
    BATCH_STATUS_RUNNING: _ClassVar[BatchStatus]
    BATCH_STATUS_COMPLETED: _ClassVar[BatchStatus]
    BATCH_STATUS_CANCELLED: _ClassVar[BatchStatus]
BATCH_STATUS_UNSPECIFIED: BatchStatus
BATCH_STATUS_QUEUED: BatchStatus
BATCH_STATUS_RUNNING: BatchStatus
BATCH_STATUS_COMPLETED: BatchStatus
BATCH_STATUS_CANCELLED: BatchStatus

class Batch(_message.Message):
    __slots__ = ("batch_id", "project_id", "status", "model_version_id", "counts", "created_by", "created_at", "updated_at", "started_at", "completed_at", "geometry", "name", "note", "error", "expected_end")
    BATCH_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_AT_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_END_FIELD_NUMBER: _ClassVar[int]
    batch_id: str
    project_id: str
    status: BatchStatus
    model_version_id: str
    counts: BatchCounts
    created_by: _user_pb2.UserReference
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    started_at: _timestamp_pb2.Timestamp
    completed_at: _timestamp_pb2.Timestamp
    geometry: bool
    name: str
    note: str
    error: BatchError
    expected_end: _timestamp_pb2.Timestamp
    def __init__(self, batch_id: _Optional[str] = ..., project_id: _Optional[str] = ..., status: _Optional[_Union[BatchStatus, str]] = ..., model_version_id: _Optional[str] = ..., counts: _Optional[_Union[BatchCounts, _Mapping]] = ..., created_by: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., completed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., geometry: _Optional[bool] = ..., name: _Optional[str] = ..., note: _Optional[str] = ..., error: _Optional[_Union[BatchError, _Mapping]] = ..., expected_end: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BatchError(_message.Message):
    __slots__ = ("code", "message")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    code: str
    message: str
    def __init__(self, code: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class BatchCounts(_message.Message):
    __slots__ = ("total", "queued", "running", "completed", "failed", "timed_out", "cancelled", "cached")
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    QUEUED_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    TIMED_OUT_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_FIELD_NUMBER: _ClassVar[int]
    CACHED_FIELD_NUMBER: _ClassVar[int]
    total: int
    queued: int
    running: int
    completed: int
    failed: int
    timed_out: int
    cancelled: int
    cached: int
    def __init__(self, total: _Optional[int] = ..., queued: _Optional[int] = ..., running: _Optional[int] = ..., completed: _Optional[int] = ..., failed: _Optional[int] = ..., timed_out: _Optional[int] = ..., cancelled: _Optional[int] = ..., cached: _Optional[int] = ...) -> None: ...

class BatchResult(_message.Message):
    __slots__ = ("index", "status", "parameters", "metrics", "constraints", "tables", "error", "cached", "duration_ms", "started_at", "completed_at", "evaluation_id", "geometry")
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _json_pb2.Json
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
    class MetricsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _evaluation_pb2.MetricValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_evaluation_pb2.MetricValue, _Mapping]] = ...) -> None: ...
    class ConstraintsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _evaluation_pb2.ConstraintValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_evaluation_pb2.ConstraintValue, _Mapping]] = ...) -> None: ...
    class TablesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _json_pb2.Json
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
    INDEX_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    CONSTRAINTS_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    CACHED_FIELD_NUMBER: _ClassVar[int]
    DURATION_MS_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_AT_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_ID_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    index: int
    status: _evaluation_pb2.EvaluationStatus
    parameters: _containers.MessageMap[str, _json_pb2.Json]
    metrics: _containers.MessageMap[str, _evaluation_pb2.MetricValue]
    constraints: _containers.MessageMap[str, _evaluation_pb2.ConstraintValue]
    tables: _containers.MessageMap[str, _json_pb2.Json]
    error: _model_pb2.ModelError
    cached: bool
    duration_ms: float
    started_at: _timestamp_pb2.Timestamp
    completed_at: _timestamp_pb2.Timestamp
    evaluation_id: str
    geometry: _containers.RepeatedCompositeFieldContainer[_evaluation_pb2.Geometry]
    def __init__(self, index: _Optional[int] = ..., status: _Optional[_Union[_evaluation_pb2.EvaluationStatus, str]] = ..., parameters: _Optional[_Mapping[str, _json_pb2.Json]] = ..., metrics: _Optional[_Mapping[str, _evaluation_pb2.MetricValue]] = ..., constraints: _Optional[_Mapping[str, _evaluation_pb2.ConstraintValue]] = ..., tables: _Optional[_Mapping[str, _json_pb2.Json]] = ..., error: _Optional[_Union[_model_pb2.ModelError, _Mapping]] = ..., cached: _Optional[bool] = ..., duration_ms: _Optional[float] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., completed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., evaluation_id: _Optional[str] = ..., geometry: _Optional[_Iterable[_Union[_evaluation_pb2.Geometry, _Mapping]]] = ...) -> None: ...

class BatchStreamItem(_message.Message):
    __slots__ = ("id", "result", "batch")
    ID_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    BATCH_FIELD_NUMBER: _ClassVar[int]
    id: str
    result: BatchResult
    batch: Batch
    def __init__(self, id: _Optional[str] = ..., result: _Optional[_Union[BatchResult, _Mapping]] = ..., batch: _Optional[_Union[Batch, _Mapping]] = ...) -> None: ...
