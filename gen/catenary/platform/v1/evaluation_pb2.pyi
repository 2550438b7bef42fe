import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
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

class EvaluationStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVALUATION_STATUS_UNSPECIFIED: _ClassVar[EvaluationStatus]
    EVALUATION_STATUS_QUEUED: _ClassVar[EvaluationStatus]
    EVALUATION_STATUS_RUNNING: _ClassVar[EvaluationStatus]
    EVALUATION_STATUS_COMPLETED: _ClassVar[EvaluationStatus]
    EVALUATION_STATUS_FAILED: _ClassVar[EvaluationStatus]
    EVALUATION_STATUS_TIMED_OUT: _ClassVar[EvaluationStatus]
    EVALUATION_STATUS_CANCELLED: _ClassVar[EvaluationStatus]

class ChartKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHART_KIND_UNSPECIFIED: _ClassVar[ChartKind]
    CHART_KIND_LINE: _ClassVar[ChartKind]
    CHART_KIND_BAR: _ClassVar[ChartKind]
    CHART_KIND_SCATTER: _ClassVar[ChartKind]

class GeometryPartKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GEOMETRY_PART_KIND_UNSPECIFIED: _ClassVar[GeometryPartKind]
    GEOMETRY_PART_KIND_SOLID: _ClassVar[GeometryPartKind]
    GEOMETRY_PART_KIND_SURFACE: _ClassVar[GeometryPartKind]
    GEOMETRY_PART_KIND_LINES: _ClassVar[GeometryPartKind]

class GeometryMeasurement(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GEOMETRY_MEASUREMENT_UNSPECIFIED: _ClassVar[GeometryMeasurement]
    GEOMETRY_MEASUREMENT_MESH: _ClassVar[GeometryMeasurement]
    GEOMETRY_MEASUREMENT_EXACT: _ClassVar[GeometryMeasurement]
EVALUATION_STATUS_UNSPECIFIED: EvaluationStatus
EVALUATION_STATUS_QUEUED: EvaluationStatus
EVALUATION_STATUS_RUNNING: EvaluationStatus
EVALUATION_STATUS_COMPLETED: EvaluationStatus
EVALUATION_STATUS_FAILED: EvaluationStatus
EVALUATION_STATUS_TIMED_OUT: EvaluationStatus
EVALUATION_STATUS_CANCELLED: EvaluationStatus
CHART_KIND_UNSPECIFIED: ChartKind
CHART_KIND_LINE: ChartKind
CHART_KIND_BAR: ChartKind
CHART_KIND_SCATTER: ChartKind
GEOMETRY_PART_KIND_UNSPECIFIED: GeometryPartKind
GEOMETRY_PART_KIND_SOLID: GeometryPartKind
GEOMETRY_PART_KIND_SURFACE: GeometryPartKind
GEOMETRY_PART_KIND_LINES: GeometryPartKind
GEOMETRY_MEASUREMENT_UNSPECIFIED: GeometryMeasurement
GEOMETRY_MEASUREMENT_MESH: GeometryMeasurement
GEOMETRY_MEASUREMENT_EXACT: GeometryMeasurement

class Evaluation(_message.Message):
    __slots__ = ("evaluation_id", "project_id", "status", "model_version_id", "parameters", "metrics", "constraints", "geometry", "tables", "error", "cached", "duration_ms", "created_by", "created_at", "updated_at", "started_at", "completed_at", "log", "files", "charts", "progress", "batch_id", "study_id", "index")
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
        value: MetricValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[MetricValue, _Mapping]] = ...) -> None: ...
    class ConstraintsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: ConstraintValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[ConstraintValue, _Mapping]] = ...) -> None: ...
    class TablesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _json_pb2.Json
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
    EVALUATION_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    CONSTRAINTS_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    CACHED_FIELD_NUMBER: _ClassVar[int]
    DURATION_MS_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_AT_FIELD_NUMBER: _ClassVar[int]
    LOG_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    CHARTS_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    BATCH_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    evaluation_id: str
    project_id: str
    status: EvaluationStatus
    model_version_id: str
    parameters: _containers.MessageMap[str, _json_pb2.Json]
    metrics: _containers.MessageMap[str, MetricValue]
    constraints: _containers.MessageMap[str, ConstraintValue]
    geometry: _containers.RepeatedCompositeFieldContainer[Geometry]
    tables: _containers.MessageMap[str, _json_pb2.Json]
    error: _model_pb2.ModelError
    cached: bool
    duration_ms: float
    created_by: _user_pb2.UserReference
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    started_at: _timestamp_pb2.Timestamp
    completed_at: _timestamp_pb2.Timestamp
    log: str
    files: _containers.RepeatedCompositeFieldContainer[EvaluationFile]
    charts: _containers.RepeatedCompositeFieldContainer[Chart]
    progress: EvaluationProgress
    batch_id: str
    study_id: str
    index: int
    def __init__(self, evaluation_id: _Optional[str] = ..., project_id: _Optional[str] = ..., status: _Optional[_Union[EvaluationStatus, str]] = ..., model_version_id: _Optional[str] = ..., parameters: _Optional[_Mapping[str, _json_pb2.Json]] = ..., metrics: _Optional[_Mapping[str, MetricValue]] = ..., constraints: _Optional[_Mapping[str, ConstraintValue]] = ..., geometry: _Optional[_Iterable[_Union[Geometry, _Mapping]]] = ..., tables: _Optional[_Mapping[str, _json_pb2.Json]] = ..., error: _Optional[_Union[_model_pb2.ModelError, _Mapping]] = ..., cached: _Optional[bool] = ..., duration_ms: _Optional[float] = ..., created_by: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., completed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., log: _Optional[str] = ..., files: _Optional[_Iterable[_Union[EvaluationFile, _Mapping]]] = ..., charts: _Optional[_Iterable[_Union[Chart, _Mapping]]] = ..., progress: _Optional[_Union[EvaluationProgress, _Mapping]] = ..., batch_id: _Optional[str] = ..., study_id: _Optional[str] = ..., index: _Optional[int] = ...) -> None: ...

