import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import evaluation_pb2 as _evaluation_pb2
from catenary.platform.v1 import parameter_value_pb2 as _parameter_value_pb2
from catenary.type.v1 import json_pb2 as _json_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EvaluateRequest(_message.Message):
    __slots__ = ("project_id", "parameters", "force", "prefer", "values", "model_version_id", "geometry")
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _json_pb2.Json
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
    class ValuesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _parameter_value_pb2.ParameterValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_parameter_value_pb2.ParameterValue, _Mapping]] = ...) -> None: ...
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    FORCE_FIELD_NUMBER: _ClassVar[int]
    PREFER_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    parameters: _containers.MessageMap[str, _json_pb2.Json]
    force: bool
    prefer: str
    values: _containers.MessageMap[str, _parameter_value_pb2.ParameterValue]
    model_version_id: str
    geometry: bool
    def __init__(self, project_id: _Optional[str] = ..., parameters: _Optional[_Mapping[str, _json_pb2.Json]] = ..., force: _Optional[bool] = ..., prefer: _Optional[str] = ..., values: _Optional[_Mapping[str, _parameter_value_pb2.ParameterValue]] = ..., model_version_id: _Optional[str] = ..., geometry: _Optional[bool] = ...) -> None: ...

class EvaluateResponse(_message.Message):
    __slots__ = ("evaluation",)
    EVALUATION_FIELD_NUMBER: _ClassVar[int]
    evaluation: _evaluation_pb2.Evaluation
    def __init__(self, evaluation: _Optional[_Union[_evaluation_pb2.Evaluation, _Mapping]] = ...) -> None: ...

class ListEvaluationsRequest(_message.Message):
    __slots__ = ("project_id", "limit", "cursor", "status", "model_version_id", "asked_by", "batch_id", "study_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    ASKED_BY_FIELD_NUMBER: _ClassVar[int]
    BATCH_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    limit: int
    cursor: str
    status: _containers.RepeatedScalarFieldContainer[_evaluation_pb2.EvaluationStatus]
    model_version_id: _containers.RepeatedScalarFieldContainer[str]
    asked_by: _containers.RepeatedScalarFieldContainer[str]
    batch_id: _containers.RepeatedScalarFieldContainer[str]
    study_id: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, project_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ..., status: _Optional[_Iterable[_Union[_evaluation_pb2.EvaluationStatus, str]]] = ..., model_version_id: _Optional[_Iterable[str]] = ..., asked_by: _Optional[_Iterable[str]] = ..., batch_id: _Optional[_Iterable[str]] = ..., study_id: _Optional[_Iterable[str]] = ...) -> None: ...

class ListEvaluationsResponse(_message.Message):
    __slots__ = ("evaluations", "next_cursor")
    EVALUATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    evaluations: _containers.RepeatedCompositeFieldContainer[_evaluation_pb2.Evaluation]
    next_cursor: str
    def __init__(self, evaluations: _Optional[_Iterable[_Union[_evaluation_pb2.Evaluation, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class GetEvaluationRequest(_message.Message):
    __slots__ = ("evaluation_id", "prefer")
    EVALUATION_ID_FIELD_NUMBER: _ClassVar[int]
    PREFER_FIELD_NUMBER: _ClassVar[int]
    evaluation_id: str
    prefer: str
    def __init__(self, evaluation_id: _Optional[str] = ..., prefer: _Optional[str] = ...) -> None: ...

class GetEvaluationResponse(_message.Message):
    __slots__ = ("evaluation",)
    EVALUATION_FIELD_NUMBER: _ClassVar[int]
    evaluation: _evaluation_pb2.Evaluation
    def __init__(self, evaluation: _Optional[_Union[_evaluation_pb2.Evaluation, _Mapping]] = ...) -> None: ...

class CancelEvaluationRequest(_message.Message):
    __slots__ = ("evaluation_id", "remove")
    EVALUATION_ID_FIELD_NUMBER: _ClassVar[int]
    REMOVE_FIELD_NUMBER: _ClassVar[int]
    evaluation_id: str
    remove: bool
    def __init__(self, evaluation_id: _Optional[str] = ..., remove: _Optional[bool] = ...) -> None: ...

class CancelEvaluationResponse(_message.Message):
    __slots__ = ("evaluation",)
    EVALUATION_FIELD_NUMBER: _ClassVar[int]
    evaluation: _evaluation_pb2.Evaluation
    def __init__(self, evaluation: _Optional[_Union[_evaluation_pb2.Evaluation, _Mapping]] = ...) -> None: ...

class PurgeEvaluationsRequest(_message.Message):
    __slots__ = ("project_id", "older_than", "unused", "dry_run")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    OLDER_THAN_FIELD_NUMBER: _ClassVar[int]
    UNUSED_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    older_than: _timestamp_pb2.Timestamp
    unused: bool
    dry_run: bool
    def __init__(self, project_id: _Optional[str] = ..., older_than: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., unused: _Optional[bool] = ..., dry_run: _Optional[bool] = ...) -> None: ...

class PurgeEvaluationsResponse(_message.Message):
    __slots__ = ("removed", "more")
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    removed: int
    more: bool
    def __init__(self, removed: _Optional[int] = ..., more: _Optional[bool] = ...) -> None: ...

class DownloadGeometryRequest(_message.Message):
    __slots__ = ("evaluation_id", "name", "range", "if_range", "unit")
    EVALUATION_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    IF_RANGE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    evaluation_id: str
    name: str
    range: str
    if_range: str
    unit: str
    def __init__(self, evaluation_id: _Optional[str] = ..., name: _Optional[str] = ..., range: _Optional[str] = ..., if_range: _Optional[str] = ..., unit: _Optional[str] = ...) -> None: ...

class DownloadGeometryResponse(_message.Message):
    __slots__ = ("chunk",)
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ...) -> None: ...

class DownloadEvaluationFileRequest(_message.Message):
    __slots__ = ("evaluation_id", "name", "range", "if_range")
    EVALUATION_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    IF_RANGE_FIELD_NUMBER: _ClassVar[int]
    evaluation_id: str
    name: str
    range: str
    if_range: str
    def __init__(self, evaluation_id: _Optional[str] = ..., name: _Optional[str] = ..., range: _Optional[str] = ..., if_range: _Optional[str] = ...) -> None: ...

class DownloadEvaluationFileResponse(_message.Message):
    __slots__ = ("chunk",)
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ...) -> None: ...
