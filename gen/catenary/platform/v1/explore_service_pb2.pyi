from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import evaluation_pb2 as _evaluation_pb2
from catenary.platform.v1 import model_pb2 as _model_pb2
from catenary.type.v1 import json_pb2 as _json_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExploreRequest(_message.Message):
    __slots__ = ("project_id", "model_version_id", "id", "parameters", "geometry")
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _json_pb2.Json
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    model_version_id: str
    id: int
    parameters: _containers.MessageMap[str, _json_pb2.Json]
    geometry: bool
    def __init__(self, project_id: _Optional[str] = ..., model_version_id: _Optional[str] = ..., id: _Optional[int] = ..., parameters: _Optional[_Mapping[str, _json_pb2.Json]] = ..., geometry: _Optional[bool] = ...) -> None: ...

class ExploreResponse(_message.Message):
    __slots__ = ("id", "evaluation", "geometry", "error", "superseded", "chunk", "session")
    ID_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    id: int
    evaluation: ExploredEvaluation
    geometry: ExploredGeometry
    error: ExploreError
    superseded: bool
    chunk: bytes
    session: ExploredSession
    def __init__(self, id: _Optional[int] = ..., evaluation: _Optional[_Union[ExploredEvaluation, _Mapping]] = ..., geometry: _Optional[_Union[ExploredGeometry, _Mapping]] = ..., error: _Optional[_Union[ExploreError, _Mapping]] = ..., superseded: _Optional[bool] = ..., chunk: _Optional[bytes] = ..., session: _Optional[_Union[ExploredSession, _Mapping]] = ...) -> None: ...

class ExploredSession(_message.Message):
    __slots__ = ("model_version_id", "parameters", "repeatable")
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    REPEATABLE_FIELD_NUMBER: _ClassVar[int]
    model_version_id: str
    parameters: _containers.RepeatedCompositeFieldContainer[_model_pb2.ModelParameter]
    repeatable: bool
    def __init__(self, model_version_id: _Optional[str] = ..., parameters: _Optional[_Iterable[_Union[_model_pb2.ModelParameter, _Mapping]]] = ..., repeatable: _Optional[bool] = ...) -> None: ...

class ExploredEvaluation(_message.Message):
    __slots__ = ("status", "model_version_id", "parameters", "metrics", "constraints", "tables", "error", "duration_ms", "charts", "files")
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
    STATUS_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    CONSTRAINTS_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    DURATION_MS_FIELD_NUMBER: _ClassVar[int]
    CHARTS_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    status: _evaluation_pb2.EvaluationStatus
    model_version_id: str
    parameters: _containers.MessageMap[str, _json_pb2.Json]
    metrics: _containers.MessageMap[str, _evaluation_pb2.MetricValue]
    constraints: _containers.MessageMap[str, _evaluation_pb2.ConstraintValue]
    tables: _containers.MessageMap[str, _json_pb2.Json]
    error: _model_pb2.ModelError
    duration_ms: float
    charts: _containers.RepeatedCompositeFieldContainer[_evaluation_pb2.Chart]
    files: _containers.RepeatedCompositeFieldContainer[ExploredOutput]
    def __init__(self, status: _Optional[_Union[_evaluation_pb2.EvaluationStatus, str]] = ..., model_version_id: _Optional[str] = ..., parameters: _Optional[_Mapping[str, _json_pb2.Json]] = ..., metrics: _Optional[_Mapping[str, _evaluation_pb2.MetricValue]] = ..., constraints: _Optional[_Mapping[str, _evaluation_pb2.ConstraintValue]] = ..., tables: _Optional[_Mapping[str, _json_pb2.Json]] = ..., error: _Optional[_Union[_model_pb2.ModelError, _Mapping]] = ..., duration_ms: _Optional[float] = ..., charts: _Optional[_Iterable[_Union[_evaluation_pb2.Chart, _Mapping]]] = ..., files: _Optional[_Iterable[_Union[ExploredOutput, _Mapping]]] = ...) -> None: ...

class ExploredOutput(_message.Message):
    __slots__ = ("name", "media_type", "size")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    name: str
    media_type: str
    size: int
    def __init__(self, name: _Optional[str] = ..., media_type: _Optional[str] = ..., size: _Optional[int] = ...) -> None: ...

class ExploredGeometry(_message.Message):
    __slots__ = ("files",)
    FILES_FIELD_NUMBER: _ClassVar[int]
    files: _containers.RepeatedCompositeFieldContainer[ExploredFile]
    def __init__(self, files: _Optional[_Iterable[_Union[ExploredFile, _Mapping]]] = ...) -> None: ...

class ExploredFile(_message.Message):
    __slots__ = ("name", "format", "size", "unit")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    name: str
    format: str
    size: int
    unit: str
    def __init__(self, name: _Optional[str] = ..., format: _Optional[str] = ..., size: _Optional[int] = ..., unit: _Optional[str] = ...) -> None: ...

class ExploreError(_message.Message):
    __slots__ = ("code", "message", "details")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    code: str
    message: str
    details: _json_pb2.Json
    def __init__(self, code: _Optional[str] = ..., message: _Optional[str] = ..., details: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