class EvaluationProgress(_message.Message):
    __slots__ = ("fraction", "message", "output")
    FRACTION_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    fraction: float
    message: str
    output: str
    def __init__(self, fraction: _Optional[float] = ..., message: _Optional[str] = ..., output: _Optional[str] = ...) -> None: ...

class EvaluationFile(_message.Message):
    __slots__ = ("name", "media_type", "url", "size", "sha256")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    name: str
    media_type: str
    url: str
    size: int
    sha256: str
    def __init__(self, name: _Optional[str] = ..., media_type: _Optional[str] = ..., url: _Optional[str] = ..., size: _Optional[int] = ..., sha256: _Optional[str] = ...) -> None: ...

class Chart(_message.Message):
    __slots__ = ("name", "kind", "table", "x", "y")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    name: str
    kind: ChartKind
    table: str
    x: str
    y: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., kind: _Optional[_Union[ChartKind, str]] = ..., table: _Optional[str] = ..., x: _Optional[str] = ..., y: _Optional[_Iterable[str]] = ...) -> None: ...

class MetricValue(_message.Message):
    __slots__ = ("value", "unit")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    value: _json_pb2.Json
    unit: str
    def __init__(self, value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., unit: _Optional[str] = ...) -> None: ...

class ConstraintValue(_message.Message):
    __slots__ = ("value", "satisfied", "metric", "op", "limit", "unit")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SATISFIED_FIELD_NUMBER: _ClassVar[int]
    METRIC_FIELD_NUMBER: _ClassVar[int]
    OP_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    value: _json_pb2.Json
    satisfied: bool
    metric: str
    op: str
    limit: _json_pb2.Json
    unit: str
    def __init__(self, value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., satisfied: _Optional[bool] = ..., metric: _Optional[str] = ..., op: _Optional[str] = ..., limit: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., unit: _Optional[str] = ...) -> None: ...

class Geometry(_message.Message):
    __slots__ = ("name", "format", "url", "size", "sha256", "parts", "unit")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    name: str
    format: str
    url: str
    size: int
    sha256: str
    parts: _containers.RepeatedCompositeFieldContainer[GeometryPart]
    unit: str
    def __init__(self, name: _Optional[str] = ..., format: _Optional[str] = ..., url: _Optional[str] = ..., size: _Optional[int] = ..., sha256: _Optional[str] = ..., parts: _Optional[_Iterable[_Union[GeometryPart, _Mapping]]] = ..., unit: _Optional[str] = ...) -> None: ...

class GeometryPart(_message.Message):
    __slots__ = ("name", "kind", "triangles", "area", "length", "volume", "bounding_box", "centre_of_gravity", "density", "mass", "opening", "measured")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TRIANGLES_FIELD_NUMBER: _ClassVar[int]
    AREA_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    VOLUME_FIELD_NUMBER: _ClassVar[int]
    BOUNDING_BOX_FIELD_NUMBER: _ClassVar[int]
    CENTRE_OF_GRAVITY_FIELD_NUMBER: _ClassVar[int]
    DENSITY_FIELD_NUMBER: _ClassVar[int]
    MASS_FIELD_NUMBER: _ClassVar[int]
    OPENING_FIELD_NUMBER: _ClassVar[int]
    MEASURED_FIELD_NUMBER: _ClassVar[int]
    name: str
    kind: GeometryPartKind
    triangles: int
    area: float
    length: float
    volume: float
    bounding_box: BoundingBox
    centre_of_gravity: _containers.RepeatedScalarFieldContainer[float]
    density: float
    mass: float
    opening: GeometryOpening
    measured: GeometryMeasurement
    def __init__(self, name: _Optional[str] = ..., kind: _Optional[_Union[GeometryPartKind, str]] = ..., triangles: _Optional[int] = ..., area: _Optional[float] = ..., length: _Optional[float] = ..., volume: _Optional[float] = ..., bounding_box: _Optional[_Union[BoundingBox, _Mapping]] = ..., centre_of_gravity: _Optional[_Iterable[float]] = ..., density: _Optional[float] = ..., mass: _Optional[float] = ..., opening: _Optional[_Union[GeometryOpening, _Mapping]] = ..., measured: _Optional[_Union[GeometryMeasurement, str]] = ...) -> None: ...

class GeometryOpening(_message.Message):
    __slots__ = ("edges", "gap")
    EDGES_FIELD_NUMBER: _ClassVar[int]
    GAP_FIELD_NUMBER: _ClassVar[int]
    edges: int
    gap: float
    def __init__(self, edges: _Optional[int] = ..., gap: _Optional[float] = ...) -> None: ...

class BoundingBox(_message.Message):
    __slots__ = ("min", "max")
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    min: _containers.RepeatedScalarFieldContainer[float]
    max: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, min: _Optional[_Iterable[float]] = ..., max: _Optional[_Iterable[float]] = ...) -> None: ...
